/** Shown for an unknown figure. */
export const UNKNOWN = "--";

const MINUS = "\u2212";

const money = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** USD with two decimals. An amount that rounds to zero has no sign. */
export function moneyText(usd: number | null | undefined): string {
  return usd === null || usd === undefined ? UNKNOWN : withMinus(money.format(usd));
}

/** USD with two decimals and without a sign, for use beside words such as `left` or `below`. */
export function distanceText(usd: number | null | undefined): string {
  return moneyText(usd === null || usd === undefined ? usd : Math.abs(usd));
}

/** USD with two decimals and a sign, `+` for a gain. An amount that rounds to zero has no sign. */
export function signedMoneyText(usd: number | null | undefined): string {
  return usd === null || usd === undefined ? UNKNOWN : signed(money.format(usd));
}

/** A percentage with this many decimals. A negative one has a minus, a positive one no sign. */
export function percentText(percent: number | null | undefined, digits = 2): string {
  if (percent === null || percent === undefined) return UNKNOWN;
  return `${withMinus(fixed(percent, digits))}%`;
}

/** A percentage with this many decimals and a sign, `+` for a gain. A percentage that rounds to zero has no sign. */
export function signedPercentText(percent: number | null | undefined, digits = 2): string {
  if (percent === null || percent === undefined) return UNKNOWN;
  return `${signed(fixed(percent, digits))}%`;
}

/** A number with a fixed number of decimals and a sign, without a unit. A number that rounds to zero has no sign. */
export function signedText(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? UNKNOWN : signed(fixed(value, digits));
}

/** A price, quantity or multiple with at most ten decimals. */
export function plainText(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  return withMinus(new Intl.NumberFormat("en-US", { maximumFractionDigits: 10 }).format(value));
}

/** A number with a fixed number of decimals. */
export function fixedText(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? UNKNOWN : withMinus(fixed(value, digits));
}

function fixed(value: number, digits: number): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat("en-US", options).format(value);
}

function isZeroText(text: string): boolean {
  return !/[1-9]/.test(text);
}

function withMinus(text: string): string {
  const magnitude = text.replace(/^-/, "");
  return text.startsWith("-") && !isZeroText(text) ? `${MINUS}${magnitude}` : magnitude;
}

function signed(text: string): string {
  return isZeroText(text) || text.startsWith("-") ? withMinus(text) : `+${text}`;
}
