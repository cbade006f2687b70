/** The place of a quote in the one sequence of the quotes of all pairs. */
export interface QuotePlace {
  readonly epoch: number;
  readonly number: number;
}

/** The place before every quote. */
export const NO_PLACE: QuotePlace = { epoch: 0, number: 0 };

/** Orders places by epoch, then by number. Negative when `one` comes first. */
export function comparePlaces(one: QuotePlace, other: QuotePlace): number {
  return one.epoch - other.epoch || one.number - other.number;
}

export function isLater(one: QuotePlace, other: QuotePlace): boolean {
  return comparePlaces(one, other) > 0;
}

/** The later of two places, without the other fields that a quote has. */
export function laterPlace(one: QuotePlace, other: QuotePlace): QuotePlace {
  const { epoch, number } = isLater(one, other) ? one : other;
  return { epoch, number };
}
