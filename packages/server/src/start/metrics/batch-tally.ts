import type { BatchObserver, Stopwatch } from "@propgate/base";
import {
  createHistogramTally,
  type HistogramTally,
  SECONDS_BOUNDS,
  SIZE_BOUNDS,
} from "./histogram-tally.ts";

/** Counts the sizes and durations of batches. */
export interface BatchTally {
  readonly observer: BatchObserver;
  readonly sizes: HistogramTally;
  readonly seconds: HistogramTally;
}

const MS_PER_SECOND = 1_000;

export function createBatchTally(stopwatch: Stopwatch): BatchTally {
  const sizes = createHistogramTally(SIZE_BOUNDS);
  const seconds = createHistogramTally(SECONDS_BOUNDS);
  return {
    sizes,
    seconds,
    observer: {
      begin(size) {
        const startedMs = stopwatch.nowMs();
        return () => {
          sizes.add(size);
          seconds.add((stopwatch.nowMs() - startedMs) / MS_PER_SECOND);
        };
      },
    },
  };
}
