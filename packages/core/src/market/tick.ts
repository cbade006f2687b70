import { type Price, price } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** The nearest price on the pair's tick, at least one tick. @rule D6.ticks */
export function nearestTick(instrument: Pick<Instrument, "tick">, value: number): Price {
  const ticks = Math.max(1, Math.round(Number((value / instrument.tick).toPrecision(12))));
  return price(Number((ticks * instrument.tick).toPrecision(12)));
}
