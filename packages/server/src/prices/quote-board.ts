import { midOf, type PairId, type Quote, type Quotes, type UnixMs } from "@propgate/core";
import type { QuoteStore } from "../storage/stores/quote-store.ts";

/** When a price is too far from the one before it to be believed at once. */
export interface OutlierFilter {
  /** As a share of the last mid price: 0.2 is a fifth. */
  readonly mostMove: number;
  /** A new level is believed when this many quotes in a row agree on it. */
  readonly confirmedBy: number;
}

/** `feed`: from a price source. `hand`: given by the operator, who is always believed. @rule D6.quotes */
export type QuoteOrigin = "feed" | "hand";

export type QuoteVerdict = "accepted" | "crossed" | "older" | "outlier";

export interface QuoteBoardOptions {
  /** Null: no price of a feed is too far away. */
  readonly outliers: OutlierFilter | null;
}

/**
 * The newest quote of each pair. A crossed quote, one that is older than the pair's newest, and an
 * outlier are turned away and counted.
 */
export interface QuoteBoard {
  offer(quote: Quote, origin: QuoteOrigin): QuoteVerdict;
  quote(pair: PairId): Quote | null;
  /** A living view: always shows the newest. */
  readonly quotes: Quotes;
  /** Since the pair's newest quote; null while there is none. */
  ageMs(pair: PairId, now: UnixMs): number | null;
  /** Called for each accepted quote, in order. */
  onQuote(listener: (quote: Quote) => void): void;
  turnedAway(): Readonly<Record<Exclude<QuoteVerdict, "accepted">, number>>;
  /**
   * Takes over what an earlier process stored, unless it is later than `now`: a service that lives
   * in the time of its data would turn away every price until that moment comes again.
   */
  restore(store: QuoteStore, now: UnixMs): Promise<void>;
  /** Stores the quotes that have come since the last call. */
  save(store: QuoteStore): Promise<void>;
}

export function createQuoteBoard(options: QuoteBoardOptions): QuoteBoard {
  const quotes = new Map<PairId, Quote>();
  const doubts = new Map<PairId, Doubt>();
  const unsaved = new Map<PairId, Quote>();
  const listeners: ((quote: Quote) => void)[] = [];
  const turnedAway = { crossed: 0, older: 0, outlier: 0 };

  const judge = (quote: Quote, origin: QuoteOrigin): QuoteVerdict => {
    if (quote.bid > quote.ask) return "crossed";
    const last = quotes.get(quote.pair);
    if (last === undefined) return "accepted";
    if (quote.atMs < last.atMs) return "older";
    if (origin === "hand" || options.outliers === null) return "accepted";
    return isDoubtful({ quote, last, doubts, filter: options.outliers }) ? "outlier" : "accepted";
  };

  return {
    quotes,
    offer(quote, origin) {
      const verdict = judge(quote, origin);
      if (verdict !== "accepted") {
        turnedAway[verdict] += 1;
        return verdict;
      }
      doubts.delete(quote.pair);
      quotes.set(quote.pair, quote);
      unsaved.set(quote.pair, quote);
      for (const listener of listeners) listener(quote);
      return verdict;
    },
    quote: (pair) => quotes.get(pair) ?? null,
    ageMs(pair, now) {
      const last = quotes.get(pair);
      return last === undefined ? null : now - last.atMs;
    },
    onQuote: (listener) => void listeners.push(listener),
    turnedAway: () => ({ ...turnedAway }),
    async restore(store, now) {
      for (const quote of await store.load()) {
        if (!quotes.has(quote.pair) && quote.atMs <= now) quotes.set(quote.pair, quote);
      }
    },
    async save(store) {
      const batch = [...unsaved.values()];
      if (batch.length === 0) return;
      unsaved.clear();
      try {
        await store.save(batch);
      } catch (cause) {
        for (const quote of batch) {
          if (!unsaved.has(quote.pair)) unsaved.set(quote.pair, quote);
        }
        throw cause;
      }
    },
  };
}

/** A level that has been seen but is not believed yet. */
interface Doubt {
  readonly mid: number;
  readonly seen: number;
}

interface Doubting {
  readonly quote: Quote;
  readonly last: Quote;
  readonly doubts: Map<PairId, Doubt>;
  readonly filter: OutlierFilter;
}

function isDoubtful({ quote, last, doubts, filter }: Doubting): boolean {
  const mid = midOf(quote);
  if (isNear(mid, midOf(last), filter)) return false;
  const doubt = doubts.get(quote.pair);
  const seen = doubt !== undefined && isNear(mid, doubt.mid, filter) ? doubt.seen + 1 : 1;
  if (seen >= filter.confirmedBy) return false;
  doubts.set(quote.pair, { mid, seen });
  return true;
}

function isNear(mid: number, other: number, filter: OutlierFilter): boolean {
  return Math.abs(mid / other - 1) <= filter.mostMove;
}
