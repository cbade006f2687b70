/**
 * Which accounts a quote may push over a live limit, without asking each of them. An account is
 * given a band: as long as none of its prices leaves it, not even the worst corner of the band
 * breaches a limit. Only accounts whose band is left are looked at, and then given a new one.
 */
import type {
  AccountId,
  AccountState,
  Instruments,
  PairId,
  Position,
  Quote,
  Quotes,
} from "@propgate/core";
import { price } from "@propgate/core";
import { createTriggerBook, type WatchLevel } from "./trigger-book.ts";

/** Band widths that are tried, widest first, as shares of the price. */
const WIDTHS = [0.1, 0.04, 0.016, 0.006, 0.0025, 0.001, 0.0004];
/** The corners that are tried lie beyond the band: what is watched is a side, what counts may be the mid. */
const CORNER_MARGIN = 1.25;
/** More prices than this that can hurt in both directions make too many corners to try. */
const MOST_TWO_WAY_PRICES = 4;

export interface EquityWatchOptions {
  readonly instruments: Instruments;
  /** Whether the account's equity at these quotes is beyond a limit that is checked live. */
  readonly isBreached: (state: AccountState, quotes: Quotes) => boolean;
}

export interface EquityWatch {
  /** Takes the account's newest state; true when it is over a limit at these quotes. */
  replace(state: AccountState, quotes: Quotes): boolean;
  /** Adds to `into` the accounts whose band the quote leaves. */
  collect(quote: Quote, into: Set<AccountId>): void;
}

export function createEquityWatch(options: EquityWatchOptions): EquityWatch {
  const book = createTriggerBook();
  return {
    replace(state, quotes) {
      if (state.status !== "active" || state.positions.length === 0) {
        book.replace(state.accountId, []);
        return false;
      }
      const risks = risksOf(state.positions, options.instruments);
      const isBreached = options.isBreached(state, quotes);
      const width = isBreached ? 0 : safeWidth({ state, quotes, risks, options });
      book.replace(
        state.accountId,
        risks.flatMap((risk) => band(risk, quotes, width)),
      );
      return isBreached;
    },
    collect: book.collect,
  };
}

/** A pair whose price the account's equity depends on, and the ways in which it can hurt. */
interface Risk {
  readonly pair: PairId;
  readonly ways: readonly Way[];
}

type Way = "down" | "up";

function risksOf(positions: readonly Position[], instruments: Instruments): readonly Risk[] {
  const risks = new Map<PairId, Set<Way>>();
  const add = (pair: PairId, ...ways: readonly Way[]) => {
    const known = risks.get(pair) ?? new Set();
    for (const way of ways) known.add(way);
    risks.set(pair, known);
  };
  for (const position of positions) {
    add(position.pair, position.direction === "long" ? "down" : "up");
    for (const pair of conversionPairs(position.pair, instruments)) add(pair, "down", "up");
  }
  return [...risks].map(([pair, ways]) => ({ pair, ways: [...ways] }));
}

/** The pairs that can turn a pair's profit into dollars; none when it is in dollars already. */
function conversionPairs(pair: PairId, instruments: Instruments): readonly PairId[] {
  const currency = instruments.get(pair)?.quote;
  if (currency === undefined || currency === "USD") return [];
  return [...instruments.values()]
    .filter(
      ({ base, quote }) =>
        (base === currency && quote === "USD") || (base === "USD" && quote === currency),
    )
    .map(({ id }) => id);
}

interface Safety {
  readonly state: AccountState;
  readonly quotes: Quotes;
  readonly risks: readonly Risk[];
  readonly options: EquityWatchOptions;
}

/** The widest band whose worst corner is still within the limits; 0 when none is. */
function safeWidth({ state, quotes, risks, options }: Safety): number {
  // Without a price there is no equity yet, so the first one has to be looked at.
  if (risks.some(({ pair }) => !quotes.has(pair))) return 0;
  const corners = cornersOf(risks);
  const isSafe = (width: number) =>
    corners.every(
      (corner) => !options.isBreached(state, moved(quotes, corner, width * CORNER_MARGIN)),
    );
  return WIDTHS.find(isSafe) ?? 0;
}

type Corner = ReadonlyMap<PairId, Way>;

/** Equity is monotone in each price, so its least value in a band stands in a corner of it. */
function cornersOf(risks: readonly Risk[]): readonly Corner[] {
  if (risks.filter(({ ways }) => ways.length > 1).length > MOST_TWO_WAY_PRICES) return [new Map()];
  let corners: readonly Corner[] = [new Map()];
  for (const { pair, ways } of risks) {
    corners = corners.flatMap((corner) => ways.map((way) => new Map([...corner, [pair, way]])));
  }
  return corners;
}

function moved(quotes: Quotes, corner: Corner, by: number): Quotes {
  const result = new Map(quotes);
  for (const [pair, way] of corner) {
    const quote = quotes.get(pair);
    if (quote === undefined) continue;
    const factor = way === "down" ? 1 - by : 1 + by;
    result.set(pair, { ...quote, bid: price(quote.bid * factor), ask: price(quote.ask * factor) });
  }
  return result;
}

function band({ pair, ways }: Risk, quotes: Quotes, width: number): readonly WatchLevel[] {
  const quote = quotes.get(pair);
  return ways.map((way): WatchLevel => {
    if (way === "down") {
      // No width: every quote is looked at.
      const price = quote === undefined || width === 0 ? Infinity : quote.bid * (1 - width);
      return { pair, watched: "bid", when: "atOrBelow", price };
    }
    const price = quote === undefined || width === 0 ? 0 : quote.ask * (1 + width);
    return { pair, watched: "ask", when: "atOrAbove", price };
  });
}
