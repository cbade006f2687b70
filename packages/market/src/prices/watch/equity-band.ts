/**
 * Computes how far prices may move before an account's equity can leave its quiet range. While the equity is in it, the
 * account neither ends nor passes, and no new low or level is recorded. The core values the positions. This file only
 * assumes that the gain of a position is monotonic in each price. So its smallest and largest gains are at the ends of
 * a price's band.
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
 * The positions of an account as numbers in one array. The positions of many accounts do not fit into a cache, and each
 * access to an object of its own would miss it.
 */
export type PositionFigures = readonly number[];

/** The positions of an account, valued at some quotes. */
export interface ValuedPositions {
  readonly exposures: readonly Exposure[];
  /** The sum of the gains of all positions. */
  readonly gain: number;
}

/**
 * Finds the price levels to watch for an account. Its equity stays in the quiet range until a quote reaches one of
 * them. While prices stay within the levels of losses, the equity stays above the low end of the range. While they stay
 * within the levels of gains, it stays below the high end. So each of the two sets of levels may be replaced without
 * the other.
 */
export interface EquityBands {
  /** The figures of positions, for `valuePositions`. */
  figuresOf(positions: readonly Position[]): PositionFigures;
  /** Values the positions at the quotes; null while one of them cannot be valued. */
  valuePositions(positions: PositionFigures, quotes: Quotes): ValuedPositions | null;
  /** The levels at which losses may have used up the distance. Empty for an infinite distance. */
  lossLevels(valued: ValuedPositions, distance: number): readonly WatchLevel[];
  /** The levels at which gains may have used up the distance. Empty for an infinite distance. */
  gainLevels(standing: ValuedPositions, distance: number): readonly WatchLevel[];
  /**
   * Levels that every quote of the positions' pairs and conversion rates reaches. They are for an account that must be
   * checked at the next quote.
   */
  everyQuoteLevels(positions: readonly Position[]): readonly WatchLevel[];
}

/** Creates the computation. `trendOf` returns in which direction a pair's quotes move, from −1 to 1. */
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
    valuePositions(positions, quotes) {
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
    lossLevels: (standing, distance) => levelsOf(standing, { outcome: "loss", distance }),
    gainLevels: (standing, distance) => levelsOf(standing, { outcome: "gain", distance }),
    everyQuoteLevels(positions) {
      const reached = new Set<PairId>();
      for (const { pair } of positions) {
        reached.add(pair);
        for (const rate of pairs[numberOf(pair)]?.ratePairs ?? []) reached.add(rate.pair);
      }
      return [...reached].map(everyQuoteLevel);
    },
  };
}

/** The number of figures of a position: the number of its pair, its signed quantity, and its entry price. */
const FIGURES = 3;

interface PairFacts {
  readonly pair: PairId;
  /** The pair's instrument; null for a pair that is not in the catalogue. */
  readonly instrument: Instrument | null;
  readonly ratePairs: readonly RatePair[];
}

type PriceDirection = "down" | "up";
type Outcome = "loss" | "gain";

/** A pair whose mid price converts a currency to dollars. With `inverse` an amount is divided by the price. */
interface RatePair {
  readonly pair: PairId;
  readonly inverse: boolean;
}

interface Rate extends RatePair {
  /** The present mid price of the pair; null without a quote. */
  readonly mid: Price | null;
}

interface Held {
  readonly direction: "long" | "short";
  readonly quantity: Quantity;
  /** The average entry price. */
  readonly from: Price;
}

/** A position with its present value and the prices on which it depends. */
interface Exposure extends Held {
  readonly pair: PairId;
  readonly instrument: Instrument;
  readonly mark: Price;
  /** The conversion rate at the mark; `gain` and `value` are also at the mark. */
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
  // A pair whose base currency is the dollar is converted by its own price.
  if (instrument === null || instrument.base === "USD") return [];
  if (instrument.quote === "USD" || instrument.quoteIsUsd) return [];
  const currency = instrument.quote;
  return [...instruments.values()]
    .filter(({ base, quote }) =>
      base === "USD" ? quote === currency : base === currency && quote === "USD",
    )
    .map(({ id, base }) => ({ pair: id, inverse: base === "USD" }));
}

/** The maximum width of a band, as a share of the price. */
const WIDEST = 0.5;
/**
 * The search for a width aims at a change of the equity by this share of the distance. It need not be exact, because
 * the next band covers the rest.
 */
const TARGET_SHARE = 0.999;
const CLOSE_ENOUGH = 0.95;
const PROBES_MAX = 6;
/**
 * The share of its band's width that a price gives to the other prices when its trend is 1 or −1 and only a move
 * against this trend can cause the outcome. A weaker trend gives less.
 */
const WIDTH_GIVEN_AT_FULL_TREND = 0.95;
/**
 * The share that sets the width of a conversion rate's band. A rate changes only the dollar value of a position's gain,
 * which is a small part of the position's value. So its band may be many times as wide as that of the position's own
 * price. It is widened until its effect on the equity is about this share of the own price's effect.
 */
const RATES_SHARE = 0.06;
const RATES_WIDER_MAX = 32;

interface Reach {
  readonly outcome: Outcome;
  /** The distance from the present equity to the end of the range. */
  readonly distance: number;
}

/**
 * The levels of every price that can cause the outcome. All bands have the same width, with two exceptions: a price
 * against its trend gives most of its width to the others, and the bands of rates are wider.
 */
function levelsOf(
  { exposures }: ValuedPositions,
  { outcome, distance }: Reach,
): readonly WatchLevel[] {
  if (distance === Number.POSITIVE_INFINITY) return [];
  let whole = 0;
  for (const { value } of exposures) whole += value;
  const sides = exposures.map((exposure) => sideOf(exposure, outcome, distance / whole));
  const width = widestBelow(sides, distance);
  const levels: WatchLevel[] = [];
  for (const side of sides) addLevels(levels, side, width);
  return levels;
}

/** A position with the direction in which a move of its price causes the outcome, a loss or a gain. */
interface Side {
  readonly exposure: Exposure;
  readonly outcome: Outcome;
  readonly way: PriceDirection;
  /** The width of the own price's band and of the rates' bands, as multiples of the common width. */
  readonly ownShare: number;
  readonly ratesShare: number;
}

/** Computes the side of a position. `nearness` is the distance as a share of the value of all positions. */
function sideOf(exposure: Exposure, outcome: Outcome, nearness: number): Side {
  const { direction, trend, gain, value, rates } = exposure;
  const way: PriceDirection = (direction === "long") === (outcome === "gain") ? "up" : "down";
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
 * The share of the width for a price in this direction. The trend is squared, so that the weak trends of an ordinary
 * day have almost no effect.
 */
function shareOf(way: PriceDirection, trend: number): number {
  const isAgainst = way === "up" ? trend < 0 : trend > 0;
  return isAgainst ? 1 - WIDTH_GIVEN_AT_FULL_TREND * trend * trend : 1;
}

/**
 * A width at which the greatest change is below the distance and close to it; 0 when none was found. The search assumes
 * that changes grow with the width like the values of the positions, which is nearly true.
 */
function widestBelow(sides: readonly Side[], distance: number): number {
  // The gain of each position may be off by one rounding.
  const distanceMax = distance - sides.length;
  let growth = 0;
  for (const { exposure, ownShare, ratesShare } of sides) {
    const ofRates = ratesShare === 0 ? 0 : RATES_SHARE;
    growth += exposure.value * (ownShare + ofRates);
  }
  let inside = 0;
  let width = Math.min(WIDEST, (distanceMax * TARGET_SHARE) / growth);
  for (let probe = 0; probe < PROBES_MAX && distanceMax > 0; probe += 1) {
    const change = changeAt(sides, width);
    if (change < distanceMax) inside = Math.max(inside, width);
    if (change < distanceMax && (width === WIDEST || change > distanceMax * CLOSE_ENOUGH)) break;
    width = Math.min(WIDEST, (width * distanceMax * TARGET_SHARE) / Math.max(1, change));
  }
  return inside;
}

/** The greatest change of the equity while all prices stay within the width. */
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

/** The gain of the position at this price. With a null `rate` it is converted at the present rates. */
function gainAt(exposure: Exposure, at: Price, rate: number | null): number {
  const { direction, quantity, from, instrument, market } = exposure;
  const usdRate = rate ?? usdRateAt(instrument, at, market);
  if (usdRate === null) throw new Error("broken invariant: positions of a known equity");
  const gain = gainUsd(instrument, { quantity, from, price: at, usdRate });
  return direction === "long" ? gain : 0 - gain;
}

function ownLevel({ exposure, way, ownShare }: Side, width: number): Price {
  return movePrice(exposure.mark, way, width * ownShare);
}

function rateWidth({ ratesShare }: Side, width: number): number {
  return Math.min(WIDEST, width * ratesShare);
}

/** The conversion rate after every pair that may convert the currency has moved it in this direction. */
function movedRate(side: Side, way: PriceDirection, width: number): number {
  const { usdRate, rates } = side.exposure;
  const by = rateWidth(side, width);
  // The price of an inverse pair moves against the rate: when it falls by a share, the rate rises by more than that
  // share.
  if (way === "down") return usdRate * (1 - by);
  return rates.some(({ inverse }) => inverse) ? usdRate / (1 - by) : usdRate * (1 + by);
}

/** Adds the level of the position's own price, and those of the rates in the directions that cause the outcome. */
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
    // The first quote of such a pair may change the rate without any move of a price, so every quote counts.
    if (mid === null) {
      levels.push(everyQuoteLevel(pair));
      continue;
    }
    for (const rateWay of worseWays(outcome, up, down)) {
      const to = inverse ? opposite(rateWay) : rateWay;
      levels.push({ pair, side: "mid", when: WHEN[to], price: movePrice(mid, to, by) });
    }
  }
}

/** The directions of a rate that can cause the outcome, from the gains at both ends of its band. */
function worseWays(outcome: Outcome, up: number, down: number): readonly PriceDirection[] {
  if (up === down) return BOTH_WAYS;
  return up < down === (outcome === "loss") ? UP : DOWN;
}

const BOTH_WAYS: readonly PriceDirection[] = ["down", "up"];
const UP: readonly PriceDirection[] = ["up"];
const DOWN: readonly PriceDirection[] = ["down"];
const WHEN = { down: "atOrBelow", up: "atOrAbove" } as const;

function opposite(way: PriceDirection): PriceDirection {
  return way === "up" ? "down" : "up";
}

function movePrice(from: Price, way: PriceDirection, by: number): Price {
  return price(from * (way === "down" ? 1 - by : 1 + by));
}

/** A level that every quote of the pair reaches. */
export function everyQuoteLevel(pair: PairId): WatchLevel {
  return { pair, side: "bid", when: "atOrBelow", price: price(Number.MAX_VALUE) };
}
