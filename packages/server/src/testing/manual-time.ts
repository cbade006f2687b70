import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Ticker } from "../prices/ticker.ts";

/** Time that only the test moves, and the timers that hang on it. */
export interface ManualTime {
  readonly clock: Clock;
  readonly ticker: Ticker;
  /** Moves time, then runs everything periodic once and waits for it. */
  pass(ms: number): Promise<void>;
}

export function createManualTime(startMs: number): ManualTime {
  let nowMs: UnixMs = unixMs(startMs);
  const works = new Set<() => Promise<void>>();
  return {
    clock: { now: () => nowMs },
    ticker: {
      start(_periodMs, work) {
        works.add(work);
        return { stop: async () => void works.delete(work) };
      },
    },
    async pass(ms) {
      nowMs = unixMs(nowMs + ms);
      for (const work of works) await work();
    },
  };
}
