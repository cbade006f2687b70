import { assert } from "../assert.ts";
import type { PairId, PositionUuid } from "../ids.ts";
import type { Direction } from "../orders/order.ts";
import {
  addUsd,
  type MicroUsd,
  microUsd,
  type Price,
  price,
  type Quantity,
  quantity,
  type UnixMs,
} from "../units.ts";

/** What is open on one pair. It only ever has one direction: an opposite order reduces it. */
export interface Position {
  readonly uuid: PositionUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  /** Open now, a magnitude. */
  readonly quantity: Quantity;
  /** Weighted by quantity over the fills in its direction; a reduction leaves it alone. */
  readonly averageEntryPrice: Price;
  /** USD value at entry of what is open now; falls in proportion when the position is reduced. */
  readonly entryValue: MicroUsd;
  /** Σ value of every fill in its direction, never reduced. */
  readonly cumulativeEntryValue: MicroUsd;
  /** Σ quantity of every fill in its direction, never reduced. */
  readonly openedQuantity: Quantity;
  /** Of its reductions so far, fees not included. */
  readonly realizedPnl: MicroUsd;
  /** Of all its fills so far. */
  readonly fees: MicroUsd;
  /** Of its reductions so far: Σ price × quantity and Σ quantity, for the average exit price. */
  readonly exitPriceQuantity: number;
  readonly exitQuantity: Quantity;
  readonly openedAtMs: UnixMs;
}

/** What a fill does to a position: the part of `OrderFilled` that a position keeps. */
export interface PositionFill {
  readonly atMs: UnixMs;
  readonly positionUuid: PositionUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly value: MicroUsd;
  readonly fee: MicroUsd;
  readonly realizedPnl: MicroUsd;
}

/** A first fill makes the position; it keeps that fill's direction for life. */
export function openPosition(fill: PositionFill): Position {
  return {
    uuid: fill.positionUuid,
    pair: fill.pair,
    direction: fill.direction,
    quantity: fill.quantity,
    averageEntryPrice: fill.price,
    entryValue: fill.value,
    cumulativeEntryValue: fill.value,
    openedQuantity: fill.quantity,
    realizedPnl: microUsd(0),
    fees: fill.fee,
    exitPriceQuantity: 0,
    exitQuantity: quantity(0),
    openedAtMs: fill.atMs,
  };
}

/** More in the same direction: the entry price becomes the average, weighted by quantity. @rule D5.average */
export function addToPosition(position: Position, fill: PositionFill): Position {
  const together = position.quantity + fill.quantity;
  const weighted = position.averageEntryPrice * position.quantity + fill.price * fill.quantity;
  return {
    ...position,
    quantity: quantity(together),
    averageEntryPrice: price(weighted / together),
    entryValue: addUsd(position.entryValue, fill.value),
    cumulativeEntryValue: addUsd(position.cumulativeEntryValue, fill.value),
    openedQuantity: quantity(position.openedQuantity + fill.quantity),
    fees: addUsd(position.fees, fill.fee),
  };
}

/**
 * Less of it, down to nothing and never beyond: the average entry stays, the entry value falls in
 * proportion.
 * @rule D5.neverFlips
 */
export function reducePosition(position: Position, fill: PositionFill): Position {
  const left = position.quantity - fill.quantity;
  assert(left >= 0, `a reduction of ${fill.quantity} within the open ${position.quantity}`);
  return {
    ...position,
    quantity: quantity(left),
    entryValue: microUsd(Math.round((position.entryValue * left) / position.quantity)),
    realizedPnl: addUsd(position.realizedPnl, fill.realizedPnl),
    fees: addUsd(position.fees, fill.fee),
    exitPriceQuantity: position.exitPriceQuantity + fill.price * fill.quantity,
    exitQuantity: quantity(position.exitQuantity + fill.quantity),
  };
}
