import type { Dict, OrderSide } from "ccxt";
import {
  fetchBalance,
  fetchPosition,
  fetchPositions,
  fetchPositionsHistory,
} from "./account-reads.ts";
import { answerError } from "./answer-errors.ts";
import { API_CALLS, callApi } from "./calls.ts";
import { fetchOHLCV } from "./candles.ts";
import {
  type CcxtModule,
  ccxtError,
  checkCcxt,
  type ExchangeClass,
  type ExchangeContext,
} from "./ccxt-module.ts";
import { describeExchange } from "./description.ts";
import {
  fetchLeverageTiers,
  fetchMarkets,
  fetchTicker,
  fetchTickers,
  fetchTradingFees,
} from "./markets.ts";
import { type ClientOrderIds, createClientOrderIds } from "./orders/client-order-ids.ts";
import { editOrder } from "./orders/edit.ts";
import {
  cancelAllOrders,
  cancelAllOrdersAfter,
  cancelOrders,
  closeAllPositions,
  closePosition,
  createOrder,
  fetchOpenOrders,
  fetchOrder,
} from "./orders/orders.ts";
import {
  fetchCanceledOrders,
  fetchClosedOrders,
  fetchMyTrades,
  fetchOrders,
  fetchOrderTrades,
} from "./orders/past-orders.ts";
import { isRefusedError } from "./orders/place.ts";
import { fetchStatus } from "./service-status.ts";
import { checkAddress, signedRequest } from "./signed-request.ts";
import { createWatch, type WatchMethods } from "./watch/watch.ts";
import { readWholeBody } from "./whole-body.ts";

/**
 * The arguments of a ccxt method. It is used for methods with more than four parameters, and for those that pass all of
 * them on.
 */
type MethodArguments<Name extends keyof InstanceType<ExchangeClass>> = Parameters<
  InstanceType<ExchangeClass>[Name]
>;

/** The last argument of ccxt's methods, with parameters of this exchange. */
type Params = Record<string, unknown>;

/**
 * Propgate as an exchange class of this ccxt: `const Propgate = propgateIn(ccxt)`, then
 * `new Propgate({ apiKey, secret, urls: { api: 'https://trade.example.com' } })` in place of
 * `new ccxt.binance({ apiKey, secret })`. Throws TypeError when the argument is not ccxt.
 */
export function propgateIn(ccxt: CcxtModule): ExchangeClass {
  checkCcxt(ccxt);
  return withWatch(ccxt, withOrders(ccxt, withReads(ccxt, withRequests(ccxt))));
}

/** The class that signs and paces requests, and turns failed answers into errors. */
function withRequests(ccxt: CcxtModule): ExchangeClass {
  return class extends ccxt.Exchange {
    override describe(): Dict {
      return this.deepExtend(super.describe(), describeExchange());
    }

    /** The time to sign: this machine's, corrected by the difference that `loadTimeDifference` has found. */
    override nonce(): number {
      const difference: unknown = this.options.timeDifference;
      return this.milliseconds() - (typeof difference === "number" ? difference : 0);
    }

    /**
     * Sends a request. With `adjustForTimeDifference`, a request whose timestamp was rejected is signed once more with
     * the service's time. This is safe for orders too, because the rejected request has used no nonce. The clock of a
     * sandbox stands still or jumps, so a difference that was found once may be wrong later.
     * @rule D10.clockLearned
     */
    override async request(...given: MethodArguments<"request">) {
      try {
        return await super.request(...given);
      } catch (error) {
        const isOffClock = isRefusedError(error) && error.refused.name === "timestampInvalid";
        if (!isOffClock || this.options.adjustForTimeDifference !== true) throw error;
        await this.loadTimeDifference();
        return await super.request(...given);
      }
    }

    /** A call without a cost in the read budget, such as an order, never waits for reads. */
    override throttle(cost?: number): unknown {
      return cost === 0 ? undefined : super.throttle(cost);
    }

    override setSandboxMode(enabled: boolean): void {
      if (enabled) checkAddress({ ccxt, exchange: this }, "test");
      super.setSandboxMode(enabled);
    }

    override sign(...given: MethodArguments<"sign">): Dict {
      const [path, api, method = "GET", params = {}, headers] = given;
      return { ...signedRequest({ ccxt, exchange: this }, { path, api, method, params, headers }) };
    }

    override handleRestResponse(...given: MethodArguments<"handleRestResponse">) {
      const [response, url, method, ...sent] = given;
      const { status, statusText, headers } = response;
      const desk: ExchangeContext = { ccxt, exchange: this };
      const text = () => readWholeBody(desk, `${method} ${url}`, response.text());
      const whole = { status, statusText, headers, text };
      return super.handleRestResponse(whole, url, method, ...sent);
    }

    /** Closes a connection when no more bytes of an answer arrive within the time limit of a request. */
    override getDispatcherOptions(...given: MethodArguments<"getDispatcherOptions">): Dict {
      return { ...super.getDispatcherOptions(...given), bodyTimeout: this.timeout };
    }

    override handleErrors(...given: MethodArguments<"handleErrors">): undefined {
      const [status, , url, method, headers, , response] = given;
      const desk: ExchangeContext = { ccxt, exchange: this };
      const error = answerError(desk, { status, method, url, headers, response });
      if (error !== null) throw error;
    }
  };
}

/** Adds the reads of pairs, prices and the account. */
function withReads(ccxt: CcxtModule, base: ExchangeClass): ExchangeClass {
  return class extends base {
    readonly #desk: ExchangeContext = { ccxt, exchange: this };

    override async fetchTime(): Promise<number> {
      return (await callApi(this.#desk, API_CALLS.time)).serverTimeMs;
    }

    override fetchStatus(): ReturnType<typeof fetchStatus> {
      return fetchStatus(this.#desk);
    }

    /** ccxt keeps a failed load forever; here the next call tries again. */
    override async loadMarkets(...given: MethodArguments<"loadMarkets">) {
      try {
        return await super.loadMarkets(...given);
      } catch (error) {
        Reflect.deleteProperty(this, "marketsLoading");
        throw error;
      }
    }

    override fetchMarkets(): ReturnType<typeof fetchMarkets> {
      return fetchMarkets(this.#desk);
    }

    override fetchTicker(symbol: string): ReturnType<typeof fetchTicker> {
      return fetchTicker(this.#desk, symbol);
    }

    override fetchTickers(symbols?: string[]): ReturnType<typeof fetchTickers> {
      return fetchTickers(this.#desk, symbols);
    }

    override fetchBidsAsks(symbols?: string[]): ReturnType<typeof fetchTickers> {
      return fetchTickers(this.#desk, symbols);
    }

    override fetchOHLCV(...given: MethodArguments<"fetchOHLCV">): ReturnType<typeof fetchOHLCV> {
      const [symbol, timeframe = "1m", sinceMs, limit, params = {}] = given;
      return fetchOHLCV(this.#desk, { symbol, timeframe, sinceMs, limit, params });
    }

    override fetchBalance(): ReturnType<typeof fetchBalance> {
      return fetchBalance(this.#desk);
    }

    override fetchPosition(symbol: string): ReturnType<typeof fetchPosition> {
      return fetchPosition(this.#desk, symbol);
    }

    override fetchPositions(symbols?: string[]): ReturnType<typeof fetchPositions> {
      return fetchPositions(this.#desk, symbols);
    }

    override async fetchPositionsHistory(symbols?: string[], since?: number, limit?: number) {
      const history = await fetchPositionsHistory(this.#desk, symbols);
      return this.filterBySinceLimit(history, since, limit);
    }

    override fetchMyTrades(symbol?: string, sinceMs?: number, limit?: number) {
      return fetchMyTrades(this.#desk, { symbol, sinceMs, limit });
    }

    override fetchOrderTrades(...given: MethodArguments<"fetchOrderTrades">) {
      const [id, symbol, sinceMs, limit] = given;
      return fetchOrderTrades(this.#desk, id, { symbol, sinceMs, limit });
    }

    override fetchTradingFees(): ReturnType<typeof fetchTradingFees> {
      return fetchTradingFees(this.#desk);
    }

    override fetchLeverageTiers(symbols?: string[]): ReturnType<typeof fetchLeverageTiers> {
      return fetchLeverageTiers(this.#desk, symbols);
    }

    override fetchOrders(symbol?: string, sinceMs?: number, limit?: number) {
      return fetchOrders(this.#desk, { symbol, sinceMs, limit });
    }

    override fetchCanceledOrders(symbol?: string, sinceMs?: number, limit?: number) {
      return fetchCanceledOrders(this.#desk, { symbol, sinceMs, limit });
    }

    override fetchClosedOrders(symbol?: string, sinceMs?: number, limit?: number) {
      return fetchClosedOrders(this.#desk, { symbol, sinceMs, limit });
    }
  };
}

/** Adds the methods that place, change and find orders. */
function withOrders(ccxt: CcxtModule, base: ExchangeClass): ExchangeClass {
  return class extends base {
    readonly #desk: ExchangeContext = { ccxt, exchange: this };
    readonly #clientOrderIds: ClientOrderIds = createClientOrderIds(this.#desk);

    override createOrder(...given: MethodArguments<"createOrder">): ReturnType<typeof createOrder> {
      const [symbol, type, side, amount, price, params = {}] = given;
      const order = { symbol, type, side, amount, price, params };
      return createOrder(this.#desk, order, this.#clientOrderIds);
    }

    override createMarketOrderWithCost(
      symbol: string,
      side: OrderSide,
      cost: number,
      params: Params = {},
    ) {
      const order = { symbol, type: "market", side, amount: undefined, price: undefined };
      const given = { ...order, params: { ...params, cost } };
      return createOrder(this.#desk, given, this.#clientOrderIds);
    }

    override createMarketBuyOrderWithCost(symbol: string, cost: number, params?: Params) {
      return this.createMarketOrderWithCost(symbol, "buy", cost, params);
    }

    override createMarketSellOrderWithCost(symbol: string, cost: number, params?: Params) {
      return this.createMarketOrderWithCost(symbol, "sell", cost, params);
    }

    override editOrder(...given: MethodArguments<"editOrder">): ReturnType<typeof editOrder> {
      const [id, symbol, type, side, amount, price, params = {}] = given;
      const order = { id, symbol, type, side, amount, price, params };
      return editOrder(this.#desk, order, this.#clientOrderIds);
    }

    override async cancelOrder(id: string) {
      const [order] = await cancelOrders(this.#desk, [id]);
      return order ?? this.safeOrder({ id, status: "canceled" });
    }

    override cancelOrders(ids: string[]): ReturnType<typeof cancelOrders> {
      return cancelOrders(this.#desk, ids);
    }

    override cancelAllOrders(symbol?: string): ReturnType<typeof cancelAllOrders> {
      return cancelAllOrders(this.#desk, symbol);
    }

    override cancelAllOrdersAfter(timeoutMs?: number, params: Params = {}) {
      return cancelAllOrdersAfter(this.#desk, timeoutMs, params);
    }

    override closePosition(symbol: string, side?: string): ReturnType<typeof closePosition> {
      return closePosition(this.#desk, symbol, side);
    }

    override closeAllPositions(): ReturnType<typeof closeAllPositions> {
      return closeAllPositions(this.#desk);
    }

    override async fetchOpenOrders(symbol?: string, sinceMs?: number, limit?: number) {
      const orders = await fetchOpenOrders(this.#desk, { symbol, sinceMs, limit });
      return this.#clientOrderIds.addTo(orders);
    }

    fetchOpenOrder(id: string, _symbol?: string, params: Params = {}) {
      return fetchOrder(this.#desk, id, params);
    }

    override fetchOrder(id: string, _symbol?: string, params: Params = {}) {
      return fetchOrder(this.#desk, id, params);
    }
  };
}

/** Adds the watch methods. They share one stream with the account's events and quotes. */
function withWatch(ccxt: CcxtModule, base: ExchangeClass): ExchangeClass {
  return class Propgate extends base {
    readonly #desk: ExchangeContext = { ccxt, exchange: this };
    readonly #watch: WatchMethods = createWatch(this.#desk);

    override watchOrders(symbol?: string, sinceMs?: number, limit?: number, params: Params = {}) {
      return this.#watch.orders({ symbol, sinceMs, limit }, params);
    }

    override watchMyTrades(symbol?: string, sinceMs?: number, limit?: number, params: Params = {}) {
      return this.#watch.myTrades({ symbol, sinceMs, limit }, params);
    }

    override watchPositions(
      symbols?: string[],
      sinceMs?: number,
      limit?: number,
      params: Params = {},
    ) {
      return this.#watch.positions(symbols, { symbol: undefined, sinceMs, limit }, params);
    }

    override watchBalance(params: Params = {}) {
      return this.#watch.balance(params);
    }

    override watchTicker(symbol: string, params: Params = {}) {
      return this.#watch.ticker(symbol, params);
    }

    override watchTickers(symbols?: string[], params: Params = {}) {
      return this.#watch.tickers(symbols, params);
    }

    override unWatchOrders(symbol?: string) {
      return this.#watch.end("orders", symbolList(symbol));
    }

    override unWatchMyTrades(symbol?: string) {
      return this.#watch.end("myTrades", symbolList(symbol));
    }

    override unWatchPositions(symbols?: string[]) {
      return this.#watch.end("positions", symbols);
    }

    unWatchBalance() {
      return this.#watch.end("balance", undefined);
    }

    override unWatchTicker(symbol: string) {
      return this.#watch.end("tickers", [symbol]);
    }

    override unWatchTickers(symbols?: string[]) {
      return this.#watch.end("tickers", symbols);
    }

    override handleErrors(...given: MethodArguments<"handleErrors">): undefined {
      const [, , url, , headers] = given;
      this.#watch.noteAnswer({ url, headers });
      super.handleErrors(...given);
    }

    /** Ends the stream. Every waiting watch method throws ExchangeClosedByUser. */
    override async close(...given: MethodArguments<"close">): Promise<void> {
      // As in ccxt, this lets the watch methods that were called before `close` begin to wait first.
      await this.sleep(0);
      this.#watch.close(ccxtError(this.#desk, "ExchangeClosedByUser", "closedByUser"));
      await super.close(...given);
    }
  };
}

function symbolList(symbol: string | undefined): readonly string[] | undefined {
  return symbol === undefined ? undefined : [symbol];
}
