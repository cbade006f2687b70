import type { Linked, TradeItem } from "@propgate/contract";
import type { Dict, Order, Trade } from "ccxt";
import { ask, CALLS } from "../calls.ts";
import type { Desk } from "../ccxt-module.ts";
import { SETTLE } from "../markets.ts";

/** The arguments of ccxt's lists of past orders and trades. */
export interface Since {
  readonly symbol: string | undefined;
  readonly sinceMs: number | undefined;
  readonly limit: number | undefined;
}

/** One half of a round trip: everything that opened it, or everything that closed it. */
interface Half {
  readonly item: TradeItem<Linked>;
  readonly part: "entry" | "exit";
}

/**
 * Two trades for each closed position of a linked account, its entry and its exit at their mean prices: its
 * validator lists round trips, not fills. The exit has all fees, carry included, because they are complete only
 * then.
 */
export async function tradeHalves(desk: Desk, since: Since): Promise<Trade[]> {
  const { exchange } = desk;
  const halves = await readHalves(desk);
  const market = since.symbol === undefined ? undefined : exchange.market(since.symbol);
  const trades: readonly Trade[] = halves.map((half) => tradeOf(desk, half));
  const sorted = trades.toSorted((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0));
  return exchange.filterBySymbolSinceLimit(sorted, market?.symbol, since.sinceMs, since.limit);
}

/** The same halves as filled orders. */
export async function closedHalves(desk: Desk, since: Since): Promise<Order[]> {
  const { exchange } = desk;
  const halves = await readHalves(desk);
  const market = since.symbol === undefined ? undefined : exchange.market(since.symbol);
  const orders: readonly Order[] = halves.map((half) => orderOf(desk, half));
  const sorted = orders.toSorted((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0));
  return exchange.filterBySymbolSinceLimit(sorted, market?.symbol, since.sinceMs, since.limit);
}

async function readHalves(desk: Desk): Promise<readonly Half[]> {
  await desk.exchange.loadMarkets();
  const items = await ask(desk, CALLS.trades);
  return items.flatMap((item): readonly Half[] => [
    { item, part: "entry" },
    { item, part: "exit" },
  ]);
}

/** The fields that the trade and the order of a half share. */
function figuresOf({ exchange }: Desk, { item, part }: Half): Dict {
  const timestamp = part === "entry" ? item.openTimeMs : item.closeTimeMs;
  const isBuy = (item.positionType === "LONG") === (part === "entry");
  return {
    info: item,
    id: `${item.id}:${part}`,
    timestamp,
    datetime: exchange.iso8601(timestamp),
    symbol: exchange.safeString(exchange.safeMarket(item.tradePair), "symbol"),
    type: undefined,
    side: isBuy ? "buy" : "sell",
    amount: item.quantity === null ? undefined : Math.abs(item.quantity),
    price: (part === "entry" ? item.entryPriceNumeric : item.closePriceNumeric) ?? undefined,
    ...(part === "exit" ? { fee: { currency: SETTLE, cost: item.totalFees ?? undefined } } : {}),
  };
}

function tradeOf(desk: Desk, half: Half): Trade {
  const figures = { ...figuresOf(desk, half), order: undefined, takerOrMaker: undefined };
  return desk.exchange.safeTrade(figures, desk.exchange.safeMarket(half.item.tradePair));
}

function orderOf(desk: Desk, half: Half): Order {
  const figures = figuresOf(desk, half);
  const filled: Dict = { ...figures, average: figures.price, filled: figures.amount };
  const order = { ...filled, lastTradeTimestamp: figures.timestamp, status: "closed" };
  return desk.exchange.safeOrder(order, desk.exchange.safeMarket(half.item.tradePair));
}
