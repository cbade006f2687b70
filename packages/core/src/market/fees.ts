import { type MicroUsd, roundMicroUsd } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** The fee of a fill: its value times the pair's fee ratio. Buying and selling cost the same. @rule D6.fees decides */
export function feeOf(instrument: Pick<Instrument, "feeRatio">, value: MicroUsd): MicroUsd {
  return roundMicroUsd(Math.abs(value) * instrument.feeRatio);
}
