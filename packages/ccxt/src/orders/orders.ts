import { LIMITS, type OrderTrade, type SwitchResult } from "@propgate/contract";
import type { Order, Position } from "ccxt";
import { fetchPositions } from "../account-reads.ts";
import { API_CALLS, callApi } from "../calls.ts";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import type { ClientOrderIds } from "./client-order-ids.ts";
import { type OrderArguments, pairOf, parseArguments } from "./order-params.ts";
import { orderTrade } from "./order-trade.ts";
import { placedOrder, restingOrder } from "./order-view.ts";
import { fetchOrders, readPastOrder } from "./past-orders.ts";
import { orderNonce, place, readReceipt, receiptError } from "./place.ts";
import type { ListArguments } from "./since.ts";

/** Places one order. When no answer comes, the receipt of its nonce decides its fate. */
export async function createOrder(
  desk: ExchangeContext,
  given: OrderArguments,
  clientOrderIds: ClientOrderIds,
): Promise<Order> {
  await desk.exchange.loadMarkets();
  const parsed = parseArguments(desk, given);
  const trade = await orderTrade(desk, given, parsed);
  const id = orderNonce(parsed.clientOrderId);
  const result = await place(desk, trade, id);
  const order = placedOrder(desk, result, {
    clientOrderId: id.nonce,
    amount: "quantity" in trade ? trade.quantity : undefined,
    side: parsed.side,
    reduceOnly: parsed.fields.reduce_only ?? false,
  });
  clientOrderIds.remember(order);
  return order;
}

/** The pending orders and legs. */
export async function fetchOpenOrders(
  desk: ExchangeContext,
  since: ListArguments,
): Promise<Order[]> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const market = since.symbol === undefined ? undefined : exchange.market(since.symbol);
  const orders = (await callApi(desk, API_CALLS.orders)).map((one) => restingOrder(desk, one));
  const sorted = orders.toSorted((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0));
  return exchange.filterBySymbolSinceLimit(sorted, market?.symbol, since.sinceMs, since.limit);
}

/**
 * An order or leg of any status. With `clientOrderId` it is found by its receipt. Throws OrderNotFound for an unknown
 * order.
 */
export async function fetchOrder(
  desk: ExchangeContext,
  id: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Order> {
  const { clientOrderId } = params;
  if (typeof clientOrderId === "string") return orderByNonce(desk, clientOrderId);
  return readPastOrder(desk, id);
}

async function orderByNonce(desk: ExchangeContext, nonce: string): Promise<Order> {
  await desk.exchange.loadMarkets();
  const receipt = await readReceipt(desk, nonce);
  if (receipt.fate === "rejected" || receipt.fate === "withdrawn")
    throw receiptError(desk, receipt);
  // A newer service may send a fate that is unknown here. An unknown fate does not prove that there is no order.
  if (receipt.fate !== "accepted" && receipt.fate !== "unseen") {
    const why = receipt.error ?? "call again";
    throw ccxtError(desk, "RequestTimeout", `the order ${nonce} is not decided yet: ${why}`);
  }
  if (receipt.result?.order == null) {
    throw ccxtError(desk, "OrderNotFound", `there is no order with the clientOrderId ${nonce}`);
  }
  const placed = { clientOrderId: nonce, amount: undefined, side: undefined, reduceOnly: false };
  const order = placedOrder(desk, receipt.result, placed);
  if (order.status !== "open") return order;
  return { ...(await readPastOrder(desk, order.id ?? "")), clientOrderId: nonce };
}

/**
 * Cancels the orders with these ids in one request. Orders that are no longer pending are skipped; the call fails when
 * none is pending. @rule D10.lists
 */
export async function cancelOrders(
  desk: ExchangeContext,
  ids: readonly string[],
): Promise<Order[]> {
  await desk.exchange.loadMarkets();
  return await cancel(desk, { execution_type: "LIMIT_CANCEL", order_uuid: ids.join(",") });
}

/**
 * Cancels all pending orders of a pair, or of every pair without a symbol. Stops and targets of positions are among
 * them.
 */
export async function cancelAllOrders(
  desk: ExchangeContext,
  symbol: string | undefined,
): Promise<Order[]> {
  await desk.exchange.loadMarkets();
  const pair = symbol === undefined ? {} : { trade_pair: pairOf(desk, symbol) };
  return await cancel(desk, { execution_type: "LIMIT_CANCEL", order_uuid: "ALL", ...pair });
}

/**
 * The dead man's switch: unless this function is called again within the given time, all orders are cancelled, and with
 * `params.action: 'flatten'` all positions are closed too. A time of 0 ends the switch. The time is rounded up to whole
 * seconds.
 */
export async function cancelAllOrdersAfter(
  desk: ExchangeContext,
  timeoutMs: number | undefined,
  params: Readonly<Record<string, unknown>>,
): Promise<SwitchResult> {
  if (timeoutMs === undefined || !(timeoutMs >= 0)) {
    throw ccxtError(desk, "ArgumentsRequired", "timeout must be a number of milliseconds, or 0");
  }
  const seconds = Math.ceil(timeoutMs / MS_PER_SECOND);
  return await callApi(desk, API_CALLS.cancelAllAfter, { params: { ...params, seconds } });
}

const MS_PER_SECOND = 1_000;

/**
 * Cancels orders and returns them. When the cancelled orders cannot be read, each has only its id and status, because
 * the cancellation has succeeded.
 */
async function cancel(desk: ExchangeContext, trade: OrderTrade): Promise<Order[]> {
  const result = await place(desk, trade, orderNonce(undefined));
  const ids = result.order_uuid.split(",").filter((id) => id !== "");
  const read = await readCancelled(desk, ids).catch(() => []);
  const orders = new Map(read.map((order) => [order.id, order]));
  return ids.map(
    (id) => orders.get(id) ?? desk.exchange.safeOrder({ info: result, id, status: "canceled" }),
  );
}

/**
 * Reads the cancelled orders with at most one request. When there are several, only those among the newest orders are
 * found.
 */
async function readCancelled(
  desk: ExchangeContext,
  ids: readonly string[],
): Promise<readonly Order[]> {
  const [id] = ids;
  if (id === undefined || ids.length > 1) return ids.length === 0 ? [] : fetchOrders(desk, NEWEST);
  return [await readPastOrder(desk, id)];
}

const NEWEST: ListArguments = {
  symbol: undefined,
  sinceMs: undefined,
  limit: LIMITS.eventsLimitMax,
};

/** Closes the whole position of a pair at the market. With a side, a position on the other side is an error. */
export async function closePosition(
  desk: ExchangeContext,
  symbol: string,
  side: string | undefined,
): Promise<Order> {
  await desk.exchange.loadMarkets();
  const [position] = await fetchPositions(desk, [desk.exchange.market(symbol).symbol]);
  if (position === undefined) {
    throw ccxtError(desk, "InvalidOrder", `there is no open position in ${symbol} to close`);
  }
  const isLong = position.side === "long";
  const sides: readonly unknown[] = isLong ? ["long", "buy"] : ["short", "sell"];
  if (side !== undefined && !sides.includes(side)) {
    throw ccxtError(desk, "InvalidOrder", `the position in ${symbol} is ${String(position.side)}`);
  }
  const id = orderNonce(undefined);
  const trade_pair = pairOf(desk, symbol);
  const flat: OrderTrade = { execution_type: "MARKET", trade_pair, order_type: "FLAT" };
  const result = await place(desk, flat, id);
  return placedOrder(desk, result, {
    clientOrderId: id.nonce,
    amount: undefined,
    side: isLong ? "sell" : "buy",
    reduceOnly: true,
  });
}

/**
 * Closes every position that can be closed, and returns the closed ones. The position of a pair whose market is closed
 * stays.
 */
export async function closeAllPositions(desk: ExchangeContext): Promise<Position[]> {
  const before = await fetchPositions(desk, undefined);
  await place(desk, { execution_type: "FLAT_ALL" }, orderNonce(undefined));
  const left = new Set((await fetchPositions(desk, undefined)).map(({ id }) => id));
  return before.filter(({ id }) => !left.has(id));
}
