/**
 * Computes how far prices may move before an account's equity can leave its quiet range. Core
 * values the positions; this file only assumes that a position's gain is monotonic in each price,
 * so that its min gain is at the end of a price's band.
 */
import {
  gainUsd,
  type Instrument,
  type Instruments,
  markOf,
  midOf,
  notionalUsd,
  type PairId,
  type Position,
  type Price,
  type PricedMarket,
  price,
  type Quantity,
  type Quotes,
  quantity,
  usdRateAt,
} from "@propgate/core";
import type { WatchLevel } from "./trigger-book.ts";

/**
 * An account's positions as numbers side by side. The positions of many accounts do not fit into a
 * cache, and each object of them would take a miss.
 */
export type PositionFigures = readonly number[];

/** An account's positions at these quotes. */
export interface Standing {
  readonly exposures: readonly Exposure[];
  /** The sum of the positions' gains. */
  readonly gain: number;
}

/**
 * Finds the price levels to watch for an account. Its equity stays quiet until a quote reaches one.
 * The levels of losses alone keep it above the low end of its range wherever the prices go between
 * them, and those of gains below the high end, so either may be replaced without the other.
 */
export interface EquityBands {
  figuresOf(positions: readonly Position[]): PositionFigures;
  /** Null while a position cannot be valued. */
  standing(positions: PositionFigures, quotes: Quotes): Standing | null;
  /** The levels of every price that can change the equity by the distance, which may be infinite. */
  losses(standing: Standing, distance: number): readonly WatchLevel[];
  gains(standing: Standing, distance: number): readonly WatchLevel[];
  /** Levels that every quote reaches, for an account that the next quote must check. */
  everyQuote(positions: readonly Position[]): readonly WatchLevel[];
}

/** `trendOf` says which way a pair's quotes go, from −1 to 1. */
export function createEquityBands(
  instruments: Instruments,
  trendOf: (pair: PairId) => number,
): EquityBands {
  const pairs: PairFacts[] = [];
  const numbers = new Map<PairId, number>();
  const numberOf = (pair: PairId): number => {
    const known = numbers.get(pair);
    if (known !== undefined) return known;
    const instrument = instruments.get(pair) ?? null;
    const ratePairs = findRatePairs(instrument, instruments);
    numbers.set(pair, pairs.length);
    return pairs.push({ pair, instrument, ratePairs }) - 1;
  };
  const exposureOf = (facts: PairFacts, held: Held, quotes: Quotes): Exposure | null => {
    const { pair, instrument, ratePairs } = facts;
    const quote = quotes.get(pair);
    if (instrument === null || quote === undefined) return null;
    const { quantity, from, direction } = held;
    const market = { quotes, instruments };
    const mark = markOf(direction, quote);
    const usdRate = usdRateAt(instrument, mark, market);
    if (usdRate === null) return null;
    const rates = ratePairs.map((rate) => {
      const newest = quotes.get(rate.pair);
      return { ...rate, mid: newest === undefined ? null : midOf(newest) };
    });
    const bought = gainUsd(instrument, { quantity, from, price: mark, usdRate });
    return {
      ...held,
      pair,
      instrument,
      mark,
      usdRate,
      gain: direction === "long" ? bought : 0 - bought,
      value: notionalUsd(instrument, { quantity, price: mark, usdRate }),
      trend: trendOf(pair),
      rates,
      market,
    };
  };

  return {
    figuresOf: (positions) =>
      positions.flatMap(({ pair, direction, quantity, averageEntryPrice }) => [
        numberOf(pair),
        direction === "long" ? quantity : 0 - quantity,
        averageEntryPrice,
      ]),
    standing(positions, quotes) {
      const exposures: Exposure[] = [];
      let gain = 0;
      for (let place = 0; place < positions.length; place += FIGURES) {
        const facts = pairs[positions[place] ?? 0];
        const size = positions[place + 1] ?? 0;
        const direction = size > 0 ? "long" : "short";
        const from = price(positions[place + 2] ?? 0);
        const held: Held = { direction, quantity: quantity(Math.abs(size)), from };
        const exposure = facts === undefined ? null : exposureOf(facts, held, quotes);
        if (exposure === null) return null;
        exposures.push(exposure);
        gain += exposure.gain;
      }
      return { exposures, gain };
    },
    losses: (standing, distance) => levelsOf(standing, { outcome: "loss", distance }),
    gains: (standing, distance) => levelsOf(standing, { outcome: "gain", distance }),
    everyQuote(positions) {
      const reached = new Set<PairId>();
      for (const { pair } of positions) {
        reached.add(pair);
        for (const rate of pairs[numberOf(pair)]?.ratePairs ?? []) reached.add(rate.pair);
      }
      return [...reached].map(everyQuoteOf);
    },
  };
}

/** A position has three figures: the number of its pair, its signed quantity, and its entry price. */
const FIGURES = 3;

interface PairFacts {
  readonly pair: PairId;
  /** Null for a pair that is not in the catalogue. */
  readonly instrument: Instrument | null;
  readonly ratePairs: readonly RatePair[];
}

type Way = "down" | "up";
type Outcome = "loss" | "gain";

/** A pair whose mid price converts a currency to dollars; `inverse` divides by it. */
interface RatePair {
  readonly pair: PairId;
  readonly inverse: boolean;
}

interface Rate extends RatePair {
  /** Null without a quote. */
  readonly mid: Price | null;
}

interface Held {
  readonly direction: "long" | "short";
  readonly quantity: Quantity;
  /** The average entry price. */
  readonly from: Price;
}

/** A position and the prices that its value depends on. */
interface Exposure extends Held {
  readonly pair: PairId;
  readonly instrument: Instrument;
  readonly mark: Price;
  /** At the mark, as the gain and the value are. */
  readonly usdRate: number;
  readonly gain: number;
  readonly value: number;
  readonly trend: number;
  readonly rates: readonly Rate[];
  readonly market: PricedMarket;
}

function findRatePairs(
  instrument: Instrument | null,
  instruments: Instruments,
): readonly RatePair[] {
  // A pair that buys dollars converts at its own price.
  if (instrument === null || instrument.base === "USD") return [];
  if (instrument.quote === "USD" || instrument.quoteIsUsd) return [];
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
/**
 * A rate moves only the gain of a position, which is a small part of its value. So its band may be many times as wide:
 * until it uses this share of the gain that the position's own price uses.
 */
const RATES_SHARE = 0.06;
const RATES_WIDER_MAX = 32;

interface Reach {
  readonly outcome: Outcome;
  /** From the present equity to the one that has an effect. */
  readonly distance: number;
}

/**
 * The levels of every price that can cause the outcome. All bands have the same width, except that
 * a price against its trend leaves most of its own to the others, and that those of rates are wider.
 */
function levelsOf({ exposures }: Standing, { outcome, distance }: Reach): readonly WatchLevel[] {
  if (distance === Number.POSITIVE_INFINITY) return [];
  let whole = 0;
  for (const { value } of exposures) whole += value;
  const sides = exposures.map((exposure) => sideOf(exposure, outcome, distance / whole));
  const width = widestBelow(sides, distance);
  const levels: WatchLevel[] = [];
  for (const side of sides) addLevels(levels, side, width);
  return levels;
}

/** An exposure in the direction of the outcome. */
interface Side {
  readonly exposure: Exposure;
  readonly outcome: Outcome;
  readonly way: Way;
  /** The shares of the common width. */
  readonly ownShare: number;
  readonly ratesShare: number;
}

/** `nearness` is the distance as a share of the value of all positions. */
function sideOf(exposure: Exposure, outcome: Outcome, nearness: number): Side {
  const { direction, trend, gain, value, rates } = exposure;
  const way: Way = (direction === "long") === (outcome === "gain") ? "up" : "down";
  const ownShare = shareOf(way, trend);
  if (rates.length === 0) return { exposure, outcome, way, ownShare, ratesShare: 0 };
  const gainShare = Math.abs(gain) / Math.max(1, value);
  const wider = RATES_SHARE / (gainShare + nearness);
  return {
    exposure,
    outcome,
    way,
    ownShare,
    ratesShare: Math.min(RATES_WIDER_MAX, Math.max(1, wider)),
  };
}

/**
 * The share of the width for a price in that direction. Squared, so that the weak trends of an ordinary day have almost
 * no effect.
 */
function shareOf(way: Way, trend: number): number {
  const isAgainst = way === "up" ? trend < 0 : trend > 0;
  return isAgainst ? 1 - AGAINST * trend * trend : 1;
}

/**
 * A width whose change is below the distance and close to it; 0 when none was found. Most changes
 * grow with the width like the positions' values, the others nearly so.
 */
function widestBelow(sides: readonly Side[], distance: number): number {
  // Each position may be off by one rounding.
  const distanceMax = distance - sides.length;
  let growth = 0;
  for (const { exposure, ownShare, ratesShare } of sides) {
    const ofRates = ratesShare === 0 ? 0 : RATES_SHARE;
    growth += exposure.value * (ownShare + ofRates);
  }
  let inside = 0;
  let width = Math.min(WIDEST, (distanceMax * AIM) / growth);
  for (let probe = 0; probe < PROBES_MAX && distanceMax > 0; probe += 1) {
    const change = changeAt(sides, width);
    if (change < distanceMax) inside = Math.max(inside, width);
    if (change < distanceMax && (width === WIDEST || change > distanceMax * CLOSE_ENOUGH)) break;
    width = Math.min(WIDEST, (width * distanceMax * AIM) / Math.max(1, change));
  }
  return inside;
}

/** The greatest change of the equity while all prices are within the width. */
function changeAt(sides: readonly Side[], width: number): number {
  let sum = 0;
  for (const side of sides) sum += extremeGain(side, width) - side.exposure.gain;
  return Math.abs(sum);
}

function extremeGain(side: Side, width: number): number {
  const { exposure, outcome } = side;
  const own = ownLevel(side, width);
  if (exposure.rates.length === 0) return gainAt(exposure, own, null);
  const up = gainAt(exposure, own, movedRate(side, "up", width));
  const down = gainAt(exposure, own, movedRate(side, "down", width));
  return outcome === "loss" ? Math.min(up, down) : Math.max(up, down);
}

/** The position's gain at that price, at the rate of its own price when `rate` is null. */
function gainAt(exposure: Exposure, at: Price, rate: number | null): number {
  const { direction, quantity, from, instrument, market } = exposure;
  const usdRate = rate ?? usdRateAt(instrument, at, market);
  if (usdRate === null) throw new Error("broken invariant: positions of a known equity");
  const gain = gainUsd(instrument, { quantity, from, price: at, usdRate });
  return direction === "long" ? gain : 0 - gain;
}

function ownLevel({ exposure, way, ownShare }: Side, width: number): Price {
  return moved(exposure.mark, way, width * ownShare);
}

function rateWidth({ ratesShare }: Side, width: number): number {
  return Math.min(WIDEST, width * ratesShare);
}

/** The rate when every pair that may convert the currency moves it in that direction. */
function movedRate(side: Side, way: Way, width: number): number {
  const { usdRate, rates } = side.exposure;
  const by = rateWidth(side, width);
  // An inverse pair moves against the rate: to raise the rate by the same share, its price moves further.
  if (way === "down") return usdRate * (1 - by);
  return rates.some(({ inverse }) => inverse) ? usdRate / (1 - by) : usdRate * (1 + by);
}

/** The level of the position's own price, and of the rates that make the outcome worse. */
function addLevels(levels: WatchLevel[], side: Side, width: number): void {
  const { exposure, outcome, way } = side;
  const { rates } = exposure;
  const own = ownLevel(side, width);
  const quoteSide = exposure.direction === "long" ? "bid" : "ask";
  levels.push({ pair: exposure.pair, side: quoteSide, when: WHEN[way], price: own });
  if (rates.length === 0) return;
  const up = gainAt(exposure, own, movedRate(side, "up", width));
  const down = gainAt(exposure, own, movedRate(side, "down", width));
  const by = rateWidth(side, width);
  for (const { pair, inverse, mid } of rates) {
    // The first quote of such a pair may change a rate without a price move.
    if (mid === null) {
      levels.push(everyQuoteOf(pair));
      continue;
    }
    for (const rateWay of worseWays(outcome, up, down)) {
      const to = inverse ? opposite(rateWay) : rateWay;
      levels.push({ pair, side: "mid", when: WHEN[to], price: moved(mid, to, by) });
    }
  }
}

/** The directions of a rate that can cause the outcome, by the gains at both ends. */
function worseWays(outcome: Outcome, up: number, down: number): readonly Way[] {
  if (up === down) return BOTH_WAYS;
  return up < down === (outcome === "loss") ? UP : DOWN;
}

const BOTH_WAYS: readonly Way[] = ["down", "up"];
const UP: readonly Way[] = ["up"];
const DOWN: readonly Way[] = ["down"];
const WHEN = { down: "atOrBelow", up: "atOrAbove" } as const;

function opposite(way: Way): Way {
  return way === "up" ? "down" : "up";
}

function moved(from: Price, way: Way, by: number): Price {
  return price(from * (way === "down" ? 1 - by : 1 + by));
}

/** A level that every quote of the pair reaches. */
export function everyQuoteOf(pair: PairId): WatchLevel {
  return { pair, side: "bid", when: "atOrBelow", price: price(Number.MAX_VALUE) };
}
