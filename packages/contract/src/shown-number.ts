/** The significant digits of a number that has more than six decimals. */
export const DIGITS_SHOWN = 12;
const MICRO = 1_000_000;

/**
 * The number as answers show it, without the noise of binary arithmetic. A number with at most six decimals, such as
 * every amount of money and every size, is kept; a price, average or ratio with more is rounded to 12 significant
 * digits. A client that computes what an answer would say rounds it so too.
 */
export function shownNumber(value: number): number {
  if (Number.isInteger(value) || Math.round(value * MICRO) / MICRO === value) return value;
  return Number(value.toPrecision(DIGITS_SHOWN));
}
