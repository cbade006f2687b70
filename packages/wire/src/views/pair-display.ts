import type { PairId } from "@propgate/core";

/** How pairs and their prices are displayed, such as those of a catalogue. */
export type PairDisplays = ReadonlyMap<PairId, { readonly display: string; readonly tick: number }>;

/** `BTC/USD` for `BTCUSD`; a pair that left the catalogue is shown by its id. @rule D1.pairs */
export function pairDisplay(displays: PairDisplays, pair: PairId): string {
  return displays.get(pair)?.display ?? pair;
}
