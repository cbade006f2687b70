import type { SwitchResult } from "../dead-mans-switch/switch-result.ts";
import type { CandleItem } from "../resources/candle.ts";
import { NO_DIFFERENCE } from "../resources/fill-difference.ts";
import type { InstrumentItem, QuoteItem } from "../resources/instrument.ts";
import type { Preview } from "../resources/preview.ts";
import type { Receipt } from "../resources/receipt.ts";
import { ORDER_FILLED } from "./order-results.ts";

/** The answer of GET instruments for the account `ACCOUNT_STATIC`, with one pair of the catalogue. */
export const INSTRUMENTS: readonly InstrumentItem[] = [
  {
    tradePair: "BTCUSD",
    tradePairDisplay: "BTC/USD",
    aliases: ["XBTUSD"],
    assetClass: "crypto",
    base: "BTC",
    quoteCurrency: "USD",
    quoteIsUsd: true,
    lotSize: 1,
    lotUnit: "1 BTC",
    gridStep: 0.00001,
    gridStepSmallAccount: null,
    tick: 0.01,
    priceStep: null,
    leastQuantity: null,
    leastValue: 10,
    leverageCap: 1.5,
    feePercent: 0.03,
    carryPercent: 0.03,
    carryBasis: "daily",
    borrowPercent: 0,
    funding: null,
    session: "crypto",
    isOpen: true,
    changesAtMs: null,
    isTradable: true,
    staleAfterMs: 60_000,
  },
  {
    tradePair: "EURUSD",
    tradePairDisplay: "EUR/USD",
    aliases: [],
    assetClass: "forex",
    base: "EUR",
    quoteCurrency: "USD",
    quoteIsUsd: true,
    lotSize: 100_000,
    lotUnit: "100,000 EUR",
    gridStep: 0.01,
    gridStepSmallAccount: 0.0001,
    tick: 0.00001,
    priceStep: null,
    leastQuantity: 0.01,
    leastValue: null,
    leverageCap: 10,
    feePercent: 0,
    carryPercent: 3,
    carryBasis: "yearly",
    borrowPercent: 0,
    funding: null,
    session: "forex",
    isOpen: true,
    changesAtMs: 1_767_996_000_000,
    isTradable: false,
    staleAfterMs: 60_000,
  },
];

/** The answer of GET quotes: a fresh quote and a stale one. */
export const QUOTES: readonly QuoteItem[] = [
  { tradePair: "BTCUSD", bid: 91_000, ask: 91_000, atMs: 1_767_780_000_000, isStale: false },
  { tradePair: "ETHUSD", bid: 3_100, ask: 3_100.5, atMs: 1_767_779_000_000, isStale: true },
];

/**
 * Minute candles: a complete one, then one that still changes. The minute between them has no quotes and so no candle.
 */
export const CANDLES: readonly CandleItem[] = [
  {
    startMs: 1_767_779_880_000,
    bid: { open: 90_940, high: 90_985.5, low: 90_931.25, close: 90_970 },
    ask: { open: 90_942, high: 90_988, low: 90_933.25, close: 90_972 },
    mid: { open: 90_941, high: 90_986.75, low: 90_932.25, close: 90_971 },
    quoteCount: 41,
    isComplete: true,
  },
  {
    startMs: 1_767_780_000_000,
    bid: { open: 91_000, high: 91_000, low: 91_000, close: 91_000 },
    ask: { open: 91_000, high: 91_000, low: 91_000, close: 91_000 },
    mid: { open: 91_000, high: 91_000, low: 91_000, close: 91_000 },
    quoteCount: 1,
    isComplete: false,
  },
];

const NOTHING = {
  result: null,
  cancelAllAfter: null,
  status: null,
  error: null,
  refusalCode: null,
} as const;

export const RECEIPT_ACCEPTED: Receipt = {
  ...NOTHING,
  nonce: "5f0d8a1c7e3b49a2b6c4d8e0f1a2b3c4",
  fate: "accepted",
  receivedAtMs: 1_767_776_400_000,
  result: ORDER_FILLED,
};

/** The answer of a request that arms the switch for a minute from 2026-01-07 10:00 UTC. */
export const SWITCH_ARMED: SwitchResult = {
  cancelAllAfter: { atMs: 1_767_780_060_000, seconds: 60, action: "flatten" },
  processing_time: 0.004,
};

/** The answer of a request after which no switch is armed. */
export const SWITCH_ENDED: SwitchResult = { cancelAllAfter: null, processing_time: 0.003 };

export const RECEIPT_REJECTED: Receipt = {
  ...NOTHING,
  nonce: "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
  fate: "rejected",
  receivedAtMs: 1_767_776_460_000,
  status: 400,
  error: "'limit_price' is required",
};

export const RECEIPT_PENDING: Receipt = {
  ...NOTHING,
  nonce: "9c8b7a6d5e4f30211203f4e5d6c7b8a9",
  fate: "pending",
  receivedAtMs: 1_767_780_000_000,
};

export const RECEIPT_UNSEEN: Receipt = {
  ...NOTHING,
  nonce: "3e2d1c0b9a8f7e6d5c4b3a2f1e0d9c8b",
  fate: "unseen",
  receivedAtMs: null,
};

export const RECEIPT_WITHDRAWN: Receipt = {
  ...NOTHING,
  nonce: "7b6a5948372615f4e3d2c1b0a9f8e7d6",
  fate: "withdrawn",
  receivedAtMs: null,
};

/** An order of 0.5 BTC at 91,000 with a stop at 88,000, on an account of 100,000 without a position. */
export const ORDER_PREVIEW: Preview = {
  tradePair: "BTCUSD",
  orderType: "LONG",
  quantity: 0.5,
  value: 45_500,
  leverage: 0.455,
  bindingCap: null,
  ...NO_DIFFERENCE,
  price: 91_000,
  slippage: 0,
  fee: 13.65,
  accountLeverageAfter: 0.455062,
  buyingPowerAfter: 104_479.525,
  limitsAfter: [
    {
      rule: "dailyLoss",
      limit: "dailyLoss",
      checked: "live",
      remaining: 4_986.35,
      remainingIfStopped: 3_473.15,
      breachedIfStopped: false,
    },
    {
      rule: "static",
      limit: "maxLoss",
      checked: "live",
      remaining: 4_986.35,
      remainingIfStopped: 3_473.15,
      breachedIfStopped: false,
    },
  ],
  lossIfStopped: 1_526.85,
  ended: null,
};
