import { createVenueFetch } from "./ccxt-fetch.ts";
import type { Exchange, ExchangeClass } from "./ccxt-library.ts";
import { hostsOf, withOrigin } from "./venue-addresses.ts";
import { venueOverridesOf } from "./venue-overrides.ts";

export interface ExchangeOptions {
  readonly venue: string;
  readonly make: ExchangeClass;
  /** The origin that replaces the venue's own in all addresses; null keeps the venue's own. */
  readonly origin: string | null;
  /** The ccxt symbols that will be watched. They decide which kinds of markets are loaded. */
  readonly symbols: readonly string[];
  /** When this signal aborts, all requests of the exchange end. */
  readonly signal: AbortSignal;
}

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const HANDSHAKE_MS = 15_000;

/**
 * Makes a ccxt exchange that reaches only its venue. It has no API keys, and no compression, because decompressed
 * messages would queue.
 */
export function openExchange(options: ExchangeOptions): Exchange {
  const exchange = new options.make({
    enableRateLimit: true,
    newUpdates: true,
    options: {
      ws: {
        options: {
          followRedirects: false,
          handshakeTimeout: HANDSHAKE_MS,
          maxPayload: MESSAGE_BYTES_MAX,
          perMessageDeflate: false,
        },
      },
    },
  });
  const own: unknown = exchange.urls.api;
  const api = options.origin === null ? own : withOrigin(own, options.origin);
  Object.assign(exchange.urls, { api });
  if (venueOverridesOf(options.venue).needsCurrencies !== true)
    exchange.has.fetchCurrencies = false;
  limitMarketTypes(exchange, options.symbols);
  exchange.fetchImplementation = createVenueFetch(
    hostsOf(api, exchange.hostname ?? ""),
    options.signal,
  );
  return exchange;
}

/**
 * Limits loading to the kinds of markets that the symbols need. A venue may list tens of thousands of option contracts
 * alone.
 */
function limitMarketTypes(exchange: Exchange, symbols: readonly string[]): void {
  const loading: unknown = exchange.options.fetchMarkets;
  if (typeof loading !== "object" || loading === null || !("types" in loading)) return;
  const { types } = loading;
  if (!Array.isArray(types)) return;
  const needed = types.filter((type) => typeof type !== "string" || isNeeded(type, symbols));
  if (needed.length > 0) Object.assign(loading, { types: needed });
}

function isNeeded(type: string, symbols: readonly string[]): boolean {
  const isContract = (symbol: string): boolean => symbol.includes(":");
  const isOption = (symbol: string): boolean => /-[CP]$/.test(symbol);
  if (type === "spot") return symbols.some((symbol) => !isContract(symbol));
  if (type === "option") return symbols.some(isOption);
  // Hyperliquid lists markets of third parties. Their symbols have the form `XYZ-GOLD/USDC:USDC`.
  if (type === "hip3") return symbols.some((symbol) => /^[^/]+-[^/]+\/.*:/.test(symbol));
  return symbols.some(isContract);
}
