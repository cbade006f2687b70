import { assert } from "../assert.ts";
import type { Instrument } from "../market/instrument.ts";
import { liveMarket, type Market } from "../market/live-market.ts";
import { usdRateAt } from "../market/valuation.ts";
import {
  fillPrice,
  fillsWhenTriggered,
  isMarketable,
  ownPrices,
  pendingPrice,
} from "../pending/entry-kinds.ts";
import { ok, type Result, refuse } from "../result.ts";
import { entryContent, type PlaceEntry } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import { type EntryOrder, KIND_PLACED } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import { clampQuantity, type Price, type Quantity } from "../units.ts";
import { type AddedAmount, amountsRefusal, legPrices, maxAddedAmount } from "./exact-amounts.ts";
import { fillOrder, type OrderToFill } from "./fill.ts";
import {
  cooldownRefusal,
  openPositionOf,
  opensOrAdds,
  pendingCountOf,
  permittedInstrument,
  tooManyPendingRefusal,
  transitionRefusal,
} from "./guards.ts";
import { type LegReference, legsRefusal } from "./leg-side.ts";
import { legSizesRefusal } from "./leg-size.ts";
import { entrySentPrices, priceStepRefusal } from "./price-steps.ts";
import { isDeepEqual } from "./same-order.ts";
import { sizeOnGrid, tooSmallRefusal } from "./sizing.ts";

/**
 * Places a LIMIT or STOP_LIMIT as a pending order, even when its price has been reached already: the next evaluation of
 * prices fills it. @rule S3.orders D5.stopLimit @rule D5.limit decides
 */
export function placeEntry(draft: Draft, command: PlaceEntry): Result<null, Refusal> {
  const { type, orderUuid: uuid } = command;
  const kept = { kind: KIND_PLACED[type], uuid, placedAtMs: draft.moment.now };
  const order: EntryOrder = entryContent(command, kept);
  const permitted = permittedInstrument(draft, order);
  if (!permitted.ok) return permitted;
  const refusal =
    cooldownRefusal(draft, order.pair) ??
    tooManyPendingRefusal(draft, pendingCountOf(order)) ??
    entryRefusal(draft, order, { instrument: permitted.value, before: null });
  if (refusal !== null) return refuse(refusal);
  draft.record({ type: "orderPlaced", order });
  return ok(null);
}

/**
 * Checks an entry on a permitted instrument: the transition of the account, the conversion rate, the entry's prices,
 * direction, size and legs, and, when the entry would fill now, the fill itself. `before` is the order that it
 * replaces; null for a new order. Null when the entry may be placed.
 */
export function entryRefusal(
  draft: Draft,
  order: EntryOrder,
  { instrument, before }: { readonly instrument: Instrument; readonly before: EntryOrder | null },
): Refusal | null {
  const kept = before === null ? [] : entrySentPrices(before);
  const offStep = priceStepRefusal(instrument, entrySentPrices(order), kept);
  if (offStep !== null) return offStep;
  const windingDown = transitionRefusal(draft.state, order);
  if (windingDown !== null) return windingDown;
  const { pair, size, legs, direction } = order;
  const price = pendingPrice(order, draft.moment);
  if (price === null) return { code: "noFreshQuote", pair };
  const usdRate = usdRateAt(instrument, price, draft.moment);
  if (usdRate === null) return { code: "noConversionRate", currency: instrument.quote };
  const misplaced = reducingRefusal(draft, order, before);
  if (misplaced !== null) return misplaced;
  const at = { instrument, price, usdRate };
  const sized = sizeOnGrid(draft, { ...at, size });
  if (!sized.ok) return sized.refusal;
  const now = fillPriceAndQuote(draft.moment, instrument, order);
  const adds = maxAddedAmount(draft, instrument, { size, price: now.entryPrice });
  // Leg sizes that were valid when the order was placed stay valid while the position shrinks.
  const isKept =
    before !== null && isDeepEqual(before.size, size) && isDeepEqual(before.legs, legs);
  const sizedLegs = isKept ? [] : legs;
  const prices = [...ownPrices(order), ...legPrices(legs, { direction, from: price })];
  return (
    legsRefusal(legs, { direction, ...now }) ??
    legSizesRefusal(draft, sizedLegs, {
      ...at,
      whole: quantityAfterFill(draft, order, sized.value),
    }) ??
    amountsRefusal(draft, instrument, { prices, adds }) ??
    minPositionRefusal(draft, order, { before, instrument, adds }) ??
    fillRefusal(draft, instrument, order)
  );
}

/**
 * The refusal of an order that would open or add but leave less than the minimum position, as for a market order. Null
 * for any other order. An edit that keeps the size is not checked again. @rule D12.restingLeast decides
 */
function minPositionRefusal(
  draft: Draft,
  { pair, direction, size }: EntryOrder,
  to: {
    readonly before: EntryOrder | null;
    readonly instrument: Instrument;
    readonly adds: AddedAmount | null;
  },
): Refusal | null {
  const { before, instrument, adds } = to;
  const position = openPositionOf(draft.state, pair);
  const reduces = position !== null && position.direction !== direction;
  if (adds === null || reduces || (before !== null && isDeepEqual(before.size, size))) return null;
  const usdRate = usdRateAt(instrument, adds.price, draft.moment);
  if (usdRate === null) return null;
  const left = clampQuantity((position?.quantity ?? 0) + adds.quantity);
  return tooSmallRefusal(draft, instrument, { price: adds.price, usdRate, quantity: left });
}

/**
 * For an order that would fill now, the refusal that its fill would get, for example because a cap leaves no room. Null
 * for any other order. @rule D13.marketable decides
 */
function fillRefusal(draft: Draft, instrument: Instrument, order: EntryOrder): Refusal | null {
  const market = fillsWhenTriggered(order)
    ? marketableMarket(draft.moment, instrument, order)
    : null;
  if (market === null) return null;
  const filled = fillOrder(draft.createTrial(), orderToFill(order, market));
  return filled.ok ? null : filled.refusal;
}

/**
 * Refuses a pending `reduceOnly` order that has no position to reduce. Refuses legs on a `reduceOnly` order, and on one
 * that would reduce, unless it is an edit that keeps direction and legs. `reduce` in `fill.ts` refuses legs of MARKET
 * orders. @rule D10.reduceOnly @rule D10.legsOfReducing decides
 */
function reducingRefusal(
  { state }: Draft,
  order: EntryOrder,
  before: EntryOrder | null,
): Refusal | null {
  const { legs, pair, reduceOnly } = order;
  const reduces = !opensOrAdds(order, state.positions);
  if (reduceOnly && !reduces) return { code: "nothingToReduce", pair };
  // An order that was placed to open keeps its legs when it is edited, even while it would reduce.
  const keepsLegs = before?.direction === order.direction && isDeepEqual(before.legs, legs);
  const mayHaveLegs = !reduceOnly && (!reduces || keepsLegs);
  return legs.length > 0 && !mayHaveLegs ? { code: "legsOnReducing", pair } : null;
}

/**
 * The price at which an entry fills, and the quote that its legs have to fit. A marketable order fills at the present
 * quote; any other entry fills at its own price, and the quote is null. @rule D10.firesAtOnce
 */
export function fillPriceAndQuote(
  moment: Moment,
  instrument: Instrument,
  order: EntryOrder,
): Pick<LegReference, "quote"> & { readonly entryPrice: Price } {
  const market = marketableMarket(moment, instrument, order);
  if (market !== null) return { entryPrice: fillPrice(order, market.quote), quote: market.quote };
  const entryPrice = pendingPrice(order, moment);
  assert(entryPrice !== null, "a price of an order that was not refused");
  return { entryPrice, quote: null };
}

/** The market in which the order would fill now; null when the order would not fill now. */
function marketableMarket(
  moment: Moment,
  instrument: Instrument,
  order: EntryOrder,
): Market | null {
  const live = liveMarket(moment, instrument);
  return live.ok && isMarketable(order, live.value.quote) ? live.value : null;
}

/** The quantity of the position after the order has filled. */
function quantityAfterFill({ state }: Draft, order: EntryOrder, filled: Quantity): Quantity {
  return clampQuantity((openPositionOf(state, order.pair)?.quantity ?? 0) + filled);
}

/**
 * Fills a triggered order. When it cannot be filled, it ends as rejected, and the event has the reason. @rule D5.limit
 * @rule D10.rejected decides
 */
export function fillPending(draft: Draft, order: EntryOrder, market: Market): void {
  const filled = fillOrder(draft, orderToFill(order, market));
  if (filled.ok) return;
  draft.record({ type: "orderRejected", orderUuid: order.uuid, refusal: filled.refusal });
}

function orderToFill(order: EntryOrder, market: Market): OrderToFill {
  const { uuid: orderUuid, direction, size, legs, reduceOnly } = order;
  return {
    orderUuid,
    direction,
    size,
    legs,
    reduceOnly,
    market,
    kind: "limit",
    price: fillPrice(order, market.quote),
  };
}
