/** The numbered quotes of the run, which several checkers compare with the journal. */
import type { PairId, Quote } from "@propgate/core";
import type { NumberedQuote } from "../../../packages/market/src/prices/quotes/numbered-quote.ts";
import type { Observation } from "../checker.ts";

/** The position of a quote in the one sequence of all quotes, which is sorted by epoch, then by number. */
export interface SequencePosition {
  readonly epoch: number;
  readonly number: number;
}

/** True when the first position is later than the other. */
export function isPositionAfter(one: SequencePosition, other: SequencePosition): boolean {
  return one.epoch > other.epoch || (one.epoch === other.epoch && one.number > other.number);
}

/** The text of a position in findings: `epoch/number`. */
export function positionText({ epoch, number }: SequencePosition): string {
  return `${epoch}/${number}`;
}

/**
 * The published quotes of a run, for all its checkers. Every checker passes each observation to `addObserved`; only the
 * first of these calls has an effect.
 */
export class PublishedQuotes {
  readonly #pairs = new Map<PairId, NumberedQuote[]>();
  readonly #byPlace = new Map<string, NumberedQuote>();
  #last: Observation["published"] = [];
  #news: readonly NumberedQuote[] = [];
  #newest: SequencePosition | null = null;

  /** The quotes of the last observation that no earlier observation had, each once and in order. */
  get news(): readonly NumberedQuote[] {
    return this.#news;
  }

  /** The position of the newest quote; null before the first quote. */
  get newest(): SequencePosition | null {
    return this.#newest;
  }

  addObserved({ published }: Observation): void {
    // Copies of an observation have the same list `published`.
    if (this.#last === published) return;
    this.#last = published;
    const news = published.filter((quote) => this.#add(quote));
    this.#news = news.sort((one, other) => (isPositionAfter(one, other) ? 1 : -1));
  }

  /** The quote at this position; null when no node got one. */
  at(place: SequencePosition): NumberedQuote | null {
    return this.#byPlace.get(positionText(place)) ?? null;
  }

  /** The last quote of the same pair before this one; null for the first quote of a pair. */
  before(quote: NumberedQuote): NumberedQuote | null {
    return this.lastOf(quote.pair, quote);
  }

  /** The pair's last quote before this position; null when there is none. */
  lastOf(pair: PairId, place: SequencePosition): NumberedQuote | null {
    return this.#pairs.get(pair)?.findLast((one) => isPositionAfter(place, one)) ?? null;
  }

  /**
   * The pair's quotes from the position `first` on, and before `end`. They begin with the first quote of the pair when
   * `first` is null.
   */
  from(
    pair: PairId,
    first: SequencePosition | null,
    end: SequencePosition,
  ): readonly NumberedQuote[] {
    const isBefore = (one: SequencePosition): boolean =>
      first !== null && isPositionAfter(first, one);
    return (this.#pairs.get(pair) ?? []).filter(
      (one) => isPositionAfter(end, one) && !isBefore(one),
    );
  }

  /** The last position at which the quote was published; null when no node got it. */
  positionOf({ pair, bid, ask, atMs }: Quote): SequencePosition | null {
    const isSame = (one: Quote): boolean => one.bid === bid && one.ask === ask && one.atMs === atMs;
    return this.#pairs.get(pair)?.findLast(isSame) ?? null;
  }

  /** Adds a quote; true when it was not known. */
  #add(quote: NumberedQuote): boolean {
    const place = positionText(quote);
    if (this.#byPlace.has(place)) return false;
    this.#byPlace.set(place, quote);
    if (this.#newest === null || isPositionAfter(quote, this.#newest)) this.#newest = quote;
    const quotes = this.#pairs.get(quote.pair) ?? [];
    this.#pairs.set(quote.pair, quotes);
    // Quotes reach the nodes at different times, so a quote is inserted at its position in the list of its pair.
    const at = quotes.findLastIndex((one) => isPositionAfter(quote, one));
    quotes.splice(at + 1, 0, quote);
    return true;
  }
}
