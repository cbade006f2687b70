import { type ValuesByPair, valueForPair } from "@propgate/base";
import type { AssetClass, Instruments, PairId } from "@propgate/core";

/**
 * The limits of the asset classes, in percent of the price. The prices of two venues usually differ by a tenth of the
 * limit or less.
 */
const DEVIATION_PCT: Readonly<Record<AssetClass, number>> = {
  crypto: 1,
  forex: 0.3,
  indices: 0.5,
  equities: 1,
  commodities: 1,
};

/**
 * The largest difference between two sources of a pair that agree, in percent. The setting has priority over the limit
 * of the pair's class.
 */
export function deviationLimits(
  instruments: Instruments,
  setting: ValuesByPair<number> | null,
): (pair: PairId) => number {
  const limits = new Map<PairId, number>();
  for (const [pair, { assetClass }] of instruments) {
    const set = setting === null ? null : valueForPair(setting, { names: [pair], assetClass });
    limits.set(pair, set ?? DEVIATION_PCT[assetClass]);
  }
  return (pair) => limits.get(pair) ?? DEVIATION_PCT.forex;
}
