import type { CandleInterval } from "./candle-reader.ts";

/** The length of each interval in milliseconds. A day always has 24 hours, because candles use UTC. */
export const CANDLE_MS: Readonly<Record<CandleInterval, number>> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": 3_600_000,
  "1d": 86_400_000,
};

/** The start of the interval that contains the moment, in Unix milliseconds. */
export function candleStart(atMs: number, interval: CandleInterval): number {
  return atMs - (atMs % CANDLE_MS[interval]);
}
