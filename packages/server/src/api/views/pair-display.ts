import type { Instrument, PairId } from "@propgate/core";

/** The display forms of pairs, such as those of a catalogue. */
export type PairDisplays = ReadonlyMap<PairId, Pick<Instrument, "display">>;

/** `BTC/USD` for `BTCUSD`; a pair that left the catalogue is shown by its id. @rule D1.pairs */
export function pairDisplay(displays: PairDisplays, pair: PairId): string {
  return displays.get(pair)?.display ?? pair;
}
