/** Reduces or closes a position, for every kind of order. */

import { assert } from "../assert.ts";
import { type OrderUuid, orderUuid, type PositionUuid } from "../ids.ts";
import { feeOf } from "../market/fees.ts";
import type { Instrument } from "../market/instrument.ts";
import type { Market } from "../market/live-market.ts";
import { markOf } from "../market/mark.ts";
import { slippageOf, slippedPrice } from "../market/slippage.ts";
import { notionalUsd } from "../market/valuation.ts";
import { staleRateOf } from "../market/valuation-instruments.ts";
import { entryReaction } from "../pending/entry-kinds.ts";
import type { Draft } from "../state/draft.ts";
import type { FillKind, OrderFilled } from "../state/event.ts";
import type { BracketLeg, Direction } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import { leverageOf, microUsd, type Price, type Quantity, type Ratio } from "../units.ts";
import { createTrade } from "./closed-trade.ts";
import { realizedPnl } from "./realized-pnl.ts";

/** The reduction or closing of a position by an order or by the network. */
export interface Exit {
  readonly orderUuid: OrderUuid;
  readonly kind: FillKind;
  readonly position: Position;
  readonly instrument: Instrument;
  /** USD for one unit of the quote currency at `price`. */
  readonly usdRate: number;
  /** The quantity to close, without a sign. Quantity beyond the open position is dropped. @rule D5.neverFlips */
  readonly quantity: Quantity;
  /** The execution price, slippage included. */
  readonly price: Price;
  readonly slippage: Ratio;
  /** True when the quantity includes a remainder below the minimum position. */
  readonly tookRestAlong?: boolean;
  /** True when the order had legs; an exit attaches none. */
  readonly legsDropped?: boolean;
  /** The difference between the fill and the order's size; absent for an exit without a size. */
  readonly difference?: Pick<OrderFilled, "shortfall" | "excess">;
  /** True for a market order that could only reduce. */
  readonly reduceOnly?: boolean;
  /** True when no fee is charged. */
  readonly isFree?: boolean;
}

/**
 * Reduces or closes a position: records the fill. When the fill closes the position, it also records the trade, and
 * cancels the orders that could only have reduced the position, such as its legs. @rule D5.legsFollow
 */
export function exitPosition(draft: Draft, exit: Exit): void {
  const { position, instrument, price, usdRate } = exit;
  const closes = exit.quantity >= position.quantity;
  const sold = closes ? position.quantity : exit.quantity;
  const holding = { quantity: sold, price, usdRate };
  const value = notionalUsd(instrument, holding);
  const legs = legsOfPosition(draft, position);
  const staleRate = staleRateOf(instrument, draft.moment);
  draft.record({
    type: "orderFilled",
    orderUuid: exit.orderUuid,
    positionUuid: position.uuid,
    kind: exit.kind,
    pair: position.pair,
    direction: oppositeDirection(position.direction),
    effect: closes ? "close" : "reduce",
    price,
    slippage: exit.slippage,
    quantity: sold,
    value,
    leverage: leverageOf(value, draft.balance),
    fee: exit.isFree === true ? microUsd(0) : feeOf(instrument, value),
    realizedPnl: realizedPnl(position, instrument, holding),
    bindingCap: null,
    usdRate,
    ...(staleRate === null ? {} : { rateAgeMs: staleRate.ageMs }),
    ...(exit.tookRestAlong === true ? { tookRestAlong: true } : {}),
    ...exit.difference,
    ...(exit.reduceOnly === true ? { reduceOnly: true } : {}),
    ...(exit.legsDropped === true ? { legsDropped: true } : {}),
  });
  if (closes) endPosition(draft, { exit, legs });
}

/** Closes the whole position at the market, slippage included. @rule D5.flat */
export function exitAtMarket(
  draft: Draft,
  exit: Pick<Exit, "orderUuid" | "kind" | "position"> & { readonly market: Market },
): void {
  const { position, orderUuid, kind } = exit;
  const { instrument, quote, usdRateAt } = exit.market;
  const quoted = markOf(position.direction, quote);
  const { quantity } = position;
  const value = notionalUsd(instrument, { quantity, price: quoted, usdRate: usdRateAt(quoted) });
  const slippage = slippageOf(instrument, value);
  const price = slippedPrice(quoted, oppositeDirection(position.direction), slippage);
  const usdRate = usdRateAt(price);
  exitPosition(draft, {
    orderUuid,
    kind,
    position,
    instrument,
    usdRate,
    quantity,
    price,
    slippage,
  });
}

function endPosition(
  draft: Draft,
  closing: { readonly exit: Exit; readonly legs: readonly BracketLeg[] },
): void {
  const { exit, legs } = closing;
  const emptied = draft.state.positions.find((one) => one.uuid === exit.position.uuid);
  assert(emptied !== undefined, "a position with zero quantity after its last fill");
  draft.record({
    type: "positionClosed",
    trade: createTrade({
      position: emptied,
      legs,
      accountSize: draft.state.terms.size,
      atMs: draft.moment.now,
      status: exit.kind === "elimination" ? "liquidated" : "closed",
    }),
  });
  endExits(draft, { exit, legs });
}

/**
 * Handles the pending orders that could have reduced a position which is now closed. Legs and `reduceOnly` orders are
 * cancelled. Any other order in the opposite direction stays pending; one that the present quote would fill waits for
 * the next quote.
 * @rule D10.reduceOnly @rule D10.exitHeld decides
 */
function endExits(
  draft: Draft,
  { exit, legs }: { readonly exit: Exit; readonly legs: readonly BracketLeg[] },
): void {
  const { pair, direction } = exit.position;
  const opposite = draft.state.orders
    .filter((order) => order.kind !== "bracket")
    .filter((order) => order.pair === pair && order.direction !== direction);
  const ended = [...legs, ...opposite.filter(({ reduceOnly }) => reduceOnly)];
  for (const { uuid: orderUuid } of ended.filter(({ uuid }) => uuid !== exit.orderUuid)) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "positionClosed", detail: null });
  }
  const quote = draft.moment.quotes.get(pair);
  if (quote === undefined) return;
  const { bid, ask, atMs } = quote;
  for (const order of opposite.filter(({ reduceOnly }) => !reduceOnly)) {
    if (entryReaction(order, quote) === null) continue;
    draft.record({ type: "orderHeld", orderUuid: order.uuid, quote: { bid, ask, atMs } });
  }
}

function legsOfPosition(draft: Draft, position: Position): readonly BracketLeg[] {
  return draft.state.orders
    .filter((order) => order.kind === "bracket")
    .filter((leg) => leg.positionUuid === position.uuid);
}

/** The direction of an order that closes a position of this direction. */
function oppositeDirection(direction: Direction): Direction {
  return direction === "long" ? "short" : "long";
}

/**
 * The id of the order that closes a position. A position is closed once, so the position's id makes the order's id
 * unique.
 */
export function exitUuid(position: PositionUuid, kind: FillKind): OrderUuid {
  return orderUuid(`${position}-${kind}`);
}
