import type { Dict, Status } from "ccxt";
import {
  fetchBalance,
  fetchPosition,
  fetchPositions,
  fetchPositionsHistory,
} from "./account-reads.ts";
import { answerError } from "./answer-errors.ts";
import { ask, CALLS } from "./calls.ts";
import { type CcxtModule, checkCcxt, type Desk, type ExchangeClass } from "./ccxt-module.ts";
import { fetchClosedOrders, fetchMyTrades } from "./closed-trades.ts";
import { description } from "./description.ts";
import { editOrder } from "./edit.ts";
import { fetchMarkets, fetchTicker, fetchTickers } from "./markets.ts";
import {
  cancelAllOrders,
  cancelOrders,
  closeAllPositions,
  closePosition,
  createOrder,
  fetchOpenOrders,
  fetchOrder,
} from "./orders.ts";
import { checkAddress, signedRequest } from "./signed-request.ts";

/** The arguments of a method of ccxt's, in its own order and number. */
type Given<Name extends keyof InstanceType<ExchangeClass>> = Parameters<
  InstanceType<ExchangeClass>[Name]
>;

/**
 * Propgate as an exchange class of this ccxt: `const Propgate = propgateIn(ccxt)`, then
 * `new Propgate({ apiKey, secret, urls: { api: 'https://trade.example.com' } })` in the place of
 * `new ccxt.binance({ apiKey, secret })`. Throws TypeError when what is given is not ccxt.
 */
export function propgateIn(ccxt: CcxtModule): ExchangeClass {
  checkCcxt(ccxt);
  return withOrders(ccxt, withReads(ccxt, withRequests(ccxt)));
}

/** How requests are signed, paced and understood. */
function withRequests(ccxt: CcxtModule): ExchangeClass {
  return class extends ccxt.Exchange {
    override describe(): Dict {
      return this.deepExtend(super.describe(), description());
    }

    /** What is signed as the time: this machine's, corrected by what `loadTimeDifference` found. */
    override nonce(): number {
      const off: unknown = this.options.timeDifference;
      return this.milliseconds() - (typeof off === "number" ? off : 0);
    }

    /** Orders cost nothing and wait for no read. */
    override throttle(cost?: number): unknown {
      return cost === 0 ? undefined : super.throttle(cost);
    }

    override setSandboxMode(enabled: boolean): void {
      if (enabled) checkAddress({ ccxt, exchange: this }, "test");
      super.setSandboxMode(enabled);
    }

    override sign(...given: Given<"sign">): Dict {
      const [path, api, method = "GET", params = {}, headers] = given;
      return { ...signedRequest({ ccxt, exchange: this }, { path, api, method, params, headers }) };
    }

    override handleErrors(...given: Given<"handleErrors">): undefined {
      const [status, , url, method, headers, , response] = given;
      const desk: Desk = { ccxt, exchange: this };
      const error = answerError(desk, { status, method, url, headers, response });
      if (error !== null) throw error;
    }
  };
}

/** What can be seen: pairs, prices, the account. */
function withReads(ccxt: CcxtModule, base: ExchangeClass): ExchangeClass {
  return class extends base {
    readonly #desk: Desk = { ccxt, exchange: this };

    override async fetchTime(): Promise<number> {
      return (await ask(this.#desk, CALLS.time)).serverTimeMs;
    }

    /** `ok` when the service answers; what it cannot reach behind itself shows in reads. */
    override async fetchStatus(): Promise<Status> {
      const info = await ask(this.#desk, CALLS.time);
      return { status: "ok", updated: info.serverTimeMs, eta: undefined, url: undefined, info };
    }

    /** ccxt keeps a failure for ever; here the next call asks again. */
    override async loadMarkets(...given: Given<"loadMarkets">) {
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

    override fetchBalance(): ReturnType<typeof fetchBalance> {
      return fetchBalance(this.#desk);
    }

    override fetchPosition(symbol: string): ReturnType<typeof fetchPosition> {
      return fetchPosition(this.#desk, symbol);
    }

    override fetchPositions(symbols?: string[]): ReturnType<typeof fetchPositions> {
      return fetchPositions(this.#desk, symbols);
    }

    override async fetchPositionsHistory(...given: Given<"fetchPositionsHistory">) {
      const [symbols, since, limit] = given;
      const history = await fetchPositionsHistory(this.#desk, symbols);
      return this.filterBySinceLimit(history, since, limit);
    }

    override fetchMyTrades(...given: Given<"fetchMyTrades">): ReturnType<typeof fetchMyTrades> {
      const [symbol, sinceMs, limit] = given;
      return fetchMyTrades(this.#desk, { symbol, sinceMs, limit });
    }

    override fetchClosedOrders(...given: Given<"fetchClosedOrders">) {
      const [symbol, sinceMs, limit] = given;
      return fetchClosedOrders(this.#desk, { symbol, sinceMs, limit });
    }
  };
}

/** What changes something, and what rests. */
function withOrders(ccxt: CcxtModule, base: ExchangeClass): ExchangeClass {
  return class Propgate extends base {
    readonly #desk: Desk = { ccxt, exchange: this };

    override createOrder(...given: Given<"createOrder">): ReturnType<typeof createOrder> {
      const [symbol, type, side, amount, price, params = {}] = given;
      return createOrder(this.#desk, { symbol, type, side, amount, price, params });
    }

    override createMarketOrderWithCost(...given: Given<"createMarketOrderWithCost">) {
      const [symbol, side, cost, params = {}] = given;
      const order = { symbol, type: "market", side, amount: undefined, price: undefined };
      return createOrder(this.#desk, { ...order, params: { ...params, cost } });
    }

    override createMarketBuyOrderWithCost(...given: Given<"createMarketBuyOrderWithCost">) {
      const [symbol, cost, params] = given;
      return this.createMarketOrderWithCost(symbol, "buy", cost, params);
    }

    override createMarketSellOrderWithCost(...given: Given<"createMarketSellOrderWithCost">) {
      const [symbol, cost, params] = given;
      return this.createMarketOrderWithCost(symbol, "sell", cost, params);
    }

    override editOrder(...given: Given<"editOrder">): ReturnType<typeof editOrder> {
      const [id, symbol, type, side, amount, price, params = {}] = given;
      return editOrder(this.#desk, { id, symbol, type, side, amount, price, params });
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

    override closePosition(symbol: string, side?: string): ReturnType<typeof closePosition> {
      return closePosition(this.#desk, symbol, side);
    }

    override closeAllPositions(): ReturnType<typeof closeAllPositions> {
      return closeAllPositions(this.#desk);
    }

    override fetchOpenOrders(...given: Given<"fetchOpenOrders">) {
      const [symbol, sinceMs, limit] = given;
      return fetchOpenOrders(this.#desk, { symbol, sinceMs, limit });
    }

    fetchOpenOrder(...[id, , params = {}]: Given<"fetchOrder">) {
      return fetchOrder(this.#desk, id, params);
    }

    override fetchOrder(...[id, , params = {}]: Given<"fetchOrder">) {
      return fetchOrder(this.#desk, id, params);
    }
  };
}
