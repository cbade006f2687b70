import { type FillItem, LIMITS, type Linked, type PastOrder } from "@propgate/contract";
import type { Dict, Order, Trade } from "ccxt";
import { API_CALLS, type ApiCall, callApi, repeatedPageError } from "../calls.ts";
import type { ExchangeContext } from "../ccxt-module.ts";
import { SETTLE_CURRENCY } from "../markets.ts";
import { sumSizes, unfilledAmount } from "./order-view.ts";
import type { ListArguments } from "./since.ts";

/** ccxt's word for each status of the service. */
const STATUSES: Readonly<Record<PastOrder["status"], string>> = {
  resting: "open",
  triggered: "open",
  filled: "closed",
  cancelled: "canceled",
  rejected: "rejected",
};

/** Orders and legs of any status: those from `sinceMs` on, or the newest without it. */
export function fetchOrders(desk: ExchangeContext, since: ListArguments): Promise<Order[]> {
  return pastOrders(desk, since, null);
}

/** Orders and legs that have filled. */
export function fetchClosedOrders(desk: ExchangeContext, since: ListArguments): Promise<Order[]> {
  return pastOrders(desk, since, "closed");
}

/** Orders and legs that were cancelled. */
export function fetchCanceledOrders(desk: ExchangeContext, since: ListArguments): Promise<Order[]> {
  return pastOrders(desk, since, "canceled");
}

/** The fills of one order, oldest first. */
export async function fetchOrderTrades(
  desk: ExchangeContext,
  id: string,
  since: ListArguments,
): Promise<Trade[]> {
  const { exchange } = desk;
  const { symbol } = await marketOf(desk, since);
  const { fills } = await callApi(desk, API_CALLS.order, { params: { orderUuid: id } });
  const trades = fills.map((fill) => tradeOf(desk, fill));
  return exchange.filterBySymbolSinceLimit(trades, symbol, since.sinceMs, since.limit);
}

/** Fills of all orders: those from `sinceMs` on, or the newest without it. */
export async function fetchMyTrades(desk: ExchangeContext, since: ListArguments): Promise<Trade[]> {
  const { exchange } = desk;
  const { symbol } = await marketOf(desk, since);
  const count = countOf(since);
  const items = await readItems(desk, API_CALLS.fills, { since, count, pageSize: count });
  const trades = items.map((fill) => tradeOf(desk, fill));
  return exchange.filterBySymbolSinceLimit(trades, symbol, since.sinceMs, since.limit);
}

/** The order or leg with this id, of any status. Throws OrderNotFound for an unknown id. */
export async function readPastOrder(desk: ExchangeContext, orderUuid: string): Promise<Order> {
  await desk.exchange.loadMarkets();
  const item = await callApi(desk, API_CALLS.order, { params: { orderUuid } });
  return orderOf(desk, item, item);
}

async function pastOrders(
  desk: ExchangeContext,
  since: ListArguments,
  status: string | null,
): Promise<Order[]> {
  const { exchange } = desk;
  const { symbol } = await marketOf(desk, since);
  const count = countOf(since);
  // The orders are filtered by status after the read, so more orders are read than are returned.
  const pageSize = status === null ? count : LIMITS.eventsLimitMax;
  const isWanted = (item: Pick<PastOrder, "status">): boolean =>
    status === null || STATUSES[item.status] === status;
  const items = await readItems(desk, API_CALLS.orderHistory, { since, count, pageSize, isWanted });
  const orders = items.map((item) => orderOf(desk, item, item));
  return exchange.filterBySymbolSinceLimit(orders, symbol, since.sinceMs, since.limit);
}

function countOf({ limit = LIMITS.eventsLimitDefault }: ListArguments): number {
  return Math.min(limit, LIMITS.eventsLimitMax);
}

/** Selects the wanted items of a list of past orders or fills. */
interface ListRequest<Item> {
  readonly since: ListArguments;
  /** Maximum number of items of one page. */
  readonly pageSize: number;
  /** How many items are enough. */
  readonly count: number;
  readonly isWanted?: (item: Item) => boolean;
}

/**
 * The newest items of a list, or those from `sinceMs` on. With `sinceMs` it reads further pages until it has `count`
 * items, because a bot takes a shorter answer for the end of the list. Without `sinceMs` it reads one page.
 */
async function readItems<Item>(
  desk: ExchangeContext,
  call: ApiCall<{ readonly items: readonly Item[]; readonly next: string }>,
  { since, pageSize, count, isWanted = () => true }: ListRequest<Item>,
): Promise<readonly Item[]> {
  const wanted: Item[] = [];
  const query = queryOf(desk, since, pageSize);
  for (let after: Dict = {}; ; ) {
    const { items, next } = await callApi(desk, call, { params: { ...query, ...after } });
    wanted.push(...items.filter(isWanted));
    const isEnough = since.sinceMs === undefined || wanted.length >= count;
    if (isEnough || !mayHaveNextPage(items, pageSize)) return wanted;
    if (next === after.after) throw repeatedPageError(desk, next);
    after = { after: next };
  }
}

/**
 * False when the page is certainly the last one: it has fewer items than the page size, and is far smaller than the
 * maximum size of an answer.
 */
function mayHaveNextPage(items: readonly unknown[], pageSize: number): boolean {
  return items.length >= pageSize || JSON.stringify(items).length > LIMITS.answerBytesMax / 2;
}

async function marketOf(
  desk: ExchangeContext,
  since: ListArguments,
): Promise<{ readonly symbol?: string }> {
  await desk.exchange.loadMarkets();
  return since.symbol === undefined ? {} : { symbol: desk.exchange.market(since.symbol).symbol };
}

function queryOf({ exchange }: ExchangeContext, since: ListArguments, limit: number): Dict {
  return {
    limit,
    ...(since.symbol === undefined ? {} : { tradePair: exchange.market(since.symbol).id }),
    ...(since.sinceMs === undefined ? {} : { since: since.sinceMs }),
  };
}

/** The fields of an order from which ccxt's order is made. */
export type OrderFacts = Pick<
  PastOrder<Linked>,
  | "orderUuid"
  | "tradePair"
  | "orderType"
  | "executionType"
  | "status"
  | "placedMs"
  | "updatedMs"
  | "endedMs"
  | "nonce"
  | "order"
  | "filledQuantity"
  | "averagePrice"
  | "fee"
  | "shortfall"
  | "reduced"
>;

/** An order of the service as a ccxt order. */
export function orderOf({ exchange }: ExchangeContext, item: OrderFacts, info: unknown): Order {
  const market = exchange.safeMarket(item.tradePair);
  const isLeg = item.executionType === "BRACKET";
  const figures: Dict = {
    info,
    id: item.orderUuid,
    // The `clientOrderId` of a leg would be that of its order, because both were placed together.
    clientOrderId: isLeg ? undefined : nullToUndefined(item.nonce),
    timestamp: item.placedMs,
    lastUpdateTimestamp: item.updatedMs,
    symbol: exchange.safeString(market, "symbol"),
    type: typeOf(item),
    side: sideOf(item),
    timeInForce: item.executionType === "MARKET" ? "IOC" : "GTC",
    postOnly: false,
    status: STATUSES[item.status],
    ...contentOf(item),
    ...fillOf(item),
  };
  return exchange.safeOrder(figures, market);
}

/** ccxt's type of an order; undefined when the validator did not send its kind. */
function typeOf({ executionType }: OrderFacts): string | undefined {
  if (executionType === null) return undefined;
  return executionType === "BRACKET" || executionType === "MARKET" ? "market" : "limit";
}

/** The side of an order. A leg has its position's direction and closes it. Undefined when the direction is unknown. */
function sideOf({ orderType, executionType }: OrderFacts): string | undefined {
  if (orderType === null) return undefined;
  return (orderType === "LONG") === (executionType === "BRACKET") ? "sell" : "buy";
}

/** The prices of an order or leg, and its `reduceOnly`. A market order has no prices. */
function contentOf({ order, reduced }: OrderFacts): Dict {
  const [first] = order?.bracketOrders ?? [];
  return {
    price: nullToUndefined(order?.limitPrice),
    triggerPrice: nullToUndefined(order?.stopPrice),
    stopLossPrice: nullToUndefined(order?.stopLoss ?? first?.stopLoss),
    takeProfitPrice: nullToUndefined(order?.takeProfit ?? first?.takeProfit),
    reduceOnly: nullToUndefined(order?.reduceOnly ?? reduced),
  };
}

/**
 * The sizes and the fee. Before the fill, the amount is known only when the order is sized by a quantity. After the
 * fill, the amount of any other order, and of every market order, is the filled quantity plus the shortfall.
 */
function fillOf(item: OrderFacts): Dict {
  const { order, status, filledQuantity, averagePrice, fee, endedMs, shortfall } = item;
  const filled = nullToUndefined(filledQuantity);
  const requested = filled === undefined ? undefined : sumSizes(filled, shortfall?.quantity ?? 0);
  const amount = order?.quantity ?? (status === "filled" ? requested : undefined);
  const figures = {
    amount,
    filled,
    remaining:
      amount === undefined || filled === undefined ? undefined : unfilledAmount(amount, filled),
    average: nullToUndefined(averagePrice),
  };
  if (filledQuantity === 0) return { ...figures, cost: 0 };
  return {
    ...figures,
    fee: { currency: SETTLE_CURRENCY, cost: nullToUndefined(fee) },
    lastTradeTimestamp: nullToUndefined(endedMs),
  };
}

/** Undefined for null: an unknown or unused value is null on the wire and undefined in ccxt. */
function nullToUndefined<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}

/** A fill of the service as a ccxt trade. */
export function tradeOf({ exchange }: ExchangeContext, fill: FillItem<Linked>): Trade {
  const { data } = fill;
  const market = exchange.safeMarket(data.tradePair);
  const figures: Dict = {
    info: fill,
    id: fill.id,
    order: data.orderUuid,
    timestamp: fill.atMs,
    datetime: exchange.iso8601(fill.atMs),
    symbol: exchange.safeString(market, "symbol"),
    type: data.kind === null ? undefined : data.kind === "limit" ? "limit" : "market",
    side: data.direction === null ? undefined : data.direction === "LONG" ? "buy" : "sell",
    takerOrMaker: undefined,
    price: nullToUndefined(data.price),
    amount: nullToUndefined(data.quantity),
    fee: { currency: SETTLE_CURRENCY, cost: nullToUndefined(data.fee) },
  };
  return exchange.safeTrade(figures, market);
}
