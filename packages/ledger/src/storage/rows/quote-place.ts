/** The place of a quote in the one sequence of all pairs. */
export interface QuotePlace {
  readonly epoch: number;
  readonly number: number;
}

/** Before every quote. */
export const NO_PLACE: QuotePlace = { epoch: 0, number: 0 };

/** Negative when `one` comes first: orders by epoch, then by number. */
export function comparePlaces(one: QuotePlace, other: QuotePlace): number {
  return one.epoch - other.epoch || one.number - other.number;
}

export function isLater(one: QuotePlace, other: QuotePlace): boolean {
  return comparePlaces(one, other) > 0;
}

/** The place alone, also of a whole quote. */
export function laterPlace(one: QuotePlace, other: QuotePlace): QuotePlace {
  const { epoch, number } = isLater(one, other) ? one : other;
  return { epoch, number };
}
