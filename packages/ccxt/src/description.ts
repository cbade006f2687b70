import { DEFAULT_BRAND, LIMITS } from "@propgate/contract";
import { API_CALLS, THROTTLE_SETTINGS } from "./calls.ts";
import { TIMEFRAMES } from "./candles.ts";

/** The part of ccxt's `describe` that differs for this exchange. */
export function describeExchange() {
  return {
    id: "propgate",
    name: "Propgate",
    countries: [],
    version: "v1",
    certified: false,
    pro: true,
    enableRateLimit: true,
    ...THROTTLE_SETTINGS,
    has: HAS,
    timeframes: TIMEFRAMES,
    urls: { api: undefined, test: undefined, doc: [] },
    api: {
      private: { get: costsOf("private", "GET"), post: costsOf("private", "POST") },
      public: { get: costsOf("public", "GET") },
    },
    requiredCredentials: { apiKey: true, secret: true },
    fees: { trading: { tierBased: false, percentage: true } },
    features: {
      spot: undefined,
      swap: { linear: FEATURES, inverse: undefined },
      future: { linear: undefined, inverse: undefined },
    },
    options: { brand: DEFAULT_BRAND, adjustForTimeDifference: false, timeDifference: 0 },
  } as const;
}

/** The cost of each path. From the paths ccxt makes its implicit methods, such as `privateGetTradingAccount`. */
function costsOf(api: "private" | "public", method: "GET" | "POST"): Record<string, number> {
  const calls = Object.values(API_CALLS).filter(
    (call) => call.api === api && call.method === method,
  );
  return Object.fromEntries(calls.map(({ path, cost }) => [path, cost]));
}

const FEATURES = featuresOfSwaps();

/** ccxt's `features`: the parameters and limits of the methods. */
function featuresOfSwaps() {
  const orders = { marginMode: false, trigger: false, trailing: false, symbolRequired: false };
  const days = { daysBack: undefined, untilDays: undefined };
  return {
    sandbox: true,
    createOrder: {
      marginMode: false,
      triggerPrice: true,
      triggerPriceType: undefined,
      triggerDirection: true,
      stopLossPrice: true,
      takeProfitPrice: true,
      attachedStopLossTakeProfit: {
        triggerPriceType: undefined,
        triggerPrice: true,
        type: false,
        price: false,
      },
      timeInForce: { IOC: true, FOK: false, PO: false, GTD: false },
      hedged: false,
      trailing: true,
      leverage: false,
      marketBuyByCost: true,
      marketBuyRequiresPrice: false,
      selfTradePrevention: false,
      iceberg: false,
    },
    createOrders: undefined,
    fetchMyTrades: {
      marginMode: false,
      limit: LIMITS.eventsLimitMax,
      symbolRequired: false,
      ...days,
    },
    fetchOrder: orders,
    fetchOpenOrders: { ...orders, limit: undefined },
    fetchOrders: { ...orders, ...days, limit: LIMITS.eventsLimitMax },
    fetchClosedOrders: {
      ...orders,
      ...days,
      daysBackCanceled: undefined,
      limit: LIMITS.eventsLimitMax,
    },
    fetchOHLCV: { limit: LIMITS.candlesLimitMax },
  };
}

/**
 * ccxt's `has`. True for a feature of the service, 'emulated' for one that is made from others, false for one that is
 * impossible. Prices have bid and ask only, so there is no order book and there are no public trades.
 */
export const HAS = {
  CORS: false,
  sandbox: true,
  spot: false,
  margin: false,
  swap: true,
  future: false,
  option: false,
  ws: true,
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
  fetchLeverageTiers: true,
  fetchMarketLeverageTiers: "emulated",
  fetchMarkets: true,
  fetchMyTrades: true,
  fetchOHLCV: true,
  fetchOpenOrder: "emulated",
  fetchOpenOrders: true,
  fetchOrder: true,
  fetchOrderBook: false,
  fetchOrderTrades: true,
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
  fetchTradingFee: "emulated",
  fetchTradingFees: true,
  setLeverage: false,
  setMarginMode: false,
  setPositionMode: false,
  unWatchBalance: true,
  unWatchMyTrades: true,
  unWatchOrders: true,
  unWatchPositions: true,
  unWatchTicker: true,
  unWatchTickers: true,
  watchBalance: true,
  watchMyTrades: true,
  watchOHLCV: false,
  watchOrderBook: false,
  watchOrders: true,
  watchPosition: false,
  watchPositions: true,
  watchTicker: true,
  watchTickers: true,
  watchTrades: false,
  withdraw: false,
} as const;
