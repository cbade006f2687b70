import type { UnixMs } from "@propgate/core";
import type { CandleDayRow, PackedCandles } from "../../storage/candle-store.ts";
import { joinCandles } from "./counted-candle.ts";
import { packCandles, unpackCandles } from "./packed-candles.ts";

/** The row of a day, joined from the packed candles of its hours. */
export function joinDay(dayMs: UnixMs, hours: readonly PackedCandles[]): CandleDayRow {
  const candles = hours.flatMap(({ startMs, packed }) => unpackCandles(startMs, packed));
  const [first, ...others] = candles;
  if (first === undefined) throw new Error("broken invariant: a day of candles without an hour");
  const whole = { ...others.reduce(joinCandles, first), startMs: dayMs };
  return { whole: packCandles(dayMs, [whole]), hours: packCandles(dayMs, candles) };
}
