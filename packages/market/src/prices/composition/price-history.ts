import { midOf, type PairId, type Quote } from "@propgate/core";

/**
 * Keeps the middle prices of the last five minutes for the operator's console. It keeps at most 30 prices of each pair.
 */
export interface PriceHistory {
  add(quote: Quote): void;
  /**
   * The last middle price of each stretch of ten seconds in the last five minutes, oldest first; null for a stretch
   * without a quote.
   */
  recent(pair: PairId, nowMs: number): readonly (number | null)[];
}

const STRETCH_MS = 10_000;
/** The number of stretches that are kept: five minutes. */
const STRETCHES = 30;

/** The prices of one pair. The index is the stretch's number modulo `STRETCHES`; NaN for a stretch without a quote. */
interface RecentPrices {
  /** The number of the stretch of the newest price, counted from 1970. */
  newest: number;
  readonly prices: Float64Array;
}

export function createPriceHistory(): PriceHistory {
  const rings = new Map<PairId, RecentPrices>();
  return {
    add(quote) {
      const stretch = Math.floor(quote.atMs / STRETCH_MS);
      const ring = rings.get(quote.pair) ?? {
        newest: stretch - STRETCHES,
        prices: new Float64Array(STRETCHES).fill(Number.NaN),
      };
      rings.set(quote.pair, ring);
      if (stretch <= ring.newest - STRETCHES) return;
      for (
        let empty = Math.max(ring.newest + 1, stretch - STRETCHES);
        empty <= stretch;
        empty += 1
      ) {
        ring.prices[empty % STRETCHES] = Number.NaN;
      }
      ring.newest = Math.max(ring.newest, stretch);
      ring.prices[stretch % STRETCHES] = midOf(quote);
    },
    recent(pair, nowMs) {
      const ring = rings.get(pair);
      const last = Math.floor(nowMs / STRETCH_MS);
      return Array.from({ length: STRETCHES }, (_, index) => {
        const stretch = last - STRETCHES + 1 + index;
        if (ring === undefined || stretch > ring.newest) return null;
        if (stretch <= ring.newest - STRETCHES) return null;
        const price = ring.prices[stretch % STRETCHES] ?? Number.NaN;
        return Number.isNaN(price) ? null : price;
      });
    },
  };
}
