/** The sources of prices: the market's own, and a second one of some pairs that is not always right. */
import type { Quote } from "@propgate/core";
import type { Draw } from "./draw.ts";
import type { Turn } from "./history.ts";

/** Sends the prices of the market for every pair. */
export const MAIN = "main" as const;
/** Sends prices of its own for some pairs. */
export const SECOND = "second" as const;
export type SourceName = typeof MAIN | typeof SECOND;

export const SECOND_PAIRS: ReadonlySet<string> = new Set(["BTCUSD", "ETHUSD", "EURUSD", "EURJPY"]);

/** Their sources send no time, so a quote has that of its receipt. */
export const UNTIMED_PAIRS: ReadonlySet<string> = new Set(["ETHUSD", "SOLUSD", "USDJPY"]);

/** The names of a pair's sources by priority. */
export function sourcesOf(pair: string): readonly SourceName[] {
  return SECOND_PAIRS.has(pair) ? [MAIN, SECOND] : [MAIN];
}

export interface SourcedQuote {
  readonly source: SourceName;
  readonly quote: Quote;
}

/** A quote that the nodes were offered in that turn. */
export interface FedQuote extends SourcedQuote {
  readonly turn: Turn;
  /** By the steady clock. */
  readonly steadyMs: number;
}

const MOODS = { right: 14, wrong: 3, far: 1, silent: 3 } as const;
type Mood = keyof typeof MOODS;

/** The chance that the source of a pair changes its mood with a quote of the market. */
const CHANGE_RATE = 0.06;
/** The maximum distance of a right source from the market, as a ratio; below the limit of every class. */
const RIGHT_MAX = 0.001;
/** The distance of a wrong source: above the limit of every class, and below that of an outlier. */
const WRONG_MIN = 0.015;
const WRONG_MAX = 0.08;
/** Other scales. */
const FAR: readonly number[] = [0.1, 0.5, 1.6, 10];
/** The share of the market's quotes with which a source sends none of its own. */
const SKIPPED_RATE = 0.1;

/** The second source: for each pair right, wrong, in another scale or silent for a while. */
export interface SecondSource {
  /** Its middle price beside the market's; null when it sends none. */
  midOf(pair: string, mid: number): number | null;
}

export function createSecondSource(draw: Draw): SecondSource {
  const moods = new Map<string, { readonly mood: Mood; readonly factor: number }>();
  const drawn = (mood: Mood) => {
    const wrong = draw.pick([-1, 1]) * draw.between(WRONG_MIN, WRONG_MAX);
    const factors = { right: 1, wrong: 1 + wrong, far: draw.pick(FAR), silent: 1 };
    return { mood, factor: factors[mood] };
  };
  return {
    midOf(pair, mid) {
      if (!SECOND_PAIRS.has(pair)) return null;
      const isChanged = draw.chance(CHANGE_RATE);
      const known = isChanged ? undefined : moods.get(pair);
      const { mood, factor } = known ?? drawn(isChanged ? draw.weighted(MOODS) : "right");
      moods.set(pair, { mood, factor });
      if (mood === "silent" || draw.chance(SKIPPED_RATE)) return null;
      return mid * factor * (1 + draw.between(-RIGHT_MAX, RIGHT_MAX));
    },
  };
}
