import { assert } from "../assert.ts";
import { orderUuid } from "../ids.ts";
import { clampPrice, levelAfterSplit, type Split } from "../market/corporate-action.ts";
import { withOwnPrices } from "../pending/entry-kinds.ts";
import type { Draft } from "../state/draft.ts";
import type { SplitPosition } from "../state/event.ts";
import { roundResidual } from "../state/ladder.ts";
import type { LegRequest, PendingOrder, TrailingDistance } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { LegSize, Size } from "../state/requested-size.ts";
import {
  clampQuantity,
  lots,
  type Price,
  price,
  QUANTITY_MAX,
  type Quantity,
  quantity,
  ratio,
  roundToTwelveDigits,
} from "../units.ts";
import { lastPrice } from "./end-trading.ts";
import { exitPosition } from "./exit.ts";

/**
 * Carries out a split on the position and on the pending orders from before the time of the split. Orders placed or
 * edited since are cancelled. A part of the position may be paid out first, at the mark and without a fee: the part
 * that the ratio does not divide into whole steps of 0.00001 shares, and the part that would exceed the largest exact
 * quantity. The remainder then splits exactly, and equity stays the same. @rule D11.split decides
 */
export function carryOutSplit(draft: Draft, split: Split): void {
  const { id: actionId, pair, atMs: dueMs, newShares, oldShares } = split;
  cancelOrdersSinceSplit(draft, split);
  const position = positionBeforeSplit(draft, split);
  if (position !== null) payCashInLieu(draft, split, position);
  const left = positionBeforeSplit(draft, split);
  const orders = draft.state.orders
    .filter((order) => order.pair === pair)
    .map((order) => splitOrder(order, split));
  draft.record({
    type: "sharesSplit",
    actionId,
    pair,
    dueMs,
    newShares,
    oldShares,
    position: left === null ? null : splitPosition(left, split),
    orders,
  });
}

/**
 * Cancels the pair's orders that were placed or edited since the split's moment: the service cannot know in which scale
 * their owner meant them. @rule D13.sinceTheMoment decides
 */
function cancelOrdersSinceSplit(draft: Draft, { pair, atMs }: Split): void {
  for (const order of draft.state.orders) {
    if (order.pair !== pair || (order.editedAtMs ?? order.placedAtMs) < atMs) continue;
    draft.record({
      type: "orderCancelled",
      orderUuid: order.uuid,
      reason: "corporateAction",
      detail: null,
    });
  }
}

function positionBeforeSplit({ state }: Draft, { pair, atMs }: Split): Position | null {
  return state.positions.find((held) => held.pair === pair && held.openedAtMs < atMs) ?? null;
}

/**
 * Closes the part of the position that does not split into whole steps of 0.00001 shares or would exceed the largest
 * exact quantity, at the last price and without a fee. @rule D11.cashInLieu decides
 */
function payCashInLieu(draft: Draft, split: Split, position: Position): void {
  const instrument = draft.moment.instruments.get(split.pair);
  assert(instrument !== undefined, `a catalogue with ${split.pair}`);
  const kept = splittableQuantity(position.quantity, split);
  if (kept === position.quantity) return;
  exitPosition(draft, {
    orderUuid: orderUuid(`${position.uuid}-cashInLieu-${split.id}`),
    kind: "cashInLieu",
    position,
    quantity: quantity(position.quantity - kept),
    ...lastPrice(draft, position, instrument),
    instrument,
    slippage: ratio(0),
    isFree: true,
  });
}

/** The largest part of a quantity that splits into an exact quantity of whole 0.00001 shares. */
function splittableQuantity(old: Quantity, split: Split): Quantity {
  const divisor = greatestCommonDivisor(split);
  const [newPart, oldPart] = [split.newShares / divisor, split.oldShares / divisor];
  const parts = Math.min((old - (old % oldPart)) / oldPart, Math.floor(QUANTITY_MAX / newPart));
  return quantity(parts * oldPart);
}

function greatestCommonDivisor({ newShares, oldShares }: Split): number {
  let [one, other] = [newShares, oldShares];
  while (other !== 0) [one, other] = [other, one % other];
  return one;
}

/** The position after the split. Prices and the average exit price follow the ratio; the exited quantity is rounded. */
function splitPosition(position: Position, split: Split): SplitPosition {
  const { newShares, oldShares } = split;
  const open = splitQuantityExactly(position.quantity, split);
  const exitQuantity = splitQuantityRounded(position.exitQuantity, split);
  const perUnit =
    position.exitQuantity === 0 ? 0 : position.exitPriceQuantity / position.exitQuantity;
  return {
    uuid: position.uuid,
    quantity: open,
    averageEntryPrice: clampPrice((position.averageEntryPrice * oldShares) / newShares),
    openedQuantity: clampQuantity(open + exitQuantity),
    openedPrice: clampPrice((position.openedPrice * oldShares) / newShares),
    exitQuantity,
    exitPriceQuantity: ((perUnit * oldShares) / newShares) * exitQuantity,
  };
}

/**
 * The order after the split. Prices and sizes in lots follow the ratio; a value, a leverage and a share of the position
 * do not change. @rule D11.split
 */
export function splitOrder(order: PendingOrder, split: Split): PendingOrder {
  if (order.kind === "bracket") {
    const { bestPrice, shareOf, residual } = order;
    return {
      ...order,
      ...splitLeg(order, split),
      bestPrice: splitLevelOrNull(bestPrice, split),
      shareOf: splitQuantityRounded(shareOf, split),
      ...(residual === undefined
        ? {}
        : { residual: roundResidual((residual * split.newShares) / split.oldShares) }),
    };
  }
  return {
    ...withOwnPrices(order, (level) => splitLevel(level, split)),
    size: splitSize(order.size, split),
    legs: order.legs.map((leg) => splitLeg(leg, split)),
  };
}

function splitLeg(leg: LegRequest, split: Split): LegRequest {
  return {
    stopLoss: splitLevelOrNull(leg.stopLoss, split),
    takeProfit: splitLevelOrNull(leg.takeProfit, split),
    trailing: splitTrailing(leg.trailing, split),
    size: leg.size === null ? null : splitSize(leg.size, split),
  };
}

function splitTrailing(trailing: TrailingDistance | null, split: Split): TrailingDistance | null {
  return trailing?.kind === "value"
    ? { kind: "value", value: levelAfterSplit(split, trailing.value) }
    : trailing;
}

function splitSize<Kind extends Size | LegSize>(size: Kind, split: Split): Kind {
  if (size.kind !== "quantity") return size;
  const { newShares, oldShares } = split;
  const sized = Math.min((size.lots * newShares) / oldShares, lots(QUANTITY_MAX));
  return { ...size, lots: roundToTwelveDigits(sized) };
}

function splitLevel(level: Price, split: Split): Price {
  return price(levelAfterSplit(split, level));
}

function splitLevelOrNull(level: Price | null, split: Split): Price | null {
  return level === null ? null : splitLevel(level, split);
}

function splitQuantityRounded(size: Quantity, { newShares, oldShares }: Split): Quantity {
  return clampQuantity(Math.round((size * newShares) / oldShares));
}

function splitQuantityExactly(size: Quantity, split: Split): Quantity {
  const divisor = greatestCommonDivisor(split);
  return quantity((size / (split.oldShares / divisor)) * (split.newShares / divisor));
}
