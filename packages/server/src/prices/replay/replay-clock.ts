import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../../clock.ts";

/** The replayed data's own time. */
export interface ReplayClock extends Clock {
  /** Lets time run; until then the clock shows the first row's time. */
  begin(): void;
  /** Where the replay would be by now, had it no work to do. */
  target(): UnixMs;
  /** Time has come to a row: the clock shows at least this from now on. */
  reach(atMs: UnixMs): void;
  /** The clock will not pass the next row before it is published; null: nothing is to come. */
  hold(nextMs: UnixMs | null): void;
}

export interface ReplayClockOptions {
  readonly startMs: UnixMs;
  /** Milliseconds of data for each real one. */
  readonly speed: number;
  /** What paces it. */
  readonly pace: Clock;
}

/**
 * A clock that starts at the data's first row and runs `speed` times as fast as real time, but
 * never ahead of a row that is still to be published: however busy the service is, no quote is
 * older to it than it was in the data.
 */
export function createReplayClock({ startMs, speed, pace }: ReplayClockOptions): ReplayClock {
  let startedAtMs: UnixMs | null = null;
  let reachedMs = startMs;
  let ceilingMs: UnixMs | null = startMs;
  const target = () => {
    if (startedAtMs === null) return startMs;
    return unixMs(Math.floor(startMs + (pace.now() - startedAtMs) * speed));
  };
  return {
    begin() {
      startedAtMs = pace.now();
    },
    target,
    now() {
      const open = ceilingMs === null ? target() : unixMs(Math.min(target(), ceilingMs));
      reachedMs = open > reachedMs ? open : reachedMs;
      return reachedMs;
    },
    reach(atMs) {
      if (atMs > reachedMs) reachedMs = atMs;
    },
    hold(nextMs) {
      ceilingMs = nextMs;
    },
  };
}
