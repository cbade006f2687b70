import type { PairId, Price, Quote, UnixMs } from "@propgate/core";

/** The lowest and highest prices of a pair's quotes since its last number, this quote included. */
export interface QuoteRange {
  readonly lowBid: Price;
  readonly highBid: Price;
  readonly lowAsk: Price;
  readonly highAsk: Price;
}

/** A quote as its source sent it, not judged yet. */
export interface OfferedQuote {
  /** The source's name, such as `kraken`; `hand` for the operator's own. */
  readonly source: string;
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  /** The venue's own time; null when it sends none. */
  readonly madeAtMs: UnixMs | null;
  readonly receivedAtMs: UnixMs;
}

/**
 * A quote that was accepted. `atMs` decides freshness and session: the venue's own time when it sends one that is not
 * in the future, else the time of receipt.
 */
export interface NumberedQuote extends Quote, OfferedQuote {
  readonly bid: Price;
  readonly ask: Price;
  readonly pair: PairId;
  /** Greater with every start of the feed. */
  readonly epoch: number;
  /** Counts the accepted quotes of all pairs in this epoch, from 1. */
  readonly number: number;
  /** The pair's number before this one in the same epoch; 0 for its first. */
  readonly previous: number;
  readonly range: QuoteRange;
}
