import type { PairId, Price, Quote, UnixMs } from "@propgate/core";

/** The lowest and highest prices of a quote, and of the pair's quotes before it that merging has removed. */
export interface QuoteRange {
  readonly lowBid: Price;
  readonly highBid: Price;
  readonly lowAsk: Price;
  readonly highAsk: Price;
}

/** A quote as its source sent it, before it is judged. */
export interface OfferedQuote {
  /** The name of the source, such as `kraken`; `hand` for quotes of the operator. */
  readonly source: string;
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  /** The venue's own time; null when the venue sends none. */
  readonly madeAtMs: UnixMs | null;
  readonly receivedAtMs: UnixMs;
}

/**
 * An accepted quote. `atMs` decides about freshness and session: it is the venue's own time, or the time of receipt
 * when the venue sends none or a later one.
 */
export interface NumberedQuote extends Quote, OfferedQuote {
  readonly bid: Price;
  readonly ask: Price;
  readonly pair: PairId;
  /** The epoch of the feed, greater with every start of a feed. */
  readonly epoch: number;
  /** The number of the quote among the accepted quotes of all pairs in this epoch, from 1. */
  readonly number: number;
  /** The number of the pair's previous quote in the same epoch; 0 for its first. */
  readonly previous: number;
  readonly range: QuoteRange;
}
