import type { Clock } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";

/** The clock of replayed data. */
export interface ReplayClock extends Clock {
  /** Starts the clock; until then it shows the first row's time. */
  begin(): void;
  /** The time that the replay would have reached without any delay. */
  target(): UnixMs;
  /** Moves the clock to at least this time, because a row has been reached. */
  reach(atMs: UnixMs): void;
  /** Stops the clock at the next row until that is published; null when no row follows. */
  hold(nextMs: UnixMs | null): void;
}

export interface ReplayClockOptions {
  readonly startMs: UnixMs;
  /** Milliseconds of data for each real millisecond. */
  readonly speed: number;
  /** The real clock that paces the replay. */
  readonly pace: Clock;
}

/**
 * A clock that starts at the data's first row and runs `speed` times as fast as real time, but
 * never past an unpublished row: however busy the service is, no quote looks older than it was in
 * the data.
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
