/**
 * Computes how far prices may move before an account's equity can leave its quiet range. Core
 * values the positions; this file only assumes that a position's gain is monotonic in each price,
 * so that its min gain is at the end of a price's band.
 */
import {
  gainUsd,
  type Instrument,
  type Instruments,
  type MicroUsd,
  markOf,
  midOf,
  type OpenFigures,
  type PairId,
  type Position,
  type Price,
  price,
  type Quotes,
  unixMs,
  usdRateAt,
} from "@propgate/core";
import type { QuietRange } from "./quiet-range.ts";
import type { WatchLevel } from "./trigger-book.ts";

/** An account's positions and equity at these quotes. */
interface Standing {
  readonly positions: readonly Position[];
  readonly open: OpenFigures;
  readonly equity: MicroUsd;
  readonly quotes: Quotes;
}

export interface BandOptions extends Standing {
  /** The equity is within it. */
  readonly range: QuietRange;
}

/**
 * Finds the price levels to watch for an account. Its equity stays quiet until a quote reaches one.
 * The levels of losses alone keep it above the low end of its range wherever the prices go between
 * them, and those of gains below the high end, so either may be replaced without the other.
 */
export interface EquityBands {
  losses(options: BandOptions): readonly WatchLevel[];
  gains(options: BandOptions): readonly WatchLevel[];
  /** Levels that every quote reaches, for an account that the next quote must check. */
  everyQuote(positions: readonly Position[]): readonly WatchLevel[];
}

/** `trendOf` says which way a pair's quotes go, from −1 to 1. */
export function createEquityBands(
  instruments: Instruments,
  trendOf: (pair: PairId) => number,
): EquityBands {
  const known = new Map<PairId, readonly RatePair[]>();
  const ratePairsOf = (pair: PairId): readonly RatePair[] => {
    const pairs = known.get(pair) ?? findRatePairs(instruments.get(pair), instruments);
    known.set(pair, pairs);
    return pairs;
  };
  const exposureOf = (position: Position, quotes: Quotes): Exposure => {
    const { pair, direction } = position;
    const instrument = instruments.get(pair);
    const quote = quotes.get(pair);
    if (instrument === undefined || quote === undefined) {
      throw new Error("broken invariant: positions of a known equity");
    }
    const rates: Rate[] = [];
    for (const rate of ratePairsOf(pair)) {
      const newest = quotes.get(rate.pair);
      if (newest !== undefined) rates.push({ ...rate, mid: midOf(newest) });
    }
    const mark = markOf(direction, quote);
    return { position, instrument, mark, trend: trendOf(pair), rates, instruments };
  };

  const levelsTo = (outcome: Outcome, distance: number, at: Standing): readonly WatchLevel[] => {
    const { positions, open, quotes } = at;
    const exposures = positions.map((position) => exposureOf(position, quotes));
    const levels = levelsOf(exposures, { outcome, distance, open });
    // The first quote of such a pair may change a rate without a price move.
    for (const position of positions) {
      for (const { pair } of ratePairsOf(position.pair)) {
        if (quotes.get(pair) === undefined) levels.push(everyQuoteOf(pair));
      }
    }
    return levels;
  };

  return {
    losses: ({ range: { from }, ...rest }) =>
      from === null ? [] : levelsTo("loss", rest.equity - from, rest),
    gains: ({ range: { to }, ...rest }) =>
      to === null ? [] : levelsTo("gain", to - rest.equity, rest),
    everyQuote(positions) {
      const pairs = new Set(positions.map(({ pair }) => pair));
      for (const pair of [...pairs]) for (const rate of ratePairsOf(pair)) pairs.add(rate.pair);
      return [...pairs].map(everyQuoteOf);
    },
  };
}

type Way = "down" | "up";
type Outcome = "loss" | "gain";

/** A pair whose mid price converts a currency to dollars; `inverse` divides by it. */
interface RatePair {
  readonly pair: PairId;
  readonly inverse: boolean;
}

interface Rate extends RatePair {
  readonly mid: Price;
}

/** A position and the prices that its value depends on. */
interface Exposure {
  readonly position: Position;
  readonly instrument: Instrument;
  readonly mark: Price;
  readonly trend: number;
  readonly rates: readonly Rate[];
  readonly instruments: Instruments;
}

function findRatePairs(
  instrument: Instrument | undefined,
  instruments: Instruments,
): readonly RatePair[] {
  // A pair that buys dollars converts at its own price.
  if (instrument === undefined || instrument.base === "USD" || instrument.quote === "USD")
    return [];
  const currency = instrument.quote;
  return [...instruments.values()]
    .filter(({ base, quote }) =>
      base === "USD" ? quote === currency : base === currency && quote === "USD",
    )
    .map(({ id, base }) => ({ pair: id, inverse: base === "USD" }));
}

/** Max width of a band, as a share of the price. */
const WIDEST = 0.5;
/**
 * The share of the distance that a probe aims at: it need not be exact, because the next band
 * covers the rest.
 */
const AIM = 0.999;
const CLOSE_ENOUGH = 0.95;
const PROBES_MAX = 6;
/** The share of its width that a price against a full trend leaves to the others. */
const AGAINST = 0.95;

interface Reach {
  readonly outcome: Outcome;
  /** From the present equity to the one that has an effect. */
  readonly distance: number;
  readonly open: OpenFigures;
}

/**
 * The levels of every price that can cause the outcome. All bands have the same width, except that
 * a price against its trend leaves most of its own to the others.
 */
function levelsOf(exposures: readonly Exposure[], reach: Reach): WatchLevel[] {
  const { outcome, open } = reach;
  const changeAt = (width: number) =>
    Math.abs(sumOf(exposures, outcome, width) - open.unrealizedPnl);
  const width = widestBelow(changeAt, {
    // Each position may be off by one rounding.
    distanceMax: reach.distance - exposures.length,
    aWhole: open.positionValue,
  });
  return exposures.flatMap((exposure) => bandOf(exposure, outcome, width));
}

/** The sum of the gains at the worst, or best, prices within the width. */
function sumOf(exposures: readonly Exposure[], outcome: Outcome, width: number): number {
  let sum = 0;
  for (const exposure of exposures) sum += extremeGain(exposure, outcome, width);
  return sum;
}

/**
 * A width whose change is below `distanceMax` and close to it; 0 when none was found. Most changes
 * grow with the width like `aWhole`, the others nearly so.
 */
function widestBelow(
  changeAt: (width: number) => number,
  { distanceMax, aWhole }: { readonly distanceMax: number; readonly aWhole: number },
): number {
  let inside = 0;
  let width = Math.min(WIDEST, (distanceMax * AIM) / aWhole);
  for (let probe = 0; probe < PROBES_MAX && distanceMax > 0; probe += 1) {
    const change = changeAt(width);
    if (change < distanceMax) inside = Math.max(inside, width);
    if (change < distanceMax && (width === WIDEST || change > distanceMax * CLOSE_ENOUGH)) break;
    width = Math.min(WIDEST, (width * distanceMax * AIM) / Math.max(1, change));
  }
  return inside;
}

function extremeGain(exposure: Exposure, outcome: Outcome, width: number): number {
  const own = ownLevel(exposure, outcome, width);
  const up = gainAt(exposure, own, movedRates(exposure, "up", width));
  if (exposure.rates.length === 0) return up;
  const down = gainAt(exposure, own, movedRates(exposure, "down", width));
  return outcome === "loss" ? Math.min(up, down) : Math.max(up, down);
}

/** The position's gain at that price. */
function gainAt(
  { position, instrument, instruments }: Exposure,
  at: Price,
  quotes: Quotes,
): number {
  const usdRate = usdRateAt(instrument, at, { quotes, instruments });
  if (usdRate === null) throw new Error("broken invariant: positions of a known equity");
  const { quantity, averageEntryPrice: from, direction } = position;
  const gain = gainUsd(instrument, { quantity, from, price: at, usdRate });
  return direction === "long" ? gain : 0 - gain;
}

const NO_QUOTES: Quotes = new Map();

/** Every pair that may convert the currency to dollars, moved in the direction of the rate. */
function movedRates({ rates }: Exposure, way: Way, width: number): Quotes {
  if (rates.length === 0) return NO_QUOTES;
  return new Map(
    rates.map(({ pair, inverse, mid }) => {
      const at = moved(mid, inverse ? opposite(way) : way, width);
      return [pair, { pair, bid: at, ask: at, atMs: unixMs(0) }];
    }),
  );
}

function bandOf(exposure: Exposure, outcome: Outcome, width: number): readonly WatchLevel[] {
  const { position, rates } = exposure;
  const levels: WatchLevel[] = [
    {
      pair: position.pair,
      side: position.direction === "long" ? "bid" : "ask",
      when: WHEN[ownWay(position, outcome)],
      price: ownLevel(exposure, outcome, width),
    },
  ];
  for (const { pair, mid } of rates) {
    for (const way of ["down", "up"] as const) {
      levels.push({ pair, side: "mid", when: WHEN[way], price: moved(mid, way, width) });
    }
  }
  return levels;
}

const WHEN = { down: "atOrBelow", up: "atOrAbove" } as const;

/** The position's mark, moved in the direction of the outcome. */
function ownLevel(exposure: Exposure, outcome: Outcome, width: number): Price {
  const { position, mark, trend } = exposure;
  const way = ownWay(position, outcome);
  return moved(mark, way, width * shareOf(way, trend));
}

/**
 * The share of the width for a price in that direction. The square makes the weak trends of an
 * ordinary day cost nothing.
 */
function shareOf(way: Way, trend: number): number {
  const isAgainst = way === "up" ? trend < 0 : trend > 0;
  return isAgainst ? 1 - AGAINST * trend * trend : 1;
}

function ownWay({ direction }: Position, outcome: Outcome): Way {
  return (direction === "long") === (outcome === "gain") ? "up" : "down";
}

function opposite(way: Way): Way {
  return way === "up" ? "down" : "up";
}

function moved(from: Price, way: Way, by: number): Price {
  return price(from * (way === "down" ? 1 - by : 1 + by));
}

function everyQuoteOf(pair: PairId): WatchLevel {
  return { pair, side: "bid", when: "atOrBelow", price: price(Number.MAX_VALUE) };
}
