import type { Instrument } from "../market/instrument.ts";
import { gainUsd, type PricedQuantity } from "../market/valuation.ts";
import type { Position } from "../state/position.ts";
import { type MicroUsd, microUsd } from "../units.ts";

/**
 * The profit from closing `exit.quantity` of a position, before fees: measured from the average entry and converted at
 * the rate of the exit. @rule D4.pnlRate
 */
export function realizedPnl(
  position: Pick<Position, "direction" | "averageEntryPrice">,
  instrument: Pick<Instrument, "lotSize">,
  exit: PricedQuantity,
): MicroUsd {
  const sign = position.direction === "long" ? 1 : -1;
  return microUsd(sign * gainUsd(instrument, { ...exit, from: position.averageEntryPrice }));
}
