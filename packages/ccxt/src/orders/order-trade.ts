import type { OneSize, OrderTrade, PositionItem, PositionType } from "@propgate/contract";
import { ask, CALLS } from "../calls.ts";
import { ccxtError, type Desk } from "../ccxt-module.ts";
import type { Levels, OrderAsk } from "./order-params.ts";

/** The `trade` of POST orders for a bot's order; may read the positions, to keep `reduceOnly`. */
export async function orderTrade(desk: Desk, symbol: string, order: OrderAsk): Promise<OrderTrade> {
  const { onPosition, trailing, reduceOnly } = order;
  const isLeg = Object.values(onPosition).some((level) => level !== undefined);
  if (isLeg || trailing !== undefined) return legTrade(desk, symbol, order);
  return reduceOnly ? reducingTrade(desk, symbol, order) : entryTrade(desk, symbol, order);
}

/** Orders that may open a position: market, limit, stop-limit, with legs attached. */
export function entryTrade(desk: Desk, symbol: string, order: OrderAsk): OrderTrade {
  const entry = {
    trade_pair: pairOf(desk, symbol),
    order_type: directionOf(order),
    ...sizeOf(desk, symbol, order),
    ...levels(order.attached),
    ...trailingOf(order),
  };
  const { price, triggerPrice } = order;
  if (order.type === "market") {
    if (triggerPrice === undefined) return { execution_type: "MARKET", ...entry };
    throw ccxtError(desk, "NotSupported", "a triggerPrice takes a limit order with a price");
  }
  if (price === undefined) throw ccxtError(desk, "InvalidOrder", "a limit order needs a price");
  if (triggerPrice === undefined) return { execution_type: "LIMIT", ...entry, limit_price: price };
  return {
    ...{ execution_type: "STOP_LIMIT", ...entry, limit_price: price },
    stop_price: triggerPrice,
    // A stop buys a rising price and sells a falling one, unless the bot says otherwise.
    stop_condition: order.triggerDirection ?? (order.side === "buy" ? "GTE" : "LTE"),
  };
}

/**
 * An order that must not open a position. FLAT closes a whole position and cannot open one; a limit
 * becomes a target on the position and ends with it; a part is sold against the position as just
 * read.
 */
async function reducingTrade(desk: Desk, symbol: string, order: OrderAsk): Promise<OrderTrade> {
  const invalid = (text: string): Error => ccxtError(desk, "InvalidOrder", `reduceOnly: ${text}`);
  const { type, price, triggerPrice, attached, otherSize } = order;
  if (triggerPrice !== undefined) throw invalid("give stopLossPrice or takeProfitPrice instead");
  if (attached.stopLoss !== undefined || attached.takeProfit !== undefined) {
    throw invalid("nothing can be attached to what closes");
  }
  if (otherSize !== undefined) throw invalid(`give amount instead of ${otherSize.field}`);
  if (type === "limit") {
    if (price === undefined) throw invalid("a limit order needs a price");
    const onPosition = { stopLoss: undefined, takeProfit: price };
    return legTrade(desk, symbol, { ...order, type: "market", onPosition });
  }
  const position = await positionToClose(desk, symbol, order);
  const trade_pair = position.tradePair;
  const held = position.netQuantity === null ? null : Math.abs(position.netQuantity);
  const isAll = order.amount === undefined || (held !== null && order.amount >= held);
  if (isAll) return { execution_type: "MARKET", trade_pair, order_type: "FLAT" };
  if (held === null) throw invalid("the size of the position is not known yet");
  const size = sizeOf(desk, symbol, order);
  return { execution_type: "MARKET", trade_pair, order_type: directionOf(order), ...size };
}

/** A stop, target or trailing stop on the position that the order would close. */
async function legTrade(desk: Desk, symbol: string, order: OrderAsk): Promise<OrderTrade> {
  const { type, attached, triggerPrice, otherSize } = order;
  const others = [attached.stopLoss, attached.takeProfit, triggerPrice];
  if (type !== "market" || others.some((one) => one !== undefined)) {
    throw ccxtError(
      desk,
      "NotSupported",
      "a stop or target on a position is a market order without another trigger: it closes at the market",
    );
  }
  if (otherSize !== undefined) {
    throw ccxtError(desk, "InvalidOrder", `a leg takes amount instead of ${otherSize.field}`);
  }
  const position = await positionToClose(desk, symbol, order);
  return {
    execution_type: "BRACKET",
    trade_pair: position.tradePair,
    ...levels(order.onPosition),
    ...trailingOf(order),
    ...(order.amount === undefined ? {} : sizeOf(desk, symbol, order)),
  };
}

interface TrailingFields {
  readonly trailing_stop?:
    | { readonly trailing_percent: number }
    | { readonly trailing_value: number };
}

export function trailingOf({ trailing }: Pick<OrderAsk, "trailing">): TrailingFields {
  if (trailing === undefined) return {};
  return "percent" in trailing
    ? { trailing_stop: { trailing_percent: trailing.percent } }
    : { trailing_stop: { trailing_value: trailing.value } };
}

/** The pair's position that an order of this side would close. */
async function positionToClose(
  desk: Desk,
  symbol: string,
  { side }: Pick<OrderAsk, "side">,
): Promise<PositionItem> {
  const pair = pairOf(desk, symbol);
  const positions = await ask(desk, CALLS.positions);
  const position = positions.find((one) => one.tradePair === pair);
  if (position === undefined) {
    throw ccxtError(desk, "InvalidOrder", `there is no open position in ${symbol} to close`);
  }
  if ((position.positionType === "LONG") === (side === "sell")) return position;
  const held = position.positionType;
  throw ccxtError(
    desk,
    "InvalidOrder",
    `'${side}' does not close the ${held} position in ${symbol}`,
  );
}

function sizeOf(desk: Desk, symbol: string, { amount, otherSize }: OrderAsk): OneSize {
  if (otherSize?.field === "leverage") return { leverage: otherSize.amount };
  if (otherSize?.field === "value") return { value: otherSize.amount };
  if (amount === undefined)
    throw ccxtError(desk, "ArgumentsRequired", "createOrder() needs amount");
  return { quantity: Number(desk.exchange.amountToPrecision(symbol, amount)) };
}

/** The fields of a stop and a target. */
export function levels(given: Levels): { stop_loss?: number; take_profit?: number } {
  return {
    ...(given.stopLoss === undefined ? {} : { stop_loss: given.stopLoss }),
    ...(given.takeProfit === undefined ? {} : { take_profit: given.takeProfit }),
  };
}

function directionOf({ side }: Pick<OrderAsk, "side">): PositionType {
  return side === "buy" ? "LONG" : "SHORT";
}

export function pairOf(desk: Desk, symbol: string): string {
  const { id } = desk.exchange.market(symbol);
  if (id !== undefined) return id;
  throw ccxtError(desk, "BadSymbol", `${symbol} has no pair`);
}
