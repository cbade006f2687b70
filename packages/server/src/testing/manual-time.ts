import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock, Timer } from "../../../base/src/clock.ts";
import type { Ticker } from "../../../market/src/prices/ticker.ts";

/** Time that only the test moves, and timers that follow it. */
export interface ManualTime {
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly timer: Timer;
  /** Moves time, calls elapsed timers, then runs all periodic work once and waits for it. */
  pass(ms: number): Promise<void>;
}

export function createManualTime(startMs: number): ManualTime {
  let nowMs: UnixMs = unixMs(startMs);
  const works = new Set<() => Promise<void>>();
  const waiting = new Set<{ readonly atMs: number; readonly call: () => void }>();
  return {
    clock: { now: () => nowMs },
    ticker: {
      start(_periodMs, work) {
        works.add(work);
        return { stop: async () => void works.delete(work) };
      },
    },
    timer: {
      after(ms, call) {
        const mine = { atMs: nowMs + ms, call };
        waiting.add(mine);
        return () => void waiting.delete(mine);
      },
    },
    async pass(ms) {
      nowMs = unixMs(nowMs + ms);
      for (const one of waiting) {
        if (one.atMs > nowMs) continue;
        waiting.delete(one);
        one.call();
      }
      for (const work of works) await work();
    },
  };
}
