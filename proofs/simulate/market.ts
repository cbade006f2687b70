import { type Instrument, type Instruments, pairId, type Quote, roundToTick } from "@propgate/core";
import { tickDecimals } from "../../packages/market/src/prices/tick.ts";
import { madeQuote } from "../../packages/server/src/testing/made-quote.ts";
import {
  createSecondSource,
  MAIN_SOURCE,
  SECOND_SOURCE,
  type SourcedQuote,
} from "./price-sources.ts";
import type { RandomDraw } from "./random-draw.ts";

interface Course {
  readonly pair: string;
  readonly start: number;
  /** The volatility of one step, as a share of the price. */
  readonly volatility: number;
}

/** The traded pairs, whose market hours differ. EURJPY needs the price of USDJPY. */
const COURSES: readonly Course[] = [
  { pair: "BTCUSD", start: 60_000, volatility: 0.004 },
  { pair: "ETHUSD", start: 2_500, volatility: 0.005 },
  { pair: "SOLUSD", start: 150, volatility: 0.006 },
  { pair: "EURUSD", start: 1.1, volatility: 0.0008 },
  { pair: "USDJPY", start: 150, volatility: 0.0008 },
  { pair: "EURJPY", start: 165, volatility: 0.001 },
  { pair: "AAPL", start: 220, volatility: 0.003 },
];
/** The share, which has splits and dividends. */
export const SHARE_PAIR = "AAPL";
/**
 * The pair with hourly funding, whose rates the operator sets. `run-simulation.ts` gives it that carry in the
 * catalogue.
 */
export const FUNDED_PAIR = "SOLUSD";
/** The pair `rate` converts the prices of `pair` to USD. */
export const CONVERSION_PAIRS = { rate: "USDJPY", pair: "EURJPY" } as const;
export const TRADED_PAIRS: readonly string[] = COURSES.map(({ pair }) => pair);

export const ACCOUNT_CLASSES = ["all_markets", "crypto", "forex", "equities"] as const;
export type AccountClass = (typeof ACCOUNT_CLASSES)[number];

/** The pairs that an account of each class may trade. */
export const PAIRS_OF_CLASS: Readonly<Record<AccountClass, readonly string[]>> = {
  all_markets: TRADED_PAIRS,
  crypto: ["BTCUSD", "ETHUSD", "SOLUSD"],
  forex: ["EURUSD", "USDJPY", "EURJPY"],
  equities: ["AAPL"],
};

const JUMP_CHANCE = 0.01;
const JUMP_MAX = 0.12;
const SPREAD = 0.0002;
/** The force with which prices return to their start, so that order sizes and prices stay realistic in long runs. */
const PULL = 0.01;

/** A split that the operator has announced. */
export interface MarketSplit {
  readonly id: string;
  readonly pair: string;
  readonly atMs: number;
  /** A new price is the old price times `factor`. */
  readonly factor: number;
}

/** Random prices of the pairs. */
export interface Market {
  /** Prices get the new scale at the split's moment. A split that is known already has no further effect. */
  split(split: MarketSplit): void;
  /** Removes a split that was cancelled before its moment. */
  forget(id: string): void;
  mid(pair: string): number;
  /** Moves the price by this factor, in one step. */
  jump(pair: string, factor: number): void;
  /** The nearest multiple of the pair's tick; the price itself for a pair that is not traded. */
  onTick(pair: string, price: number): number;
  /** The next quotes of some random pairs, from each source that sends one. */
  some(nowMs: number): readonly SourcedQuote[];
  /** The next quotes of all pairs, from each source that sends one. */
  all(nowMs: number): readonly SourcedQuote[];
}

export function createMarket(draw: RandomDraw, instruments: Instruments): Market {
  const mids = new Map(COURSES.map(({ pair, start }) => [pair, start]));
  const scales = new Map<string, number>();
  const known = new Set<string>();
  let coming: readonly MarketSplit[] = [];
  const rescale = (nowMs: number): void => {
    for (const { pair, factor } of coming.filter(({ atMs }) => atMs <= nowMs)) {
      scales.set(pair, (scales.get(pair) ?? 1) * factor);
      mids.set(pair, (mids.get(pair) ?? 1) * factor);
    }
    coming = coming.filter(({ atMs }) => atMs > nowMs);
  };
  const second = createSecondSource(draw);
  const next = (course: Course, nowMs: number): readonly SourcedQuote[] => {
    const { pair, start: first, volatility } = course;
    rescale(nowMs);
    const start = first * (scales.get(pair) ?? 1);
    const last = mids.get(pair) ?? start;
    const jump = draw.chance(JUMP_CHANCE) ? draw.between(-JUMP_MAX, JUMP_MAX) : 0;
    const pull = PULL * Math.log(start / last);
    const mid = last * Math.exp(volatility * draw.normal() + pull + jump);
    mids.set(pair, mid);
    const instrument = instrumentOf(instruments, pair);
    const other = second.midOf(pair, mid);
    return [
      { source: MAIN_SOURCE, quote: quoteOf(instrument, mid, nowMs) },
      ...(other === null
        ? []
        : [{ source: SECOND_SOURCE, quote: quoteOf(instrument, other, nowMs) }]),
    ];
  };
  return {
    split(split) {
      if (!known.has(split.id)) coming = [...coming, split];
      known.add(split.id);
    },
    forget(id) {
      coming = coming.filter((split) => split.id !== id);
    },
    mid: (pair) => mids.get(pair) ?? 1,
    jump: (pair, factor) => void mids.set(pair, (mids.get(pair) ?? 1) * factor),
    onTick(pair, price) {
      const instrument = instruments.get(pairId(pair));
      return instrument === undefined ? price : roundToTick(instrument, price);
    },
    some(nowMs) {
      const share = draw.unit();
      const chosen = COURSES.filter(() => draw.chance(share));
      const courses = chosen.length === 0 ? [draw.pick(COURSES)] : chosen;
      return courses.flatMap((one) => next(one, nowMs));
    },
    all: (nowMs) => COURSES.flatMap((one) => next(one, nowMs)),
  };
}

function instrumentOf(instruments: Instruments, pair: string): Instrument {
  const instrument = instruments.get(pairId(pair));
  if (instrument === undefined) throw new Error(`the catalogue has no ${pair}`);
  return instrument;
}

function quoteOf({ id, tick }: Instrument, mid: number, nowMs: number): Quote {
  const decimals = tickDecimals(tick);
  const onTick = (price: number): number =>
    Math.max(tick, Number((Math.round(price / tick) * tick).toFixed(decimals)));
  return madeQuote(id, onTick(mid * (1 - SPREAD / 2)), onTick(mid * (1 + SPREAD / 2)), nowMs);
}
