import type { Instrument } from "../market/instrument.ts";
import { gainUsd, type Holding } from "../market/valuation.ts";
import { type MicroUsd, microUsd } from "../units.ts";
import type { Position } from "./position.ts";

/**
 * What leaving `exit.quantity` of a position earns against its average entry, at the rate of that
 * moment, fees not included. @rule D4.pnlRate
 */
export function realizedPnl(
  position: Pick<Position, "direction" | "averageEntryPrice">,
  instrument: Pick<Instrument, "lotSize">,
  exit: Holding,
): MicroUsd {
  const sign = position.direction === "long" ? 1 : -1;
  return microUsd(sign * gainUsd(instrument, { ...exit, from: position.averageEntryPrice }));
}
