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
import { firstBreach, type PricedMarket, price } from "@propgate/core";
import { createTriggerBook, type WatchLevel } from "./trigger-book.ts";

/** Band widths that are tried, widest first, as shares of the price. */
const WIDTHS = [0.1, 0.04, 0.016, 0.006, 0.0025, 0.001, 0.0004];
/** The corners that are tried lie beyond the band: what is watched is a side, what counts may be the mid. */
const CORNER_MARGIN = 1.25;
/** More prices than this that can hurt in both directions make too many corners to try. */
const MOST_TWO_WAY_PRICES = 4;

export interface EquityWatch {
  /** Takes the account's newest state; true when it is over a limit at these quotes. */
  replace(state: AccountState, quotes: Quotes): boolean;
  /** Adds to `into` the accounts whose band the quote leaves. */
  collect(quote: Quote, into: Set<AccountId>): void;
}

export function createEquityWatch(instruments: Instruments): EquityWatch {
  const book = createTriggerBook();
  return {
    replace(state, quotes) {
      if (state.status !== "active" || state.positions.length === 0) {
        book.replace(state.accountId, []);
        return false;
      }
      const risks = risksOf(state.positions, instruments);
      const isBreached = isOverLimit(state, { quotes, instruments });
      const width = isBreached ? 0 : safeWidth({ state, quotes, risks, instruments });
      book.replace(
        state.accountId,
        risks.flatMap((risk) => band(risk, quotes, width)),
      );
      return isBreached;
    },
    collect: (quote, into) => book.collect(quote, into),
  };
}

/** False too while a position cannot be valued: nobody is ended on an unknown equity. */
function isOverLimit(state: AccountState, market: PricedMarket): boolean {
  const breach = firstBreach(state, market);
  return breach.ok && breach.value !== null;
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

/** The other pairs that turn a pair's profit into dollars. */
function conversionPairs(pair: PairId, instruments: Instruments): readonly PairId[] {
  const instrument = instruments.get(pair);
  if (instrument === undefined || instrument.quote === "USD") return [];
  // A pair that buys dollars converts at its own price.
  if (instrument.base === "USD") return [];
  const currency = instrument.quote;
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
  readonly instruments: Instruments;
}

/** The widest band whose worst corner is still within the limits; 0 when none is. */
function safeWidth({ state, quotes, risks, instruments }: Safety): number {
  // Without a price there is no equity yet, so the first one has to be looked at.
  if (risks.some(({ pair }) => !quotes.has(pair))) return 0;
  const corners = cornersOf(risks);
  const isSafe = (width: number) =>
    corners.every((corner) => {
      const worst = moved(quotes, corner, width * CORNER_MARGIN);
      return !isOverLimit(state, { quotes: worst, instruments });
    });
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
      const level = price(
        quote === undefined || width === 0 ? Number.MAX_VALUE : quote.bid * (1 - width),
      );
      return { pair, side: "bid", when: "atOrBelow", price: level };
    }
    const level = price(
      quote === undefined || width === 0 ? Number.MIN_VALUE : quote.ask * (1 + width),
    );
    return { pair, side: "ask", when: "atOrAbove", price: level };
  });
}
