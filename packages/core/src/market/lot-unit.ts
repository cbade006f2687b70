import { lots, type Quantity } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** A size in units of the base: 0.5 lots of XAUUSD are 50 ounces. @rule S2.2.lotUnit decides */
export function baseUnits(instrument: Pick<Instrument, "lotSize">, size: Quantity): number {
  return lots(size) * instrument.lotSize;
}
