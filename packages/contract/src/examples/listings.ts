import type { Payouts } from "../resources/payout.ts";
import type { PendingOrder } from "../resources/pending-order.ts";
import type { PositionItem } from "../resources/position.ts";
import type { TradeItem } from "../resources/trade.ts";
import { NO_DISTANCE, UNUSED } from "./unused-fields.ts";

/** An example answer of GET positions: the open position of the example account `ACCOUNT_STATIC`. */
export const POSITIONS: readonly PositionItem[] = [
  {
    positionUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24",
    tradePair: "BTCUSD",
    tradePairDisplay: "BTC/USD",
    positionType: "LONG",
    netLeverage: 0.45288,
    netQuantity: 0.5,
    averageEntryPrice: 90_000,
    currentReturn: 1.005,
    openMs: 1_767_776_400_000,
    unrealizedPnl: 500,
    realizedPnl: 0,
    netValue: 45_500,
    cumulativeEntryValue: 45_000,
    stopLoss: 88_000,
    takeProfit: 95_000,
    breachPriceAlone: 79_978.83,
    isStale: false,
  },
];

const PLAIN = { ...UNUSED, ...NO_DISTANCE, currentStop: null, bestPrice: null } as const;

/** An example answer of GET orders: the leg of the open position of `ACCOUNT_STATIC`, and an entry. */
export const PENDING_ORDERS: readonly PendingOrder[] = [
  {
    ...PLAIN,
    orderUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24-bracket-0",
    tradePair: "BTCUSD",
    tradePairDisplay: "BTC/USD",
    orderType: "LONG",
    executionType: "BRACKET",
    processedMs: 1_767_776_400_000,
    limitPrice: null,
    stopLoss: 88_000,
    takeProfit: 95_000,
    positionUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24",
    reduceOnly: true,
    bracketOrders: null,
  },
  {
    ...PLAIN,
    orderUuid: "b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d",
    tradePair: "ETHUSD",
    tradePairDisplay: "ETH/USD",
    orderType: "LONG",
    executionType: "LIMIT",
    processedMs: 1_767_778_200_000,
    limitPrice: 2_900,
    value: 10_000,
    stopLoss: 2_800,
    takeProfit: null,
    positionUuid: null,
    reduceOnly: false,
    bracketOrders: [
      {
        orderUuid: null,
        stopLoss: 2_800,
        takeProfit: null,
        quantity: null,
        value: null,
        leverage: null,
        bracketPct: null,
        trailingPercent: null,
        trailingValue: null,
      },
    ],
  },
];

/** An example answer of GET trades: the closed trades of `ACCOUNT_STATIC`. */
export const TRADES: readonly TradeItem[] = [
  {
    id: "3a5c7e90-1b3d-4f5a-b7c9-d1e3f5a7b9c1",
    tradePair: "EURUSD",
    tradePairDisplay: "EUR/USD",
    positionType: "SHORT",
    leverage: "1.09x",
    leverageNumeric: 1.089306,
    positionSize: "$110,000.00",
    positionSizeNumeric: 110_000,
    quantity: -1,
    entryPrice: "1.1000",
    entryPriceNumeric: 1.1,
    closePrice: "1.1050",
    closePriceNumeric: 1.105,
    unrealizedPnl: 0,
    realizedPnl: -500,
    returnAtClose: 0.995,
    status: "CLOSED",
    openTimeMs: 1_767_690_000_000,
    closeTimeMs: 1_767_708_000_000,
    stopLoss: null,
    takeProfit: null,
    totalFees: 0,
  },
  {
    id: "9c8b7a65-4d3e-4f2a-8b1c-0d9e8f7a6b5c",
    tradePair: "ETHUSD",
    tradePairDisplay: "ETH/USD",
    positionType: "LONG",
    leverage: "0.30x",
    leverageNumeric: 0.3,
    positionSize: "$30,000.00",
    positionSizeNumeric: 30_000,
    quantity: 10,
    entryPrice: "3000.00",
    entryPriceNumeric: 3_000,
    closePrice: "3100.00",
    closePriceNumeric: 3_100,
    unrealizedPnl: 0,
    realizedPnl: 1_000,
    returnAtClose: 1.01,
    status: "CLOSED",
    openTimeMs: 1_767_607_200_000,
    closeTimeMs: 1_767_625_200_000,
    stopLoss: 2_950,
    takeProfit: 3_100,
    totalFees: 18.3,
  },
];

/**
 * The payouts of a funded account with an 80 % split: a profit of 500 in its first week, 400 more in the second, and
 * 200 so far in the current week.
 */
export const PAYOUTS_FIRST_PAGE: Payouts = {
  items: [
    {
      id: "po_1a3c5e7f-9b2d-4e6f-8a0c-2d4f6b8e0a1c_1767571200000",
      periodStartMs: 1_766_966_400_000,
      periodEndMs: 1_767_571_200_000,
      amount: 320,
      currency: "USD",
      profitSplit: "80%",
      profitSplitPercent: 80,
      status: "pending",
      rail: "manual",
      provider: "manual",
      reference: null,
      alphaAmount: null,
      alphaDestination: null,
      requestedAtMs: null,
      paidAtMs: null,
      paidAmount: null,
      createdAtMs: 1_767_571_200_000,
    },
    {
      id: "po_1a3c5e7f-9b2d-4e6f-8a0c-2d4f6b8e0a1c_1766966400000",
      periodStartMs: 1_766_361_600_000,
      periodEndMs: 1_766_966_400_000,
      amount: 400,
      currency: "USD",
      profitSplit: "80%",
      profitSplitPercent: 80,
      status: "paid",
      rail: "onchain",
      provider: "base-usdc",
      reference: "tx-5f21c8",
      alphaAmount: null,
      alphaDestination: null,
      requestedAtMs: 1_766_998_800_000,
      paidAtMs: 1_767_085_200_000,
      paidAmount: 400,
      createdAtMs: 1_766_966_400_000,
    },
  ],
  nextCursor: null,
  accrualStatus: "ok",
  accrual: {
    estimatedAmount: 160,
    windowStartMs: 1_767_571_200_000,
    asOfMs: 1_767_780_000_000,
    priorUnpaidAmount: 320,
    earliestUnpaidPeriodStartMs: 1_766_966_400_000,
    deferredBalance: null,
  },
};
