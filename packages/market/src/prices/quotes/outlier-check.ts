import type { PairId } from "@propgate/core";

/** The limits of the outlier check. */
export interface OutlierFilter {
  /** The largest distance that needs no confirmation, as a share of the last mid price: 0.2 is a fifth. */
  readonly moveMax: number;
  /** The number of quotes in a row at which a new level is accepted. */
  readonly confirmedBy: number;
}

/** A price more than a fifth away from the last one is accepted at the third quote of its level. */
export const DEFAULT_OUTLIER_FILTER: OutlierFilter = { moveMax: 0.2, confirmedBy: 3 };

/** Finds prices far from the last one that too few quotes have confirmed. */
export interface OutlierCheck {
  /** Whether a mid price is far from the last one, and too few quotes in a row have confirmed it. */
  isDoubtful(pair: PairId, mids: { readonly mid: number; readonly lastMid: number }): boolean;
  /** Restarts the count of doubtful quotes. Call it when a quote of the pair was accepted. */
  forget(pair: PairId): void;
}

/** A price level far from the last one, which `seen` quotes in a row had. */
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
