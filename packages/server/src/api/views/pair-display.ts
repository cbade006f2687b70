import type { Instruments, PairId } from "@propgate/core";

/** `BTC/USD` for `BTCUSD`; a pair that left the catalogue is shown by its id. @rule D1.pairs */
export function pairDisplay(instruments: Instruments, pair: PairId): string {
  return instruments.get(pair)?.display ?? pair;
}
