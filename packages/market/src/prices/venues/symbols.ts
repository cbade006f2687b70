import type { PairId } from "@propgate/core";

/**
 * The name of each pair at each venue, from the catalogue: `BTCUSD` is `BTC/USDC:USDC` at `hyperliquid`.
 *
 * - Venues of ccxt: ccxt's unified symbol. The name under `ccxt` applies at every venue of ccxt without a name of its
 *   own.
 * - `oanda`: the name of the v20 interface, such as `EUR_USD`. `tiingo`: the ticker in lower case, such as `eurusd` or
 *   `aapl`.
 * - `massive`: `AAPL`; for currencies and crypto the prefix of the market before the ticker of its WebSocket,
 *   `C:EUR-USD` and `X:BTC-USD`. `alpaca`: `AAPL`, and `BTC/USD` for crypto.
 */
export type VenueSymbols = ReadonlyMap<PairId, Readonly<Record<string, string>>>;

/** The name under which the catalogue has the symbol for every venue of ccxt. */
export const CCXT_SYMBOL = "ccxt";

/**
 * The pairs that a venue quotes, each with its symbol there. The venue's own name has priority over the one under
 * `fallback`, which is `CCXT_SYMBOL` for a venue of ccxt and null for others.
 */
export function symbolsAt(
  symbols: VenueSymbols,
  venue: string,
  fallback: typeof CCXT_SYMBOL | null,
): ReadonlyMap<PairId, string> {
  const found = new Map<PairId, string>();
  for (const [pair, names] of symbols) {
    const symbol = names[venue] ?? (fallback === null ? undefined : names[fallback]);
    if (symbol !== undefined) found.set(pair, symbol);
  }
  return found;
}
