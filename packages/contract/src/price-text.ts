/** How many more decimals than the tick a price may show when a trader sent it. */
const SENT_DIGITS_EXTRA = 2;
/** The maximum number of decimals of any price, and the number that is allowed when the tick is unknown. */
const DIGITS_MAX = 10;

/** Determines how many decimals a price is shown with. */
export interface PricePrecision {
  /** The pair's `tick`; null when it is unknown. */
  readonly tick: number | null;
  /** True for the price of an order, which may be finer than the tick; false for computed prices. */
  readonly isSent?: boolean;
}

/**
 * A price with the digits of its pair's tick, `1.38329` or `46,679.16`, so that prices of one pair
 * can be compared by eye. A fill, an average and a breach price are rounded to the tick. A price that
 * a trader sent keeps up to two more digits, because the order fills at exactly that price.
 */
export function priceText(value: number, step: PricePrecision): string {
  return numberText(value, priceDigits(value, step));
}

/** A price as a number for a file, with exactly the digits that `priceText` shows. */
export function roundPrice(value: number, step: PricePrecision): number {
  return Number(fixedText(value, priceDigits(value, step).max));
}

/**
 * The number of significant digits to which a number is reduced before it is rounded. An answer never has more digits,
 * and binary errors beyond them no longer hide an exact half.
 */
const DIGITS_EXACT = 15;

/**
 * The number as text with `decimals` decimals. A half is rounded away from zero, as it is by hand: 1.103795 becomes
 * 1.10380.
 */
export function fixedText(value: number, decimals: number): string {
  const steps = Number((Math.abs(value) * 10 ** decimals).toPrecision(DIGITS_EXACT));
  return ((Math.sign(value) * Math.round(steps)) / 10 ** decimals).toFixed(decimals);
}

interface Digits {
  readonly min: number;
  readonly max: number;
}

function priceDigits(value: number, { tick, isSent = false }: PricePrecision): Digits {
  if (tick === null) return { min: 0, max: DIGITS_MAX };
  const min = decimalsOf(tick);
  if (!isSent) return { min, max: min };
  const max = Math.min(min + SENT_DIGITS_EXTRA, DIGITS_MAX);
  return { min, max: Math.max(min, decimalsOf(Number(value.toFixed(max)))) };
}

/** How many decimals a number has, at most 10: 5 for 0.00001, 0 for 1. */
export function decimalsOf(value: number): number {
  for (let digits = 0; digits < DIGITS_MAX; digits += 1) {
    if (Number(value.toFixed(digits)) === value) return digits;
  }
  return DIGITS_MAX;
}

function numberText(value: number, { min, max }: Digits): string {
  return new Intl.NumberFormat("en-US", {
    minimumFractionDigits: min,
    maximumFractionDigits: max,
  }).format(value);
}
