/** The numbered quotes of the run, which several checkers compare with the journal. */
import type { PairId, Quote } from "@propgate/core";
import type { NumberedQuote } from "../../../packages/market/src/prices/quotes/numbered-quote.ts";
import type { Observation } from "../history.ts";

/** A place in the one sequence of quotes, compared by epoch, then by number. */
export interface Place {
  readonly epoch: number;
  readonly number: number;
}

export function isAfter(one: Place, other: Place): boolean {
  return one.epoch > other.epoch || (one.epoch === other.epoch && one.number > other.number);
}

export function placeText({ epoch, number }: Place): string {
  return `${epoch}/${number}`;
}

/** Shared by the checkers of one run; each takes every observation, and only the first of them counts. */
export class PublishedQuotes {
  readonly #pairs = new Map<PairId, NumberedQuote[]>();
  readonly #byPlace = new Map<string, NumberedQuote>();
  #last: Observation["published"] = [];
  #news: readonly NumberedQuote[] = [];

  /** The quotes that no earlier observation had, each once and in order, however many nodes got them. */
  get news(): readonly NumberedQuote[] {
    return this.#news;
  }

  take({ published }: Observation): void {
    // Copies of an observation share the list.
    if (this.#last === published) return;
    this.#last = published;
    const news = published.filter((quote) => this.#add(quote));
    this.#news = news.sort((one, other) => (isAfter(one, other) ? 1 : -1));
  }

  /** The quote at the place; null when no node got one. */
  at(place: Place): NumberedQuote | null {
    return this.#byPlace.get(placeText(place)) ?? null;
  }

  /** The pair's quote before this one; null for the first. */
  before(quote: NumberedQuote): NumberedQuote | null {
    return this.lastOf(quote.pair, quote);
  }

  /** The pair's last quote before the place; null when there is none. */
  lastOf(pair: PairId, place: Place): NumberedQuote | null {
    return this.#pairs.get(pair)?.findLast((one) => isAfter(place, one)) ?? null;
  }

  /** The pair's quotes from one place to another, the first included; from the beginning for null. */
  from(pair: PairId, first: Place | null, end: Place): readonly NumberedQuote[] {
    const isBefore = (one: Place): boolean => first !== null && isAfter(first, one);
    return (this.#pairs.get(pair) ?? []).filter((one) => isAfter(end, one) && !isBefore(one));
  }

  /** The last place at which the quote was published; null when no node got it. */
  placeOf({ pair, bid, ask, atMs }: Quote): Place | null {
    const isSame = (one: Quote): boolean => one.bid === bid && one.ask === ask && one.atMs === atMs;
    return this.#pairs.get(pair)?.findLast(isSame) ?? null;
  }

  /** True for a quote that was not known. */
  #add(quote: NumberedQuote): boolean {
    const place = placeText(quote);
    if (this.#byPlace.has(place)) return false;
    this.#byPlace.set(place, quote);
    const quotes = this.#pairs.get(quote.pair) ?? [];
    this.#pairs.set(quote.pair, quotes);
    // Nodes get quotes at different times, and each pair's in order.
    const at = quotes.findLastIndex((one) => isAfter(quote, one));
    quotes.splice(at + 1, 0, quote);
    return true;
  }
}
