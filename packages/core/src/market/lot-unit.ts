import { lots, type Quantity } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** What a size is in units of the base: 0.5 lot of XAUUSD is 50 ounces. @rule S2.2.lotUnit */
export function baseUnits(instrument: Pick<Instrument, "lotSize">, size: Quantity): number {
  return lots(size) * instrument.lotSize;
}
