import type { PairId } from "@propgate/core";

/** The limits of the outlier check. */
export interface OutlierFilter {
  /** Max distance as a share of the last mid price: 0.2 is a fifth. */
  readonly moveMax: number;
  /** A new level is accepted when this many quotes in a row confirm it. */
  readonly confirmedBy: number;
}

/** A price a fifth away from the one before is accepted when three quotes confirm it. */
export const OUTLIERS: OutlierFilter = { moveMax: 0.2, confirmedBy: 3 };

export interface OutlierCheck {
  /** True for a mid price far from the last one that too few quotes have confirmed. */
  isDoubtful(pair: PairId, mids: { readonly mid: number; readonly lastMid: number }): boolean;
  /** The pair had an accepted quote, so its count of doubtful quotes restarts. */
  forget(pair: PairId): void;
}

/** A price level that was quoted but is not confirmed yet. */
interface Doubt {
  readonly mid: number;
  readonly seen: number;
}

export function createOutlierCheck({ moveMax, confirmedBy }: OutlierFilter): OutlierCheck {
  const doubts = new Map<PairId, Doubt>();
  const isNear = (mid: number, other: number) => Math.abs(mid / other - 1) <= moveMax;

  return {
    isDoubtful(pair, { mid, lastMid }) {
      if (isNear(mid, lastMid)) return false;
      const doubt = doubts.get(pair);
      const seen = doubt !== undefined && isNear(mid, doubt.mid) ? doubt.seen + 1 : 1;
      if (seen >= confirmedBy) return false;
      doubts.set(pair, { mid, seen });
      return true;
    },
    forget: (pair) => void doubts.delete(pair),
  };
}
