/** How many significant digits answers show of a number that has more than six decimals. */
export const DIGITS_SHOWN = 12;
const MICRO = 1_000_000;

/**
 * The number as answers show it, without the rounding errors of binary arithmetic. A number with at most six decimals
 * is kept, such as every amount of money and every size. A price, average or ratio with more decimals is rounded to 12
 * significant digits. A client that computes a figure itself rounds it in the same way. @rule D10.noNoise decides
 */
export function shownNumber(value: number): number {
  if (Number.isInteger(value) || Math.round(value * MICRO) / MICRO === value) return value;
  return Number(value.toPrecision(DIGITS_SHOWN));
}
