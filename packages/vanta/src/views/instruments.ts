import type { AssetClassWord, InstrumentItem, Linked } from "@propgate/contract";
import type { MicroUsd } from "@propgate/core";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPair, LinkedPairs } from "../dashboard/pairs.ts";
import { effectiveSize, isLinkedPro, linkedStatus } from "./phase.ts";

type MarketClass = InstrumentItem<Linked>["assetClass"];

/**
 * The network's pairs with this account's limits, in the network's order. The network sends neither ticks, fees, carry
 * nor sessions: these are null. A pair of an unknown market is left out. @rule D9.instruments
 */
export function linkedInstrumentViews(
  readings: LinkedReadings,
  { pairs }: LinkedPairs,
): readonly InstrumentItem<Linked>[] {
  return pairs.flatMap((pair) => {
    const market = marketOf(pair);
    return market === null ? [] : [instrumentItem(pair, market, readings)];
  });
}

function instrumentItem(
  pair: LinkedPair,
  market: MarketClass,
  readings: LinkedReadings,
): InstrumentItem<Linked> {
  const { base, quote } = currenciesOf(pair);
  const lotSize = lotSizeOf(pair, market);
  return {
    tradePair: pair.id,
    tradePairDisplay: pair.display,
    aliases: [],
    assetClass: market,
    base,
    quoteCurrency: quote,
    quoteIsUsd: isUsd(quote),
    lotSize,
    lotUnit: `${lotSize.toLocaleString("en-US")} ${base}`,
    ...sizesOf(market, effectiveSize(readings)),
    leverageCap: readings.limits?.pairCaps[pair.id] ?? null,
    ...UNKNOWN_TERMS,
    // Markets of Hyperliquid never close; the hours of others are not sent.
    isOpen: pair.source === "hyperliquid" ? true : null,
    isTradable: isTradable(pair, market, readings),
  };
}

const UNKNOWN_TERMS = {
  tick: null,
  priceStep: null,
  feePercent: null,
  carryPercent: null,
  carryBasis: null,
  borrowPercent: null,
  funding: null,
  session: null,
  changesAtMs: null,
  staleAfterMs: null,
} as const;

const MARKETS: ReadonlyMap<string, MarketClass> = new Map(
  (["crypto", "forex", "indices", "equities", "commodities"] as const).map((one) => [one, one]),
);

/** The ounces in a lot of each metal. The network lists metals as forex. */
const METAL_OUNCES: ReadonlyMap<string, number> = new Map([
  ["XAUUSD", 100],
  ["XAGUSD", 5000],
]);

function marketOf({ id, category }: LinkedPair): MarketClass | null {
  if (METAL_OUNCES.has(id)) return "commodities";
  return category === null ? null : (MARKETS.get(category) ?? null);
}

/** The currencies of a pair. Without a slash, as in `BRK.B`, the quote is USD. */
function currenciesOf({ display }: LinkedPair): { readonly base: string; readonly quote: string } {
  const [base = display, quote = "USD"] = display.split("/");
  return { base, quote };
}

const FOREX_LOT = 100_000;

/** @rule S2.2.lotUnit */
function lotSizeOf({ id }: LinkedPair, market: MarketClass): number {
  return METAL_OUNCES.get(id) ?? (market === "forex" ? FOREX_LOT : 1);
}

function isUsd(currency: string): boolean {
  return currency === "USD" || currency === "USDC";
}

/** The lot of a pair; null when the pair or its market is not known. */
export function lotOf(
  pair: LinkedPair | null,
): { readonly size: number; readonly isQuotedInUsd: boolean } | null {
  const market = pair === null ? null : marketOf(pair);
  if (pair === null || market === null) return null;
  return { size: lotSizeOf(pair, market), isQuotedInUsd: isUsd(currenciesOf(pair).quote) };
}

const SMALL_ACCOUNT_MAX = 10_000_000_000;
const FOREX_STEP = 0.01;
const FOREX_STEP_SMALL_ACCOUNT = 0.0001;
const STEP = 0.00001;
const LEAST_SHARE = 0.01;
const LEAST_VALUE = 10;

/** The network's grid in lots, and its minimum in lots or dollars. */
function sizesOf(
  market: MarketClass,
  size: MicroUsd,
): Pick<
  InstrumentItem<Linked>,
  "gridStep" | "gridStepSmallAccount" | "leastQuantity" | "leastValue"
> {
  if (market === "forex") {
    const isSmall = size <= SMALL_ACCOUNT_MAX;
    return {
      gridStep: FOREX_STEP,
      gridStepSmallAccount: FOREX_STEP_SMALL_ACCOUNT,
      leastQuantity: isSmall ? FOREX_STEP_SMALL_ACCOUNT : FOREX_STEP,
      leastValue: null,
    };
  }
  const isShare = market === "equities";
  return {
    gridStep: STEP,
    gridStepSmallAccount: null,
    leastQuantity: isShare ? LEAST_SHARE : null,
    leastValue: isShare ? null : LEAST_VALUE,
  };
}

/** The markets in which each class of account trades, by the source of the pair. */
const TRADED: Readonly<
  Record<AssetClassWord, Readonly<Record<"vanta" | "hyperliquid", readonly MarketClass[]>>>
> = {
  crypto: { vanta: [], hyperliquid: ["crypto"] },
  forex: { vanta: ["forex"], hyperliquid: [] },
  equities: { vanta: ["equities"], hyperliquid: [] },
  commodities: { vanta: [], hyperliquid: ["commodities"] },
  indices: { vanta: [], hyperliquid: ["indices"] },
  hl_all: { vanta: [], hyperliquid: [...MARKETS.values()] },
  all_markets: { vanta: ["forex", "equities"], hyperliquid: [...MARKETS.values()] },
};

function isTradable(pair: LinkedPair, market: MarketClass, readings: LinkedReadings): boolean {
  const { source } = pair;
  if (linkedStatus(readings) !== "active" || pair.trading !== "open") return false;
  if (isLinkedPro(readings) && pair.isPro !== true) return false;
  if (source !== "vanta" && source !== "hyperliquid") return false;
  return TRADED[readings.info.assetClass][source].includes(market);
}
