import { assert } from "../assert.ts";
import type { OrderFilled } from "../state/event.ts";
import type { Position } from "../state/position.ts";
import { addUsd, clampQuantity, type MicroUsd, microUsd, price, quantity } from "../units.ts";

/** The fields of `OrderFilled` that change a position. */
export type PositionFill = Pick<
  OrderFilled,
  | "atMs"
  | "positionUuid"
  | "pair"
  | "direction"
  | "price"
  | "quantity"
  | "value"
  | "fee"
  | "realizedPnl"
>;

/** The position after its first fill, which sets its direction. */
export function openPosition(fill: PositionFill, openingBalance: MicroUsd): Position {
  return {
    uuid: fill.positionUuid,
    pair: fill.pair,
    direction: fill.direction,
    quantity: fill.quantity,
    averageEntryPrice: fill.price,
    entryValue: fill.value,
    cumulativeEntryValue: fill.value,
    openedQuantity: fill.quantity,
    openedPrice: fill.price,
    realizedPnl: microUsd(0),
    fees: fill.fee,
    exitPriceQuantity: 0,
    exitQuantity: quantity(0),
    openedAtMs: fill.atMs,
    openingBalance,
  };
}

/**
 * The position after a fill in the same direction. The entry price becomes the average of the entry price and the fill
 * price, weighted by quantity. @rule D5.average decides
 */
export function addToPosition(position: Position, fill: PositionFill): Position {
  const together = position.quantity + fill.quantity;
  const weighted = position.averageEntryPrice * position.quantity + fill.price * fill.quantity;
  const opened = position.openedQuantity + fill.quantity;
  const openedWeighted =
    position.openedPrice * position.openedQuantity + fill.price * fill.quantity;
  return {
    ...position,
    quantity: quantity(together),
    averageEntryPrice: price(weighted / together),
    entryValue: addUsd(position.entryValue, fill.value),
    cumulativeEntryValue: addUsd(position.cumulativeEntryValue, fill.value),
    openedQuantity: clampQuantity(opened),
    openedPrice: price(openedWeighted / opened),
    fees: addUsd(position.fees, fill.fee),
  };
}

/**
 * The position after a reduction, to zero at most. The average entry price stays; the entry value falls in proportion.
 * @rule D5.neverFlips
 */
export function reducePosition(position: Position, fill: PositionFill): Position {
  const left = position.quantity - fill.quantity;
  const exited = position.exitQuantity + fill.quantity;
  const exitQuantity = clampQuantity(exited);
  const exitPriceQuantity = position.exitPriceQuantity + fill.price * fill.quantity;
  assert(left >= 0, `a reduction of ${fill.quantity} within the open ${position.quantity}`);
  return {
    ...position,
    quantity: quantity(left),
    entryValue: microUsd(Math.round((position.entryValue * left) / position.quantity)),
    realizedPnl: addUsd(position.realizedPnl, fill.realizedPnl),
    fees: addUsd(position.fees, fill.fee),
    // When the total quantity is capped, the sum is scaled with it, so that the average exit price stays right.
    exitPriceQuantity: exitPriceQuantity * (exitQuantity / exited),
    exitQuantity,
  };
}
