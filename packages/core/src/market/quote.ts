import type { PairId } from "../ids.ts";
import type { Price, UnixMs } from "../units.ts";

/** A two-sided price of a pair. Never crossed: bid ≤ ask. */
export interface Quote {
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  readonly atMs: UnixMs;
  /** The special standing of the quote; absent for a quote that a source sent while this process was running. */
  readonly standing?: QuoteStanding;
  /**
   * The moment of the last corporate action for which the quote was adjusted; absent when it was not adjusted. An
   * adjusted quote values positions until the next real quote, and fills no order. @rule D11.scale
   */
  readonly adjustedToMs?: UnixMs;
}

/**
 * The special standing of a quote. A quote with any of these standings still values positions. @rule D13.judges
 * - `halted`: by the operator or because its sources differ; never fresh, so no order fills at it (D10.haltedFills).
 * - `stored`: from before this process started; the market may have moved since.
 * - `given`: set by a caller who also moves the clock, as in a sandbox; it stays the price until the next one is set.
 */
export type QuoteStanding = "halted" | "stored" | "given";

/** The latest quote of each pair that has ever had one. */
export type QuoteMap = ReadonlyMap<PairId, Quote>;

/** Finds the latest quote of a pair, as a `QuoteMap` does. */
export interface Quotes {
  get(pair: PairId): Quote | undefined;
}
