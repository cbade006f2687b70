import type { InstrumentItem, Linked, QuoteItem } from "@propgate/contract";
import type { Dict, LeverageTier, MarketInterface, Ticker, TradingFeeInterface } from "ccxt";
import { API_CALLS, callApi } from "./calls.ts";
import { ccxtError, type ExchangeContext } from "./ccxt-module.ts";

/** The currency in which every account and every market is settled. */
export const SETTLE_CURRENCY = "USD";
const SMALL_ACCOUNT_MAX = 10_000;
const PERCENT = 100;

/**
 * Every pair as a linear swap that is settled in USD, such as `BTC/USD:USD`: a pair is never delivered, may be sold
 * short, and its gain is paid in USD, which ccxt calls a swap. One contract is one lot, so ccxt's amount is the
 * service's quantity.
 */
export async function fetchMarkets(desk: ExchangeContext): Promise<MarketInterface[]> {
  const { exchange } = desk;
  if (exchange.options.adjustForTimeDifference === true) await exchange.loadTimeDifference();
  const instruments = await callApi(desk, API_CALLS.instruments);
  const isSmall = instruments.some((one) => one.gridStepSmallAccount !== null)
    ? (await callApi(desk, API_CALLS.account)).evaluation.effectiveAccountSizeNumeric <=
      SMALL_ACCOUNT_MAX
    : false;
  return instruments.map((one) => marketOf(desk, one, isSmall));
}

function marketOf(
  { exchange }: ExchangeContext,
  item: InstrumentItem<Linked>,
  isSmall: boolean,
): MarketInterface {
  const base = exchange.safeCurrencyCode(item.base) ?? item.base;
  const quote = exchange.safeCurrencyCode(item.quoteCurrency) ?? item.quoteCurrency;
  const step = (isSmall ? item.gridStepSmallAccount : null) ?? item.gridStep ?? undefined;
  const fee = item.feePercent === null ? undefined : item.feePercent / PERCENT;
  return {
    id: item.tradePair,
    symbol: `${base}/${quote}:${SETTLE_CURRENCY}`,
    base,
    quote,
    settle: SETTLE_CURRENCY,
    baseId: item.base,
    quoteId: item.quoteCurrency,
    settleId: SETTLE_CURRENCY,
    type: "swap",
    spot: false,
    margin: false,
    swap: true,
    future: false,
    option: false,
    contract: true,
    linear: true,
    inverse: false,
    subType: "linear",
    active: item.isTradable,
    contractSize: item.lotSize ?? undefined,
    taker: fee,
    maker: fee,
    percentage: true,
    tierBased: false,
    feeSide: "quote",
    expiry: undefined,
    expiryDatetime: undefined,
    strike: undefined,
    optionType: undefined,
    precision: { amount: step, price: item.tick ?? undefined },
    marginModes: { cross: true, isolated: false },
    limits: {
      amount: { min: item.leastQuantity ?? step, max: undefined },
      // ccxt's minimum cost is in the quote currency and the service's minimum value in USD, so only a pair that is
      // quoted in USD has one.
      cost: { min: (item.quoteIsUsd ? item.leastValue : null) ?? undefined, max: undefined },
      leverage: { min: undefined, max: item.leverageCap ?? undefined },
      price: { min: undefined, max: undefined },
    },
    created: undefined,
    info: item,
  };
}

/** The fee of every market, which is the same for makers and takers. */
export async function fetchTradingFees(
  desk: ExchangeContext,
): Promise<Record<string, TradingFeeInterface>> {
  const markets = await desk.exchange.loadMarkets();
  return Object.fromEntries(
    Object.values(markets).flatMap((market) => {
      if (market === undefined) return [];
      const { symbol, maker, taker, percentage, tierBased, info } = market;
      return [[symbol, { info, symbol, maker, taker, percentage, tierBased }]];
    }),
  );
}

/**
 * The leverage tiers: one for each market, with the market's cap as a multiple of the balance. There is no maintenance
 * margin.
 */
export async function fetchLeverageTiers(
  desk: ExchangeContext,
  symbols: readonly string[] | undefined,
): Promise<Record<string, LeverageTier[]>> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const wanted = exchange.marketSymbols(symbols === undefined ? exchange.symbols : [...symbols]);
  const tiers = (wanted ?? []).map((symbol): [string, LeverageTier[]] => {
    const { limits, info } = exchange.market(symbol);
    const tier = {
      tier: 1,
      symbol,
      currency: SETTLE_CURRENCY,
      minNotional: 0,
      maxNotional: undefined,
    };
    const { max: maxLeverage } = limits.leverage ?? {};
    return [symbol, [{ ...tier, maintenanceMarginRate: undefined, maxLeverage, info }]];
  });
  return Object.fromEntries(tiers);
}

/** The newest quotes by symbol. Fields that a quote does not have, such as the last trade, are undefined. */
export async function fetchTickers(
  desk: ExchangeContext,
  symbols: readonly string[] | undefined,
): Promise<Record<string, Ticker>> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const wanted = exchange.marketSymbols(symbols === undefined ? undefined : [...symbols]);
  const quotes = await callApi(desk, API_CALLS.quotes);
  const tickers = quotes.map((quote) => tickerOf(desk, quote));
  return exchange.filterByArrayTickers(tickers, "symbol", wanted);
}

/** A quote of the service as ccxt's ticker. */
export function tickerOf({ exchange }: ExchangeContext, quote: QuoteItem): Ticker {
  const market = exchange.safeMarket(quote.tradePair);
  const ticker: Dict = {
    symbol: exchange.safeString(market, "symbol"),
    timestamp: quote.atMs,
    datetime: exchange.iso8601(quote.atMs),
    bid: quote.bid,
    ask: quote.ask,
    info: quote,
  };
  return exchange.safeTicker(ticker, market);
}

/** The quote of one pair. Throws OperationRejected when the pair has no quote. */
export async function fetchTicker(desk: ExchangeContext, symbol: string): Promise<Ticker> {
  await desk.exchange.loadMarkets();
  const market = desk.exchange.market(symbol);
  const ticker = (await fetchTickers(desk, [symbol]))[market.symbol];
  if (ticker !== undefined) return ticker;
  throw ccxtError(desk, "OperationRejected", `there is no quote of ${market.symbol} yet`);
}
