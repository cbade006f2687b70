import { lots, type MicroUsd, type Price, type Quantity, roundUsd } from "../units.ts";
import type { Position } from "./position.ts";

export interface Exit {
  readonly price: Price;
  /** A magnitude, at most what is open. */
  readonly quantity: Quantity;
  /** Base units in one lot. */
  readonly lotSize: number;
  /** USD for one unit of the quote currency at the moment of the exit. */
  readonly usdRate: number;
}

/** What an exit earns against the average entry, fees not included. @rule D9.pnlRate */
export function realizedPnl(
  position: Pick<Position, "direction" | "averageEntryPrice">,
  exit: Exit,
): MicroUsd {
  const gain = (exit.price - position.averageEntryPrice) * (position.direction === "long" ? 1 : -1);
  return roundUsd(gain * lots(exit.quantity) * exit.lotSize * exit.usdRate);
}
