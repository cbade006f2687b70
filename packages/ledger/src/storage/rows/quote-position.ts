/** The position of a quote in the single sequence of the quotes of all pairs. */
export interface QuotePosition {
  readonly epoch: number;
  readonly number: number;
}

/** The position before the first quote. */
export const BEFORE_FIRST_QUOTE: QuotePosition = { epoch: 0, number: 0 };

/** Compares positions by epoch, then by number. Negative when `one` comes first. */
export function compareQuotePositions(one: QuotePosition, other: QuotePosition): number {
  return one.epoch - other.epoch || one.number - other.number;
}

export function isLater(one: QuotePosition, other: QuotePosition): boolean {
  return compareQuotePositions(one, other) > 0;
}

/** The later of two positions, without other fields that the arguments may have. */
export function laterQuotePosition(one: QuotePosition, other: QuotePosition): QuotePosition {
  const { epoch, number } = isLater(one, other) ? one : other;
  return { epoch, number };
}
