/**
 * How far prices may move before the equity of an account can leave its quiet range. What a
 * position is worth is asked of core; all that is used here is that its gain rises and falls with
 * each price that it depends on, so that its least gain stands at the end of each price's band.
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

export interface BandNeeds {
  readonly positions: readonly Position[];
  /** Of the positions at these quotes. */
  readonly open: OpenFigures;
  /** Within the range. */
  readonly equity: MicroUsd;
  readonly range: QuietRange;
  readonly quotes: Quotes;
}

/** Finds the levels to watch for an account; as long as none is reached its equity is quiet. */
export interface EquityBands {
  around(need: BandNeeds): readonly WatchLevel[];
  /** Levels that every quote reaches, for an account whose next price has to be looked at. */
  everyQuote(positions: readonly Position[]): readonly WatchLevel[];
}

export function createEquityBands(instruments: Instruments): EquityBands {
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
    return { position, instrument, mark: markOf(direction, quote), rates, instruments };
  };

  return {
    around({ positions, equity, open, range: { from, to }, quotes }) {
      const exposures = positions.map((position) => exposureOf(position, quotes));
      const levels: WatchLevel[] = [];
      if (from !== null) {
        levels.push(...levelsOf(exposures, { outcome: "loss", distance: equity - from, open }));
      }
      if (to !== null) {
        levels.push(...levelsOf(exposures, { outcome: "gain", distance: to - equity, open }));
      }
      // The first quote of such a pair may change a rate without any price having moved.
      for (const { pair } of positions.flatMap((position) => ratePairsOf(position.pair))) {
        if (!quotes.has(pair)) levels.push(everyQuoteOf(pair));
      }
      return levels;
    },
    everyQuote(positions) {
      const pairs = new Set(positions.map(({ pair }) => pair));
      for (const pair of [...pairs]) for (const rate of ratePairsOf(pair)) pairs.add(rate.pair);
      return [...pairs].map(everyQuoteOf);
    },
  };
}

type Way = "down" | "up";
type Outcome = "loss" | "gain";

/** A pair whose mid turns a currency into dollars; `inverse`: as one over it. */
interface RatePair {
  readonly pair: PairId;
  readonly inverse: boolean;
}

interface Rate extends RatePair {
  readonly mid: Price;
}

/** A position and the newest prices that its value depends on. */
interface Exposure {
  readonly position: Position;
  readonly instrument: Instrument;
  readonly mark: Price;
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

/** No band is wider, as a share of the price. */
const WIDEST = 0.5;
/** What a band leaves of the distance is left for the next one: a probe need not hit it exactly. */
const AIM = 0.999;
const CLOSE_ENOUGH = 0.95;
const MOST_PROBES = 6;

interface Reach {
  readonly outcome: Outcome;
  /** From the equity of now to the one that does something. */
  readonly distance: number;
  readonly open: OpenFigures;
}

/** For every price that can bring the outcome about; one width for all of them. */
function levelsOf(exposures: readonly Exposure[], reach: Reach): readonly WatchLevel[] {
  const { outcome, open } = reach;
  const changeAt = (width: number) =>
    Math.abs(sumOf(exposures, outcome, width) - open.unrealizedPnl);
  const width = widestBelow(changeAt, {
    // Each position may be a rounding off.
    most: reach.distance - exposures.length,
    aWhole: open.positionValue,
  });
  return exposures.flatMap((exposure) => bandOf(exposure, outcome, width));
}

/** Σ gains at the worst prices within the width, or the best. */
function sumOf(exposures: readonly Exposure[], outcome: Outcome, width: number): number {
  let sum = 0;
  for (const exposure of exposures) sum += extremeGain(exposure, outcome, width);
  return sum;
}

/**
 * A width whose change stays below `most`, and comes near it; 0 when none was found. Most changes
 * grow with the width as `aWhole` does, the others nearly so.
 */
function widestBelow(
  changeAt: (width: number) => number,
  { most, aWhole }: { readonly most: number; readonly aWhole: number },
): number {
  let inside = 0;
  let width = Math.min(WIDEST, (most * AIM) / aWhole);
  for (let probe = 0; probe < MOST_PROBES && most > 0; probe += 1) {
    const change = changeAt(width);
    if (change < most) inside = Math.max(inside, width);
    if (change < most && (width === WIDEST || change > most * CLOSE_ENOUGH)) break;
    width = Math.min(WIDEST, (width * most * AIM) / Math.max(1, change));
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

/** What the position has won when it stands at that price. */
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

/** Every pair that may turn the currency into dollars, moved so that the rate goes that way. */
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

/** The position's mark, moved to where it brings the outcome about. */
function ownLevel({ position, mark }: Exposure, outcome: Outcome, width: number): Price {
  return moved(mark, ownWay(position, outcome), width);
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
