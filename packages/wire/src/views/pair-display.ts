import type { PairId } from "@propgate/core";

/** The display form and the tick of each pair, as a catalogue has them. */
export type PairDisplays = ReadonlyMap<PairId, { readonly display: string; readonly tick: number }>;

/** `BTC/USD` for `BTCUSD`; a pair that left the catalogue is shown by its id. @rule D1.pairs */
export function pairDisplay(displays: PairDisplays, pair: PairId): string {
  return displays.get(pair)?.display ?? pair;
}
