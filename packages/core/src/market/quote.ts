import type { PairId } from "../ids.ts";
import type { Price, UnixMs } from "../units.ts";

/** The latest two-sided price of a pair. Never crossed: bid ≤ ask. */
export interface Quote {
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  readonly atMs: UnixMs;
  /** Absent for a quote that a source sent to this process. */
  readonly standing?: QuoteStanding;
  /**
   * Set on a quote that was adjusted for corporate actions up to this time. It values positions until
   * the next real quote, and fills no order. @rule D11.scale
   */
  readonly adjustedToMs?: UnixMs;
}

/**
 * More about a quote. With any of these it values positions. @rule D13.judges
 * - `halted`: the operator or differing sources have halted the pair; never fresh, so no order fills at it.
 *   D10.haltedFills
 * - `stored`: from before this process started; the market has moved since, unseen.
 * - `given`: set by a caller who also moves the clock, as in a sandbox; it stays the price until the next one is set.
 */
export type QuoteStanding = "halted" | "stored" | "given";

/** The latest quote of each pair that has had one. */
export type QuoteMap = ReadonlyMap<PairId, Quote>;

/** Finds the latest quote of a pair; a `QuoteMap` is one. */
export interface Quotes {
  get(pair: PairId): Quote | undefined;
}
