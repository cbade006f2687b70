import {
  type Instruments,
  midOf,
  type PairId,
  type Quote,
  type Quotes,
  type UnixMs,
} from "@propgate/core";
import type { QuoteStore } from "../storage/stores/quote-store.ts";
import { createMarketHours } from "./market-hours.ts";

/** The limits of the outlier check. */
export interface OutlierFilter {
  /** Max distance as a share of the last mid price: 0.2 is a fifth. */
  readonly moveMax: number;
  /** A new level is accepted when this many quotes in a row confirm it. */
  readonly confirmedBy: number;
}

/**
 * `feed`: from a price source. `hand`: from the operator, without the outlier check.
 * @rule D6.quotes
 */
export type QuoteOrigin = "feed" | "hand";

/** `closed`: the market of its pair was closed at the quote's own time. */
export type QuoteVerdict = "accepted" | "crossed" | "closed" | "older" | "outlier";

export interface QuoteBoardOptions {
  /** Null turns the outlier check off. */
  readonly outliers: OutlierFilter | null;
  /** Their trading hours decide which quotes belong to a session. */
  readonly instruments: Instruments;
}

/**
 * The newest quote of each pair. Rejects and counts crossed quotes, quotes of a closed market,
 * quotes older than the pair's newest, and outliers. Every price that values a position, moves a
 * limit or triggers an order comes from this board, so a rejected quote affects no account: a
 * session's last quote stays until the next session's first, and a pair whose first quote comes
 * while its market is closed has none yet. A quote's own time decides, not its arrival: nodes with
 * different clocks agree, and the last quote of a session may arrive late. @rule D10.closedMarkets
 */
export interface QuoteBoard {
  offer(quote: Quote, origin: QuoteOrigin): QuoteVerdict;
  quote(pair: PairId): Quote | null;
  /** A live view of the newest quotes. */
  readonly quotes: Quotes;
  /** Time since the pair's newest quote; null without one. */
  ageMs(pair: PairId, now: UnixMs): number | null;
  /** Called for each accepted quote, in order. */
  onQuote(listener: (quote: Quote) => void): void;
  /** How many quotes were rejected, by reason. */
  rejected(): Readonly<Record<Exclude<QuoteVerdict, "accepted">, number>>;
  /**
   * Takes over the quotes of an earlier process, except those later than `now`: a service that runs
   * on its data's own time would reject every price until then.
   */
  restore(store: QuoteStore, now: UnixMs): Promise<void>;
  /** Stores the quotes that came since the last call. */
  save(store: QuoteStore): Promise<void>;
}

export function createQuoteBoard(options: QuoteBoardOptions): QuoteBoard {
  const quotes = new Map<PairId, Quote>();
  const doubts = new Map<PairId, Doubt>();
  const unsaved = new Map<PairId, Quote>();
  const listeners: ((quote: Quote) => void)[] = [];
  const rejected = { crossed: 0, closed: 0, older: 0, outlier: 0 };
  const hours = createMarketHours(options.instruments);

  const judge = (quote: Quote, origin: QuoteOrigin): QuoteVerdict => {
    if (quote.bid > quote.ask) return "crossed";
    if (!hours.isOpenAt(quote.pair, quote.atMs)) return "closed";
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
        rejected[verdict] += 1;
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
    rejected: () => ({ ...rejected }),
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

/** A price level that was quoted but is not confirmed yet. */
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
  return Math.abs(mid / other - 1) <= filter.moveMax;
}
