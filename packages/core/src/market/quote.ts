import type { PairId } from "../ids.ts";
import type { Price, UnixMs } from "../units.ts";

/** The latest two-sided price of a pair. Never crossed: bid ≤ ask. */
export interface Quote {
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  readonly atMs: UnixMs;
  /**
   * Set while the operator has halted the pair. The quote still values positions, but is never fresh, so no order
   * fills at it. @rule D10.haltedPair
   */
  readonly isHalted?: true;
  /**
   * Set on a quote that was adjusted for corporate actions up to this time. It values positions until
   * the next real quote, and fills no order. @rule D11.scale
   */
  readonly adjustedToMs?: UnixMs;
}

/** The latest quote of each pair that has had one. */
export type QuoteMap = ReadonlyMap<PairId, Quote>;

/** Finds the latest quote of a pair; a `QuoteMap` is one. */
export interface Quotes {
  get(pair: PairId): Quote | undefined;
}
