import type { PairId } from "../ids.ts";
import type { Price, UnixMs } from "../units.ts";

/** The latest two-sided price of a pair. Never crossed: bid ≤ ask. */
export interface Quote {
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  readonly atMs: UnixMs;
}

/** The latest quote of each pair that has had one. */
export type Quotes = ReadonlyMap<PairId, Quote>;
