import { midOf, type PairId, type Quote } from "@propgate/core";

/**
 * Measures whether the newest quotes of each pair went in one direction. The trend is the net move divided by the sum
 * of all moves: 1 when every quote was higher, −1 when every quote was lower, and near 0 when prices rose as much as
 * they fell. Only the processing cost of a quote may depend on the trend.
 */
export interface PriceTrends {
  addQuote(quote: Quote): void;
  /** The trend of a pair, from −1 to 1; 0 for an unknown pair. */
  trendOf(pair: PairId): number;
}

/** At each new step the sums of the earlier steps are multiplied by this factor, so that about thirty steps count. */
const DECAY = 31 / 32;

interface TrendSums {
  mid: number;
  /** Sums of the steps as shares of the price: `net` with their signs, `whole` without. */
  net: number;
  whole: number;
}

export function createPriceTrends(): PriceTrends {
  const courses = new Map<PairId, TrendSums>();
  return {
    addQuote(quote) {
      const mid = midOf(quote);
      const course = courses.get(quote.pair);
      if (course === undefined) {
        courses.set(quote.pair, { mid, net: 0, whole: 0 });
        return;
      }
      const step = mid / course.mid - 1;
      course.mid = mid;
      course.net = course.net * DECAY + step;
      course.whole = course.whole * DECAY + Math.abs(step);
    },
    trendOf(pair) {
      const course = courses.get(pair);
      return course === undefined || course.whole === 0 ? 0 : course.net / course.whole;
    },
  };
}
