/** The position of a quote in the single sequence of the quotes of all pairs. */
export interface QuotePlace {
  readonly epoch: number;
  readonly number: number;
}

/** The position before the first quote. */
export const NO_PLACE: QuotePlace = { epoch: 0, number: 0 };

/** Compares positions by epoch, then by number. Negative when `one` comes first. */
export function comparePlaces(one: QuotePlace, other: QuotePlace): number {
  return one.epoch - other.epoch || one.number - other.number;
}

export function isLater(one: QuotePlace, other: QuotePlace): boolean {
  return comparePlaces(one, other) > 0;
}

/** The later of two positions, without other fields that the arguments may have. */
export function laterPlace(one: QuotePlace, other: QuotePlace): QuotePlace {
  const { epoch, number } = isLater(one, other) ? one : other;
  return { epoch, number };
}
