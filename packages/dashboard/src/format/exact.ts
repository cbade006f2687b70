const MICROS_PER_USD = 1_000_000;

/** Adds amounts in USD as whole micro dollars, as the service does, so that sums agree to the last digit. */
export function sumUsd(amounts: readonly number[]): number {
  const micros = amounts.reduce((sum, usd) => sum + Math.round(usd * MICROS_PER_USD), 0);
  return micros / MICROS_PER_USD;
}

/** The sum of amounts in USD. Null when one of them is unknown, because a sum without it would be wrong. */
export function sumKnownUsd(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((usd) => usd !== null);
  return known.length === amounts.length ? sumUsd(known) : null;
}

/** A number with all its digits and without an exponent, such as `0.0000001`, so that every spreadsheet can read it. */
export function decimalText(value: number): string {
  const [digits = "", exponent] = String(value).split("e");
  if (exponent === undefined) return digits;
  const sign = digits.startsWith("-") ? "-" : "";
  const [whole = "", part = ""] = digits.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const all = whole + part;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`;
  if (point >= all.length) return sign + all.padEnd(point, "0");
  return `${sign}${all.slice(0, point)}.${all.slice(point)}`;
}
