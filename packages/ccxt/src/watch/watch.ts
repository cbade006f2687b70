import { helpHeaders, isRecord, LIMITS, type Linked, type QuoteItem } from "@propgate/contract";
import type { AccountEvent } from "@propgate/sdk";
import type { Balances, Order, Position, Ticker, Trade } from "ccxt";
import { type Answer, headerOf } from "../answer-errors.ts";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import { tickerOf } from "../markets.ts";
import { pairOf } from "../orders/order-params.ts";
import { tradeOf } from "../orders/past-orders.ts";
import type { ListArguments } from "../orders/since.ts";
import { brandOf, checkAddress } from "../signed-request.ts";
import { type AccountStream, createAccountStream } from "./account-stream.ts";
import { type AccountViews, createAccountViews } from "./account-views.ts";
import { createOrderProjection, type OrderProjection } from "./order-projection.ts";
import { createUpdates, type Updates } from "./updates.ts";

type Params = Readonly<Record<string, unknown>>;
type Names = readonly string[] | undefined;

/**
 * The watch methods of an exchange. Each resolves when there are updates since its last call: with these, or with
 * everything that ccxt's cache has when the exchange's `newUpdates` is false.
 */
export interface WatchMethods {
  orders(since: ListArguments, params: Params): Promise<Order[]>;
  myTrades(since: ListArguments, params: Params): Promise<Trade[]>;
  positions(symbols: Names, since: ListArguments, params: Params): Promise<Position[]>;
  balance(params: Params): Promise<Balances>;
  ticker(symbol: string, params: Params): Promise<Ticker>;
  tickers(symbols: Names, params: Params): Promise<Record<string, Ticker>>;
  /** Ends the reader of these symbols. Without symbols it ends the reader of all symbols. */
  end(topic: TopicName, symbols: Names): Promise<true>;
  /** Notes the account's version in an answer of the service. */
  noteAnswer(answer: Pick<Answer, "url" | "headers">): void;
  /** Ends every reader and the stream. */
  close(error: Error): void;
}

interface Topics {
  readonly orders: Updates<Order>;
  readonly myTrades: Updates<Trade>;
  readonly positions: Updates<Position>;
  readonly balance: Updates<Balances>;
  readonly tickers: Updates<Ticker>;
}
type TopicName = keyof Topics;

const OF_ACCOUNT = ["orders", "myTrades", "positions", "balance"] as const;
/** The number of items that are kept for a topic when the options of ccxt give none. */
const CACHE_MAX = 1_000;

/** The parts that the watch methods share. */
interface WatchParts {
  readonly desk: ExchangeContext;
  readonly topics: Topics;
  readonly stream: AccountStream;
  readonly views: AccountViews;
}

/** Creates the watch methods of an exchange. No stream is opened before the first call. */
export function createWatch(desk: ExchangeContext): WatchMethods {
  const topics = topicsOf(desk);
  const views = createAccountViews({
    desk,
    ...topics,
    onBalance: (balance) => void Object.assign(desk.exchange, { balance }),
    onPositions: (changed) => remember(desk, "positions", changed),
  });
  const projection = createOrderProjection(desk);
  /** The account's version in the newest answer, or after the newest event, with the address of the service. */
  let seen: { readonly url: string; readonly version: string } | null = null;
  /**
   * True while the order projection sends requests. A bot does not see their answers, so these answers must not change
   * the event at which a watch begins: earlier events may still have to be returned to the bot.
   */
  let isProjectionReading = false;
  const folding = async (work: () => Promise<void>): Promise<void> => {
    isProjectionReading = true;
    try {
      await work();
    } finally {
      isProjectionReading = false;
    }
  };
  const stream = createAccountStream({
    desk,
    // `setSandboxMode` may have changed the address since `seen` was set, and a version belongs to one service.
    lastSeen: () =>
      seen?.url.startsWith(`${checkAddress(desk, "api")}/`) === true ? seen.version : null,
    onBegin: () => folding(() => projection.begin()),
    async onEvent(event, address) {
      await folding(() => takeEvent({ desk, topics, views, fold: projection }, event));
      // An event that no reader received is not noted, so the next watch begins with it. Events that a reader received
      // are not repeated.
      if (!isAccountWatched(topics)) return;
      // The newer version stays: an answer to an order may already show a later version than that of this event.
      const url = `${address}/`;
      if (seen?.url.startsWith(url) !== true || sequenceOf(seen.version) < event.sequence) {
        seen = { url, version: event.cursor };
      }
    },
    onQuote: (quote) => takeQuote({ desk, topics }, quote),
    onFailure(error) {
      for (const topic of Object.values(topics)) topic.fail(error);
    },
  });
  const parts: WatchParts = { desk, topics, stream, views };
  return {
    orders: (since, params) => newAccountUpdates(parts, "orders", since, params),
    myTrades: (since, params) => newAccountUpdates(parts, "myTrades", since, params),
    positions: (symbols, since, params) => newPositions(parts, symbols, since, params),
    balance: (params) => newBalance(parts, params),
    async ticker(symbol, params) {
      const tickers = await newTickers(parts, "watchTicker", [symbol], params);
      const [ticker] = Object.values(tickers);
      if (ticker !== undefined) return ticker;
      throw ccxtError(desk, "BadResponse", `there is no ticker of ${symbol}`);
    },
    tickers: (symbols, params) => newTickers(parts, "watchTickers", symbols, params),
    async end(topic, symbols) {
      await desk.exchange.loadMarkets();
      const error = ccxtError(
        desk,
        "UnsubscribeError",
        `${topic} ${symbols?.join(" ") ?? ""}`.trim(),
      );
      topics[topic].end(symbols === undefined ? undefined : marketSymbols(desk, symbols), error);
      void updateStreamContent(parts);
      return true;
    },
    noteAnswer({ url, headers }) {
      if (isProjectionReading) return;
      const { accountVersion } = helpHeaders(brandOf(desk.exchange.options));
      const version = headerOf(headers, accountVersion);
      if (typeof version === "string") seen = { url, version };
    },
    close(error) {
      for (const topic of Object.values(topics)) topic.end(undefined, error);
      void updateStreamContent(parts);
    },
  };
}

function isAccountWatched(topics: Topics): boolean {
  return OF_ACCOUNT.some((name) => topics[name].watched.length > 0);
}

function sequenceOf(version: string): number {
  return Number(version.split("-")[0]);
}

function topicsOf(desk: ExchangeContext): Topics {
  const of = <Item extends Keyed>(topic: TopicName, isState: boolean): Updates<Item> =>
    createUpdates<Item>({
      isState,
      keyOf: ({ id, symbol }) => id ?? symbol ?? "",
      symbolOf: ({ symbol }) => symbol,
      max: () => cacheMax(desk, topic),
      missedError: () => missedError(desk, topic),
    });
  return {
    orders: of<Order>("orders", false),
    myTrades: of<Trade>("myTrades", false),
    positions: of<Position>("positions", true),
    balance: of<Balances & Keyed>("balance", true),
    tickers: of<Ticker & Keyed>("tickers", false),
  };
}

interface Keyed {
  readonly id?: string | undefined;
  readonly symbol?: string | undefined;
}

/** The options of ccxt that set how many items of a topic are kept. The other topics have none. */
const LIMIT_OPTIONS: Readonly<Partial<Record<TopicName, string>>> = {
  orders: "ordersLimit",
  myTrades: "tradesLimit",
};

function cacheMax({ exchange }: ExchangeContext, topic: TopicName): number {
  const name = LIMIT_OPTIONS[topic];
  const given: unknown = name === undefined ? undefined : exchange.options[name];
  return typeof given === "number" && given >= 1 ? given : CACHE_MAX;
}

function missedError(desk: ExchangeContext, topic: TopicName): Error {
  const text = `the bot took none of more than ${cacheMax(desk, topic)} ${topic}, so the oldest are lost here: fetch them, or raise options.${LIMIT_OPTIONS[topic] ?? ""}`;
  return ccxtError(desk, "ExchangeError", text);
}

async function takeEvent(
  {
    desk,
    topics,
    views,
    fold,
  }: Pick<WatchParts, "desk" | "topics" | "views"> & { fold: OrderProjection },
  event: AccountEvent<Linked>,
): Promise<void> {
  // When the projection fails to read an order, the stream handles this event again later. So the projection applies
  // the event before any update is returned to a reader.
  const orders = await fold.applyEvent(event);
  remember(desk, "orders", orders);
  topics.orders.add(orders);
  if (event.type === "order.filled") {
    const trade = tradeOf(desk, event);
    remember(desk, "myTrades", [trade]);
    topics.myTrades.add([trade]);
  }
  views.applyEvent(event);
}

function takeQuote({ desk, topics }: Pick<WatchParts, "desk" | "topics">, quote: QuoteItem): void {
  const { exchange } = desk;
  const ticker = tickerOf(desk, quote);
  const symbol = ticker.symbol ?? "";
  const before: unknown = exchange.tickers[symbol]?.info;
  exchange.tickers[symbol] = ticker;
  if (!isShown(before, quote)) topics.tickers.add([ticker]);
}

/**
 * True when the quote has been shown already: a new connection begins with the newest quote of each pair, even when it
 * has not changed.
 */
function isShown(before: unknown, { bid, ask, isStale }: QuoteItem): boolean {
  return isRecord(before) && before.bid === bid && before.ask === ask && before.isStale === isStale;
}

/** Keeps the newest item of each id on the exchange object, as ccxt's caches do. */
function remember(
  desk: ExchangeContext,
  topic: "orders" | "myTrades" | "positions",
  items: readonly Keyed[],
): void {
  if (items.length === 0) return;
  const ids = new Set(items.map(({ id }) => id));
  const others = cachedItems(desk, topic).filter(({ id }) => !ids.has(id));
  const all = [...others, ...items].slice(-cacheMax(desk, topic));
  Object.assign(desk.exchange, { [topic]: all });
}

function cachedItems(
  desk: ExchangeContext,
  topic: "orders" | "myTrades" | "positions",
): readonly Keyed[] {
  const value: unknown = desk.exchange[topic];
  return Array.isArray(value) ? value : [];
}

/**
 * Makes the stream contain exactly the watched content. Resolves when the cursor at which the stream begins is known.
 */
function updateStreamContent({ desk, topics, stream, views }: WatchParts): Promise<void> {
  for (const view of ["balance", "positions"] as const) {
    if (topics[view].watched.length === 0) views.end(view);
  }
  const account = isAccountWatched(topics);
  const symbols = new Set(topics.tickers.watched.flatMap((one) => one ?? []));
  const pairs = [...symbols].map((symbol) => pairOf(desk, symbol)).toSorted();
  return stream.want({ account, pairs });
}

async function newAccountUpdates<Name extends "orders" | "myTrades">(
  parts: WatchParts,
  topic: Name,
  since: ListArguments,
  params: Params,
): Promise<(Name extends "orders" ? Order : Trade)[]>;
async function newAccountUpdates(
  parts: WatchParts,
  topic: "orders" | "myTrades",
  { symbol, sinceMs, limit }: ListArguments,
  params: Params,
): Promise<(Order | Trade)[]> {
  const { desk, topics } = parts;
  const { exchange } = desk;
  checkParams(desk, topic === "orders" ? "watchOrders" : "watchMyTrades", params);
  await exchange.loadMarkets();
  const symbols = symbol === undefined ? null : marketSymbols(desk, [symbol]);
  const next = topics[topic].next(symbols);
  void updateStreamContent(parts);
  const items = await next;
  const shown = exchange.newUpdates ? [...items] : [...cachedItems(desk, topic)];
  return exchange.filterBySymbolSinceLimit(shown, symbols?.[0], sinceMs, limit, true);
}

async function newPositions(
  parts: WatchParts,
  given: Names,
  { sinceMs, limit }: ListArguments,
  params: Params,
): Promise<Position[]> {
  const { desk, topics, views } = parts;
  const { exchange } = desk;
  checkParams(desk, "watchPositions", params);
  await exchange.loadMarkets();
  const symbols = given === undefined || given.length === 0 ? null : marketSymbols(desk, given);
  const next = topics.positions.next(symbols);
  void updateStreamContent(parts).then(() => views.begin("positions"));
  const items = await next;
  const shown = exchange.newUpdates ? [...items] : [...cachedItems(desk, "positions")];
  const wanted = symbols === null ? undefined : [...symbols];
  return exchange.filterBySymbolsSinceLimit(shown, wanted, sinceMs, limit, true);
}

async function newBalance(parts: WatchParts, params: Params): Promise<Balances> {
  const { desk, topics, views } = parts;
  checkParams(desk, "watchBalance", params);
  await desk.exchange.loadMarkets();
  const next = topics.balance.next(null);
  void updateStreamContent(parts).then(() => views.begin("balance"));
  const [balance] = await next;
  if (balance !== undefined) return balance;
  throw ccxtError(desk, "BadResponse", "there is no balance");
}

async function newTickers(
  parts: WatchParts,
  method: string,
  given: Names,
  params: Params,
): Promise<Record<string, Ticker>> {
  const { desk, topics } = parts;
  const { exchange } = desk;
  checkParams(desk, method, params);
  await exchange.loadMarkets();
  const symbols = marketSymbols(
    desk,
    given === undefined || given.length === 0 ? exchange.symbols : given,
  );
  checkPairs(parts, method, symbols);
  const next = topics.tickers.next(symbols);
  void updateStreamContent(parts);
  const items = await next;
  const shown = exchange.newUpdates ? [...items] : Object.values(exchange.tickers);
  return exchange.filterByArrayTickers(shown, "symbol", [...symbols]);
}

/** Throws BadRequest when the watched symbols exceed the pairs that one stream may have, over all readers. */
function checkPairs(
  { desk, topics }: WatchParts,
  method: string,
  symbols: readonly string[],
): void {
  const all = new Set([...topics.tickers.watched.flatMap((one) => one ?? []), ...symbols]);
  if (all.size <= LIMITS.streamPairsMax) return;
  const text = `${method}() would watch ${all.size} symbols, and ${LIMITS.streamPairsMax} is the maximum: name fewer symbols`;
  throw ccxtError(desk, "BadRequest", text);
}

/** Throws NotSupported for any parameter, because the watch methods have none. */
function checkParams(desk: ExchangeContext, method: string, params: Params): void {
  const [unknown] = Object.keys(params).filter((name) => params[name] !== undefined);
  if (unknown === undefined) return;
  throw ccxtError(desk, "NotSupported", `${method}() does not support params.${unknown}`);
}

function marketSymbols({ exchange }: ExchangeContext, names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => exchange.market(name).symbol))];
}
