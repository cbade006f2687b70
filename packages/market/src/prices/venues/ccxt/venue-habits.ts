import type { Exchange } from "./ccxt-library.ts";
import { coinbaseSequence, type SequenceCheck } from "./sequence-checks.ts";

/** The methods of ccxt Pro that give the best bid and ask. */
export type WatchMethod =
  | "watchBidsAsks"
  | "watchOrderBookForSymbols"
  | "watchOrderBook"
  | "watchTickers"
  | "watchTicker";

/**
 * Methods in order of preference. `watchBidsAsks` sends every change of the best bid and ask and nothing else. The
 * first row of an order book is the same at more cost. Tickers come last: at some venues they are batched over seconds
 * (Coinbase) or have no bid and ask at all (Hyperliquid).
 */
const METHODS: readonly WatchMethod[] = [
  "watchBidsAsks",
  "watchOrderBookForSymbols",
  "watchOrderBook",
  "watchTickers",
  "watchTicker",
];

/** How a venue differs from ccxt's `has`. */
export interface VenueHabits {
  readonly method?: WatchMethod;
  /** Levels to ask for; the venue's default unless given. */
  readonly limit?: number;
  /** Symbols in one call. */
  readonly perCall?: number;
  /** Currencies are loaded only where markets need them. */
  readonly needsCurrencies?: true;
  /** Finds lost and repeated messages, where ccxt does not. */
  readonly sequence?: () => SequenceCheck;
}

const HABITS: Readonly<Record<string, VenueHabits>> = {
  // Its books are built from changes and ccxt does not compare their numbers.
  coinbase: { sequence: coinbaseSequence },
  // ccxt's `watchBidsAsks` takes the lowest bid when a book has more than one. Ten topics fit into a request.
  bybit: { method: "watchOrderBookForSymbols", limit: 1, perCall: 10 },
  // Markets of other deployers are named by their currencies.
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

export function habitsOf(venue: string): VenueHabits {
  return HABITS[venue] ?? {};
}

/** Null when the venue has no method for it. */
export function watchPlan(venue: string, has: Exchange["has"]): WatchPlan | null {
  const habits = habitsOf(venue);
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
