/** The JSON of every interface: its numbers have no noise of binary arithmetic. */

const DIGITS = 12;
const MICRO = 1_000_000;

/**
 * JSON with numbers as people write them. A number with at most six decimals, such as every amount of money
 * and every size, is kept; a price, average or ratio with more is rounded to 12 significant digits.
 * @rule D10.noNoise
 */
export function wireJson(value: unknown): string {
  return JSON.stringify(value, withoutNoise);
}

function withoutNoise(_name: string, value: unknown): unknown {
  return typeof value === "number" ? plainNumber(value) : value;
}

function plainNumber(value: number): number {
  if (Number.isInteger(value) || Math.round(value * MICRO) / MICRO === value) return value;
  return Number(value.toPrecision(DIGITS));
}
