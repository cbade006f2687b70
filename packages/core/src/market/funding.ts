import type { PairId } from "../ids.ts";
import type { Ratio, UnixMs } from "../units.ts";

/**
 * The known funding rates, by pair and by the hour that each rate is for. Only pairs whose rate comes from a funding
 * source are in the map.
 */
export type FundingRates = ReadonlyMap<PairId, ReadonlyMap<UnixMs, Ratio>>;

/** Finds a known rate by pair and hour, as the map `FundingRates` does. */
export interface FundingLookup {
  get(pair: PairId): { get(hourMs: UnixMs): Ratio | undefined } | undefined;
}
