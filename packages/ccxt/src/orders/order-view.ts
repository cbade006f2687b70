import type { OrderRecordItem, OrderResult, PendingOrder } from "@propgate/contract";
import type { Dict, Order } from "ccxt";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import { SETTLE_CURRENCY } from "../markets.ts";

/** Facts about a placed order that its result does not have. */
export interface PlacementFacts {
  readonly clientOrderId: string | undefined;
  /** The requested contracts; undefined when the order's size is not in contracts. */
  readonly amount: number | undefined;
  /** The bot's side. The direction of a closing order in the result may differ from it. */
  readonly side: "buy" | "sell" | undefined;
  readonly reduceOnly: boolean;
}

const LEG = "BRACKET";

/** The result of an order as ccxt's order. Throws BadResponse for a result without an order. */
export function placedOrder(
  desk: ExchangeContext,
  result: OrderResult,
  placed: PlacementFacts,
): Order {
  const { exchange } = desk;
  const record = result.order;
  if (record === null) throw ccxtError(desk, "BadResponse", `no order: ${result.message}`);
  const market = exchange.safeMarket(record.tradePair);
  const isLeg = record.executionType === LEG;
  const order: Dict = {
    info: result,
    id: isLeg ? result.order_uuid : record.orderUuid,
    clientOrderId: placed.clientOrderId,
    timestamp: record.processedMs,
    symbol: exchange.safeString(market, "symbol"),
    type: record.executionType === "MARKET" || isLeg ? "market" : "limit",
    side: placed.side ?? sideOf(record.orderType, isLeg),
    price: nullToUndefined(record.limitPrice),
    ...(record.filled ? filledFigures(record, placed) : restingFigures(record, placed)),
    triggerPrice: nullToUndefined(record.stopPrice),
    stopLossPrice: nullToUndefined(record.stopLoss),
    takeProfitPrice: nullToUndefined(record.takeProfit),
    postOnly: false,
    reduceOnly: record.reduceOnly || placed.reduceOnly || record.orderType === "FLAT",
  };
  return exchange.safeOrder(order, market);
}

/**
 * The figures of a filled order. The fill may be smaller than the requested size, for example because of a cap; the
 * rest is `remaining`, although it does not stay pending.
 */
function filledFigures(record: OrderRecordItem, placed: PlacementFacts): Dict {
  const filled = nullToUndefined(record.quantity);
  const requested =
    filled === undefined ? undefined : sumSizes(filled, record.shortfall?.quantity ?? 0);
  const amount = placed.amount ?? requested;
  return {
    amount,
    filled,
    remaining:
      amount === undefined || filled === undefined ? undefined : unfilledAmount(amount, filled),
    average: nullToUndefined(record.price),
    timeInForce: "IOC",
    status: "closed",
    lastTradeTimestamp: record.processedMs,
    ...(record.fee === null ? {} : { fee: { currency: SETTLE_CURRENCY, cost: record.fee } }),
  };
}

function restingFigures(record: OrderRecordItem, placed: PlacementFacts): Dict {
  const amount = placed.amount ?? nullToUndefined(record.quantity);
  return { amount, filled: 0, remaining: amount, cost: 0, timeInForce: "GTC", status: "open" };
}

/** Undefined for null: an unknown or unused value is null on the wire and undefined in ccxt. */
function nullToUndefined<Value>(value: Value | null): Value | undefined {
  return value ?? undefined;
}

/** A pending order or leg as ccxt's open order. Its amount is undefined unless its size is a quantity. */
export function restingOrder({ exchange }: ExchangeContext, item: PendingOrder): Order {
  const market = exchange.safeMarket(item.tradePair);
  const isLeg = item.executionType === LEG;
  const order: Dict = {
    info: item,
    id: item.orderUuid,
    clientOrderId: undefined,
    timestamp: item.processedMs,
    symbol: exchange.safeString(market, "symbol"),
    type: isLeg ? "market" : "limit",
    side: sideOf(item.orderType, isLeg),
    amount: nullToUndefined(item.quantity),
    price: nullToUndefined(item.limitPrice),
    filled: 0,
    cost: 0,
    remaining: nullToUndefined(item.quantity),
    triggerPrice: nullToUndefined(item.stopPrice),
    stopLossPrice: nullToUndefined(item.stopLoss),
    takeProfitPrice: nullToUndefined(item.takeProfit),
    timeInForce: "GTC",
    postOnly: false,
    reduceOnly: item.reduceOnly,
    status: "open",
  };
  return exchange.safeOrder(order, market);
}

/**
 * The side of an order. A leg closes its position, so its side is opposite to its direction. The side of FLAT is
 * undefined.
 */
function sideOf(direction: "LONG" | "SHORT" | "FLAT", isLeg: boolean): "buy" | "sell" | undefined {
  if (direction === "FLAT") return undefined;
  return (direction === "LONG") === isLeg ? "sell" : "buy";
}

/**
 * The amount that was left unfilled, for example because of a cap. Binary noise is rounded away, because sizes on the
 * grid differ by at least 0.00001 lots.
 */
export function unfilledAmount(sent: number, filled: number): number {
  return Math.max(0, sumSizes(sent, -filled));
}

/** The sum of two sizes without binary noise. */
export function sumSizes(one: number, other: number): number {
  const places = 8;
  return Number((one + other).toFixed(places));
}
