/**
 * The sources of prices: the main one with the prices of the market, and a second one of some pairs, which is not
 * always right.
 */
import type { Quote } from "@propgate/core";
import type { Turn } from "./checker.ts";
import type { RandomDraw } from "./random-draw.ts";

/** The name of the source that sends the prices of the market for every pair. */
export const MAIN_SOURCE = "main" as const;
/** The name of the source that sends its own prices for some pairs. */
export const SECOND_SOURCE = "second" as const;
export type SourceName = typeof MAIN_SOURCE | typeof SECOND_SOURCE;

/** The pairs that also have the second source. */
export const SECOND_SOURCE_PAIRS: ReadonlySet<string> = new Set([
  "BTCUSD",
  "ETHUSD",
  "EURUSD",
  "EURJPY",
]);

/** The pairs whose sources send no time, so that a quote has the time of its receipt. */
export const UNTIMED_PAIRS: ReadonlySet<string> = new Set(["ETHUSD", "SOLUSD", "USDJPY"]);

/** The names of a pair's sources, the preferred one first. */
export function sourcesOf(pair: string): readonly SourceName[] {
  return SECOND_SOURCE_PAIRS.has(pair) ? [MAIN_SOURCE, SECOND_SOURCE] : [MAIN_SOURCE];
}

/** A quote with the source that sends it. */
export interface SourcedQuote {
  readonly source: SourceName;
  readonly quote: Quote;
}

/** A quote that the nodes were offered in a turn. */
export interface QuoteOffer extends SourcedQuote {
  readonly turn: Turn;
  /** The time of the offer by the steady clock. */
  readonly steadyMs: number;
}

const MOODS = { right: 14, wrong: 3, far: 1, silent: 3 } as const;
type Mood = keyof typeof MOODS;

/** The chance, at each quote of the market, that the second source changes its behavior for the pair. */
const CHANGE_RATE = 0.06;
/**
 * The maximum distance of a right price from the market, as a ratio. It is below the deviation limit of every class of
 * pairs.
 */
const RIGHT_MAX = 0.001;
/**
 * The range of a wrong price's distance from the market, as ratios. It is above the deviation limit of every class, and
 * below the distance at which a price counts as an outlier.
 */
const WRONG_MIN = 0.015;
const WRONG_MAX = 0.08;
/** The factors between the market's price and a price in another scale. */
const FAR: readonly number[] = [0.1, 0.5, 1.6, 10];
/** The share of the market's quotes at which the second source sends none. */
const SKIPPED_RATE = 0.1;

/** The second source. For each pair it is right, wrong, in another scale or silent for a while. */
export interface SecondSource {
  /** The source's middle price at this middle price of the market; null when it sends none. */
  midOf(pair: string, mid: number): number | null;
}

export function createSecondSource(draw: RandomDraw): SecondSource {
  const moods = new Map<string, { readonly mood: Mood; readonly factor: number }>();
  const drawn = (mood: Mood) => {
    const wrong = draw.pick([-1, 1]) * draw.between(WRONG_MIN, WRONG_MAX);
    const factors = { right: 1, wrong: 1 + wrong, far: draw.pick(FAR), silent: 1 };
    return { mood, factor: factors[mood] };
  };
  return {
    midOf(pair, mid) {
      if (!SECOND_SOURCE_PAIRS.has(pair)) return null;
      const isChanged = draw.chance(CHANGE_RATE);
      const known = isChanged ? undefined : moods.get(pair);
      const { mood, factor } = known ?? drawn(isChanged ? draw.weighted(MOODS) : "right");
      moods.set(pair, { mood, factor });
      if (mood === "silent" || draw.chance(SKIPPED_RATE)) return null;
      return mid * factor * (1 + draw.between(-RIGHT_MAX, RIGHT_MAX));
    },
  };
}
