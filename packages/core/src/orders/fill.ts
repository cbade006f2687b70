/**
 * Fills an order. An order against the open position only reduces it; any other order opens a position or adds to it,
 * within the caps.
 */

import { assert } from "../assert.ts";
import { type OrderUuid, positionUuid } from "../ids.ts";
import { feeOf } from "../market/fees.ts";
import type { Market } from "../market/live-market.ts";
import { slippageOf, slippedPrice } from "../market/slippage.ts";
import { notionalUsd, type PricedQuantity } from "../market/valuation.ts";
import { attachLegs } from "../positions/attach-legs.ts";
import { exitPosition } from "../positions/exit.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Draft } from "../state/draft.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Size } from "../state/requested-size.ts";
import {
  leverageOf,
  microUsd,
  type Price,
  type Quantity,
  quantity,
  type Ratio,
  ratio,
} from "../units.ts";
import { amountsRefusal, legPrices } from "./exact-amounts.ts";
import { differenceOf } from "./fill-difference.ts";
import { openPositionOf, pairRefusal, transitionRefusal } from "./guards.ts";
import { legsRefusal } from "./leg-side.ts";
import { legSizesRefusal } from "./leg-size.ts";
import {
  type CappedQuantity,
  lotsBeforeGrid,
  reductionOf,
  type SizeRequest,
  sizeToReduce,
  sizeWithinCaps,
  tooSmallRefusal,
} from "./sizing.ts";

/** An order that fills now: a market order, or a pending entry that was triggered. */
export interface OrderToFill {
  readonly orderUuid: OrderUuid;
  /** How the order fills: `limit` for every pending entry. Only a market order slips. */
  readonly kind: "market" | "limit";
  readonly market: Market;
  readonly direction: Direction;
  readonly size: Size;
  readonly legs: readonly LegRequest[];
  /** When true, the order is refused if it would open or add. @rule D10.reduceOnly D12.marketReduces */
  readonly reduceOnly: boolean;
  /** The fill price before slippage. */
  readonly price: Price;
}

/**
 * Fills the order and attaches its legs, or refuses both, so an order that opens or adds never fills without its legs.
 * A pending order that reduces drops its legs. @rule D5.market
 */
export function fillOrder(draft: Draft, entry: OrderToFill): Result<null, Refusal> {
  const position = openPositionOf(draft.state, entry.market.instrument.id);
  return position !== null && position.direction !== entry.direction
    ? reduce(draft, entry, position)
    : openOrAdd(draft, entry, position);
}

function openOrAdd(
  draft: Draft,
  entry: OrderToFill,
  position: Position | null,
): Result<null, Refusal> {
  const { direction } = entry;
  const { instrument, staleRate } = entry.market;
  const barred =
    pairRefusal(draft.state.terms, instrument) ??
    transitionRefusal(draft.state, { pair: instrument.id, direction });
  if (barred !== null) return refuse(barred);
  // This function opens or adds, which a `reduceOnly` order may not. Such an order has no position to reduce here.
  // @rule D10.reduceOnly D12.marketReduces decides
  if (entry.reduceOnly) return refuse({ code: "nothingToReduce", pair: instrument.id });
  // At a stale rate to USD an order that would open or add is refused; a pending order waits until the rate is fresh.
  // @rule D12.staleRate decides
  if (staleRate !== null) return refuse({ code: "noFreshQuote", pair: staleRate.pair });
  const sizeAt = (price: Price): Result<CappedQuantity, Refusal> =>
    sizeWithinCaps(draft, sizeRequestAt(entry, price), direction);
  const quoted = sizeAt(entry.price);
  if (!quoted.ok) return quoted;
  const { price, slippage } = executionPrice(entry, quoted.value.quantity);
  // The size is computed again at the execution price, so that the caps hold for the fill itself.
  const sized = sizeAt(price);
  if (!sized.ok) return sized;
  const left = quantity((position?.quantity ?? 0) + sized.value.quantity);
  const refusal =
    tooSmallRefusal(draft, entry.market.instrument, holdingAt(entry, price, left)) ??
    legsRefusal(entry.legs, { direction, entryPrice: price, quote: entry.market.quote }) ??
    // A pending order's leg sizes and prices were checked when it was placed.
    (entry.kind === "market"
      ? (legSizesRefusal(draft, entry.legs, { ...sizeRequestAt(entry, price), whole: left }) ??
        amountsRefusal(draft, entry.market.instrument, {
          prices: legPrices(entry.legs, { direction, from: price }),
          adds: { price, quantity: sized.value.quantity },
        }))
      : null);
  if (refusal !== null) return refuse(refusal);
  recordEntry(draft, { entry, position, price, slippage, ...sized.value });
  const filled = openPositionOf(draft.state, entry.market.instrument.id);
  assert(filled !== null, "a position after its fill");
  const { orderUuid: parent, legs, market } = entry;
  attachLegs(draft, { parent, legs, position: filled, quote: market.quote });
  return ok(null);
}

/**
 * Reduces the position, at most to zero. A market order with legs is refused, and so is an order whose size rounds to
 * zero. A pending order fills and drops its legs: it was placed to open. @rule D10.legsOfReducing D12.marketReduces
 * @rule D5.neverFlips decides
 */
function reduce(draft: Draft, entry: OrderToFill, position: Position): Result<null, Refusal> {
  const hasLegs = entry.legs.length > 0;
  if (hasLegs && entry.kind === "market") {
    return refuse({ code: "legsOnReducing", pair: position.pair });
  }
  const { quantity: open } = position;
  const sizeAt = (price: Price): Result<Quantity, Refusal> =>
    sizeToReduce(draft, sizeRequestAt(entry, price), open);
  const quoted = sizeAt(entry.price);
  if (!quoted.ok) return quoted;
  const { price, slippage } = executionPrice(entry, quantity(Math.min(quoted.value, open)));
  const sized = sizeAt(price);
  if (!sized.ok) return sized;
  const { orderUuid, kind } = entry;
  const request = sizeRequestAt(entry, price);
  const { instrument, usdRate } = request;
  const at = { instrument, usdRate, price };
  // Caps do not apply to an order that reduces. @rule D5.caps
  const reduction = reductionOf(draft, at, { open, requested: sized.value });
  const difference = differenceOf(reduction.quantity, {
    lots: lotsBeforeGrid(draft, request),
    by: entry.size.kind,
    cut: sized.value > open ? (entry.reduceOnly ? "nothingLeft" : "neverFlips") : null,
    tookRestAlong: reduction.tookRestAlong,
  });
  exitPosition(draft, {
    orderUuid,
    kind,
    position,
    slippage,
    ...at,
    ...reduction,
    difference,
    legsDropped: hasLegs,
    reduceOnly: kind === "market" && entry.reduceOnly,
  });
  return ok(null);
}

interface Execution {
  readonly price: Price;
  readonly slippage: Ratio;
}

function executionPrice(entry: OrderToFill, estimate: Quantity): Execution {
  if (entry.kind === "limit") return { price: entry.price, slippage: ratio(0) };
  const { instrument } = entry.market;
  const value = notionalUsd(instrument, holdingAt(entry, entry.price, estimate));
  const slippage = slippageOf(instrument, value);
  return { price: slippedPrice(entry.price, entry.direction, slippage), slippage };
}

function sizeRequestAt({ size, market }: OrderToFill, price: Price): SizeRequest {
  return { size, instrument: market.instrument, price, usdRate: market.usdRateAt(price) };
}

function holdingAt({ market }: OrderToFill, price: Price, held: Quantity): PricedQuantity {
  return { quantity: held, price, usdRate: market.usdRateAt(price) };
}

function recordEntry(
  draft: Draft,
  fill: Execution &
    CappedQuantity & { readonly entry: OrderToFill; readonly position: Position | null },
): void {
  const { entry, position, price, slippage } = fill;
  const { instrument } = entry.market;
  const holding = holdingAt(entry, price, fill.quantity);
  const value = notionalUsd(instrument, holding);
  draft.record({
    type: "orderFilled",
    orderUuid: entry.orderUuid,
    positionUuid: position?.uuid ?? positionUuid(entry.orderUuid),
    kind: entry.kind,
    pair: instrument.id,
    direction: entry.direction,
    effect: position === null ? "open" : "add",
    price,
    slippage,
    quantity: fill.quantity,
    value,
    leverage: leverageOf(value, draft.balance),
    fee: feeOf(instrument, value),
    realizedPnl: microUsd(0),
    bindingCap: fill.bindingCap,
    usdRate: holding.usdRate,
    ...differenceOf(fill.quantity, {
      lots: lotsBeforeGrid(draft, sizeRequestAt(entry, price)),
      by: entry.size.kind,
      cut: fill.bindingCap === null ? null : "cap",
      tookRestAlong: false,
    }),
  });
}
