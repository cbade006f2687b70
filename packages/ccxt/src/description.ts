import { DEFAULT_BRAND } from "@propgate/contract";
import { CALLS, RATE } from "./calls.ts";
import { TIMEFRAMES } from "./candles.ts";

/** This exchange's part of ccxt's `describe`. */
export function description() {
  return {
    id: "propgate",
    name: "Propgate",
    countries: [],
    version: "v1",
    certified: false,
    pro: false,
    enableRateLimit: true,
    ...RATE,
    has: HAS,
    timeframes: TIMEFRAMES,
    urls: { api: undefined, test: undefined, doc: [] },
    api: {
      private: { get: costsOf("private", "GET"), post: costsOf("private", "POST") },
      public: { get: costsOf("public", "GET") },
    },
    requiredCredentials: { apiKey: true, secret: true },
    fees: { trading: { tierBased: false, percentage: true } },
    options: { brand: DEFAULT_BRAND, adjustForTimeDifference: false, timeDifference: 0 },
  } as const;
}

/** The cost of each path of ccxt's implicit methods, such as `privateGetTradingAccount`. */
function costsOf(api: "private" | "public", method: "GET" | "POST"): Record<string, number> {
  const calls = Object.values(CALLS).filter((call) => call.api === api && call.method === method);
  return Object.fromEntries(calls.map(({ path, cost }) => [path, cost]));
}

/**
 * True for a feature of the service, 'emulated' for a feature made from others, false for an impossible
 * one. Prices have bid and ask only: no order book and no public trades.
 */
export const HAS = {
  CORS: false,
  sandbox: true,
  spot: false,
  margin: false,
  swap: true,
  future: false,
  option: false,
  ws: false,
  cancelAllOrders: true,
  cancelAllOrdersAfter: true,
  cancelOrder: true,
  cancelOrders: true,
  closeAllPositions: true,
  closePosition: true,
  createLimitOrder: true,
  createMarketBuyOrderWithCost: true,
  createMarketOrder: true,
  createMarketOrderWithCost: true,
  createMarketOrderWs: false,
  createMarketSellOrderWithCost: true,
  createOrder: true,
  createOrderWithTakeProfitAndStopLoss: true,
  createPostOnlyOrder: false,
  createReduceOnlyOrder: true,
  createStopLimitOrder: true,
  createStopLossOrder: true,
  createStopMarketOrder: false,
  createTakeProfitOrder: true,
  createTrailingAmountOrder: true,
  createTrailingPercentOrder: true,
  createTriggerOrder: true,
  editOrder: true,
  fetchBalance: true,
  fetchBidsAsks: true,
  fetchCanceledOrders: true,
  fetchClosedOrders: true,
  fetchFundingRate: false,
  fetchL2OrderBook: false,
  fetchLeverage: false,
  fetchMarkets: true,
  fetchMyTrades: true,
  fetchOHLCV: true,
  fetchOpenOrder: "emulated",
  fetchOpenOrders: true,
  fetchOrder: true,
  fetchOrderBook: false,
  fetchOrderWithClientOrderId: true,
  fetchOrders: true,
  fetchPosition: true,
  fetchPositions: true,
  fetchPositionsHistory: true,
  fetchStatus: true,
  fetchTicker: true,
  fetchTickers: true,
  fetchTime: true,
  fetchTrades: false,
  setLeverage: false,
  setMarginMode: false,
  setPositionMode: false,
  withdraw: false,
} as const;
