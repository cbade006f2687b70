/**
 * How far prices may move before the equity of an account can leave its quiet range. What a
 * position is worth is asked of core; all that is used here is that its gain rises and falls with
 * each price that it depends on, so that its least gain stands at the end of each price's band.
 */
import {
  type Instrument,
  type Instruments,
  type MicroUsd,
  midOf,
  type OpenFigures,
  type PairId,
  type Position,
  type Price,
  positionValueOf,
  price,
  type Quote,
  type Quotes,
  unixMs,
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
  const ratePairs = new Map<string, readonly RatePair[]>();
  const ratePairsOf = (pair: PairId): readonly RatePair[] => {
    const instrument = instruments.get(pair);
    if (instrument === undefined) return [];
    const known = ratePairs.get(instrument.quote) ?? findRatePairs(instrument, instruments);
    ratePairs.set(instrument.quote, known);
    // A pair that buys dollars converts at its own price.
    return instrument.base === "USD" ? [] : known;
  };
  const exposureOf = (position: Position, quotes: Quotes): Exposure => ({
    position,
    quote: quotes.get(position.pair),
    rates: ratePairsOf(position.pair).map((rate) => ({ ...rate, quote: quotes.get(rate.pair) })),
    instruments,
  });

  return {
    around({ positions, equity, open, range, quotes }) {
      const exposures = positions.map((position) => exposureOf(position, quotes));
      const levels: WatchLevel[] = [];
      const { from, to } = range;
      if (from !== null) {
        levels.push(...levelsOf(exposures, { outcome: "loss", distance: equity - from, open }));
      }
      if (to !== null) {
        levels.push(...levelsOf(exposures, { outcome: "gain", distance: to - equity, open }));
      }
      // The first quote of such a pair may change the rate without any price having moved.
      const unquoted = exposures.flatMap(({ rates }) =>
        rates.filter(({ quote }) => quote === undefined),
      );
      return [...levels, ...unquoted.map(({ pair }) => everyQuoteOf(pair))];
    },
    everyQuote: (positions) =>
      [
        ...new Set(
          positions.flatMap(({ pair }) => [pair, ...ratePairsOf(pair).map((rate) => rate.pair)]),
        ),
      ].map(everyQuoteOf),
  };
}

type Way = "down" | "up";
type Outcome = "loss" | "gain";

/** A pair whose mid turns a currency into dollars; `inverse`: as one over it. */
interface RatePair {
  readonly pair: PairId;
  readonly inverse: boolean;
}

/** A position and the newest quotes that its value depends on. */
interface Exposure {
  readonly position: Position;
  readonly quote: Quote | undefined;
  readonly rates: readonly (RatePair & { readonly quote: Quote | undefined })[];
  readonly instruments: Instruments;
}

function findRatePairs({ quote }: Instrument, instruments: Instruments): readonly RatePair[] {
  if (quote === "USD") return [];
  return [...instruments.values()]
    .filter((other) =>
      other.base === "USD" ? other.quote === quote : other.base === quote && other.quote === "USD",
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
  const { rates } = exposure;
  const up = gainAt(exposure, ownLevel(exposure, outcome, width), { width, rate: "up" });
  if (rates.length === 0) return up;
  const down = gainAt(exposure, ownLevel(exposure, outcome, width), { width, rate: "down" });
  return outcome === "loss" ? Math.min(up, down) : Math.max(up, down);
}

function gainAt(
  { position, rates, instruments }: Exposure,
  own: Price | null,
  by: { readonly width: number; readonly rate: Way },
): number {
  const quotes = new Map<PairId, Quote>();
  if (own !== null) quotes.set(position.pair, quoteAt(position.pair, own));
  for (const { pair, inverse, quote } of rates) {
    if (quote === undefined) continue;
    const way = inverse ? opposite(by.rate) : by.rate;
    quotes.set(pair, quoteAt(pair, moved(midOf(quote), way, by.width)));
  }
  const value = positionValueOf(position, { quotes, instruments });
  if (value === null) throw new Error("broken invariant: a position of a known equity");
  return value.unrealizedPnl;
}

function bandOf(exposure: Exposure, outcome: Outcome, width: number): readonly WatchLevel[] {
  const { position, rates } = exposure;
  const own = ownLevel(exposure, outcome, width);
  const side = position.direction === "long" ? "bid" : "ask";
  const levels: WatchLevel[] = [];
  if (own !== null) {
    const when = WHEN[ownWay(position, outcome)];
    levels.push({ pair: position.pair, side, when, price: own });
  }
  for (const { pair, quote } of rates) {
    if (quote === undefined) continue;
    for (const way of ["down", "up"] as const) {
      const level = moved(midOf(quote), way, width);
      levels.push({ pair, side: "mid", when: WHEN[way], price: level });
    }
  }
  return levels;
}

const WHEN = { down: "atOrBelow", up: "atOrAbove" } as const;

/** The price at which the position is marked, moved to where it brings the outcome about. */
function ownLevel({ position, quote }: Exposure, outcome: Outcome, width: number): Price | null {
  if (quote === undefined) return null;
  const mark = position.direction === "long" ? quote.bid : quote.ask;
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

/** Both sides and the mid at one price. */
function quoteAt(pair: PairId, at: Price): Quote {
  return { pair, bid: at, ask: at, atMs: unixMs(0) };
}

function everyQuoteOf(pair: PairId): WatchLevel {
  return { pair, side: "bid", when: "atOrBelow", price: price(Number.MAX_VALUE) };
}
