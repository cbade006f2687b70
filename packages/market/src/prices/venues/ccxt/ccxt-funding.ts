import { type PairId, type Ratio, ratio, type UnixMs } from "@propgate/core";
import type { FundingSource } from "../../funding/funding-source.ts";
import type { Exchange } from "./ccxt-library.ts";
import { isListed } from "./ccxt-source.ts";
import { type ExchangeOptions, openExchange } from "./open-exchange.ts";

/**
 * The venues of ccxt whose perpetual futures all settle every hour, and whose history has the rate that was settled at
 * each hour. OKX, Bybit and Binance settle every 8 hours, in some markets every 4 hours or every hour, and their rate
 * is settled only at the end. Such a rate cannot be divided into hourly rates, because the venue does not settle them.
 */
export const HOURLY_VENUES: readonly string[] = ["hyperliquid"];

const HOUR_MS = 3_600_000;
/** The history is read from this long before the hour, because a venue's clock may be behind. */
const EARLY_MS = 60_000;

/**
 * A source of the settled funding rates of a venue. It reads the venue's history, because the present rate is only an
 * estimate for the next hour.
 */
export function createCcxtFunding(
  options: Omit<ExchangeOptions, "symbols" | "signal"> & {
    /** ccxt's symbol of each pair. */
    readonly symbols: ReadonlyMap<PairId, string>;
  },
): FundingSource {
  const { venue, symbols } = options;
  const ending = new AbortController();
  const unlisted = new Set<PairId>();
  let loaded: { readonly exchange: Exchange; readonly hourMs: UnixMs } | null = null;

  /**
   * The exchange with the venue's markets; null when it does not list the symbol. The markets are loaded once, and
   * again at a later hour when the symbol is not listed.
   */
  async function exchangeWith(symbol: string, hourMs: UnixMs): Promise<Exchange | null> {
    if (loaded === null || (loaded.hourMs !== hourMs && !isListed(loaded.exchange, symbol))) {
      const exchange = openExchange({
        ...options,
        symbols: [...symbols.values()],
        signal: ending.signal,
      });
      await exchange.loadHttpProxyAgent();
      await exchange.loadMarkets();
      loaded = { exchange, hourMs };
    }
    // There is no warning here, because the source of the venue's prices already warns of symbols that are not listed.
    return isListed(loaded.exchange, symbol) ? loaded.exchange : null;
  }

  return {
    name: venue,
    pairs: [...symbols.keys()],
    async rateOf(pair, hourMs) {
      const symbol = symbols.get(pair);
      if (symbol === undefined) return null;
      const exchange = await exchangeWith(symbol, hourMs);
      if (exchange === null) {
        unlisted.add(pair);
        return null;
      }
      unlisted.delete(pair);
      const history = await exchange.fetchFundingRateHistory(symbol, hourMs - EARLY_MS);
      // Venues settle some milliseconds after the hour, so times are compared by their nearest hour.
      const settled = history.find(({ timestamp }) => nearestHour(timestamp) === hourMs);
      return settled === undefined ? null : readRate(settled.fundingRate, `${venue}'s ${symbol}`);
    },
    unlisted: () => [...unlisted],
    stop: () => ending.abort(),
  };
}

function nearestHour(atMs: number | undefined): number | null {
  return atMs === undefined ? null : Math.round(atMs / HOUR_MS) * HOUR_MS;
}

function readRate(rate: unknown, whose: string): Ratio {
  if (typeof rate === "number" && Math.abs(rate) <= 1) return ratio(rate);
  throw new Error(`${whose} has an unreadable funding rate`);
}
