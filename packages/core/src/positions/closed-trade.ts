import { nearestLevels, stopLevel } from "../pending/bracket-leg.ts";
import type { BracketLeg } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { Trade } from "../state/trade.ts";
import { leverageOf, type MicroUsd, price, ratio, type UnixMs } from "../units.ts";

/** The facts about a closed position from which its trade is made. */
export interface ClosedPosition {
  /** The position after its last fill, with zero quantity. */
  readonly position: Position;
  /** The position's legs that were pending before the closing fill. */
  readonly legs: readonly BracketLeg[];
  readonly accountSize: MicroUsd;
  readonly atMs: UnixMs;
  readonly status: Trade["status"];
}

/**
 * The trade of a closed position. `quantity` is the sum of all fills in its direction, without a sign, and the entry
 * price is their average. @rule D4.returns @rule S2.4 D4.tradePrices D10.tradeLeverage decides
 */
export function createTrade(closing: ClosedPosition): Trade {
  const { position, legs } = closing;
  return {
    id: position.uuid,
    pair: position.pair,
    direction: position.direction,
    quantity: position.openedQuantity,
    averageEntryPrice: position.openedPrice,
    averageExitPrice: price(position.exitPriceQuantity / position.exitQuantity),
    cumulativeEntryValue: position.cumulativeEntryValue,
    // The sum of the entry values divided by the balance at the first fill.
    leverage: leverageOf(position.cumulativeEntryValue, position.openingBalance),
    realizedPnl: position.realizedPnl,
    fees: position.fees,
    returnAtClose: ratio(1 + position.realizedPnl / closing.accountSize),
    openedAtMs: position.openedAtMs,
    closedAtMs: closing.atMs,
    ...nearestLevels(
      legs.map((leg) => ({ stopLoss: stopLevel(leg), takeProfit: leg.takeProfit })),
      position.direction,
    ),
    status: closing.status,
  };
}
