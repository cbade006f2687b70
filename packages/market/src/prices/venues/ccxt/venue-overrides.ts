import type { Exchange } from "./ccxt-library.ts";
import { createCoinbaseSequenceCheck, type SequenceCheck } from "./sequence-checks.ts";

/** The methods of ccxt Pro that provide the best bid and ask. */
export type WatchMethod =
  | "watchBidsAsks"
  | "watchOrderBookForSymbols"
  | "watchOrderBook"
  | "watchTickers"
  | "watchTicker";

/**
 * The methods in order of preference. `watchBidsAsks` sends only changes of the best bid and ask, and all of them. The
 * first row of an order book is the same at a higher cost. Tickers come last: at some venues they are batched over
 * seconds (Coinbase) or have no bid and ask (Hyperliquid).
 */
const METHODS: readonly WatchMethod[] = [
  "watchBidsAsks",
  "watchOrderBookForSymbols",
  "watchOrderBook",
  "watchTickers",
  "watchTicker",
];

/** How a venue must be watched differently from what ccxt's `has` suggests. */
export interface VenueOverrides {
  readonly method?: WatchMethod;
  /** The number of levels of an order book to request; without it the venue's default. */
  readonly limit?: number;
  /** The maximum number of symbols in one call. */
  readonly perCall?: number;
  /** True where markets can be named only after the currencies are loaded; elsewhere they are not loaded. */
  readonly needsCurrencies?: true;
  /** Makes a check that finds lost and repeated messages, where ccxt does not find them. */
  readonly sequence?: () => SequenceCheck;
}

const OVERRIDES: Readonly<Record<string, VenueOverrides>> = {
  // Coinbase's books are built from changes, and ccxt does not compare the numbers of the messages.
  coinbase: { sequence: createCoinbaseSequenceCheck },
  // ccxt's `watchBidsAsks` takes the lowest bid when a book of Bybit has more than one bid. Ten topics fit into a
  // request.
  bybit: { method: "watchOrderBookForSymbols", limit: 1, perCall: 10 },
  // ccxt needs the venue's currencies to name the markets of third parties.
  hyperliquid: { needsCurrencies: true },
};

const PER_CALL = 100;

/** How the best bid and ask of a venue are watched. */
export interface WatchPlan {
  readonly method: WatchMethod;
  readonly limit: number | undefined;
  readonly perCall: number;
  readonly sequence: () => SequenceCheck;
}

/** The overrides of a venue; empty for a venue without any. */
export function venueOverridesOf(venue: string): VenueOverrides {
  return OVERRIDES[venue] ?? {};
}

/** The plan for a venue, by ccxt's `has`; null when the venue has no method with bid and ask. */
export function watchPlan(venue: string, has: Exchange["has"]): WatchPlan | null {
  const habits = venueOverridesOf(venue);
  const method = habits.method ?? METHODS.find((one) => has[one] === true);
  if (method === undefined) return null;
  const isSingle = method === "watchOrderBook" || method === "watchTicker";
  return {
    method,
    limit: habits.limit,
    perCall: isSingle ? 1 : (habits.perCall ?? PER_CALL),
    sequence: habits.sequence ?? (() => () => null),
  };
}
