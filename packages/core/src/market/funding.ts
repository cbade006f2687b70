import type { PairId } from "../ids.ts";
import type { Ratio, UnixMs } from "../units.ts";

/** The known rates of pairs whose funding comes from the source, by the hour that they are for. */
export type FundingRates = ReadonlyMap<PairId, ReadonlyMap<UnixMs, Ratio>>;

/** Finds a known rate by pair and hour; `FundingRates` is one. */
export interface FundingLookup {
  get(pair: PairId): { get(hourMs: UnixMs): Ratio | undefined } | undefined;
}
