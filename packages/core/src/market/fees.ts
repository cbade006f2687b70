import { type MicroUsd, microUsd } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** What one fill of this value costs, whichever side it is on. @rule D6.fees */
export function feeOf(instrument: Pick<Instrument, "feeRatio">, value: MicroUsd): MicroUsd {
  return microUsd(Math.round(Math.abs(value) * instrument.feeRatio));
}
