/** The place of a quote in the one sequence of all pairs. */
export interface QuotePlace {
  readonly epoch: number;
  readonly number: number;
}

/** Negative when `one` comes first: orders by epoch, then by number. */
export function comparePlaces(one: QuotePlace, other: QuotePlace): number {
  return one.epoch - other.epoch || one.number - other.number;
}

export function isLater(one: QuotePlace, other: QuotePlace): boolean {
  return comparePlaces(one, other) > 0;
}
