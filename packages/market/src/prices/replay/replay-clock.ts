import type { Clock } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";

/** A clock that shows the time of the replayed data. */
export interface ReplayClock extends Clock {
  /** Starts the clock. Before that it shows the time of the first row. */
  begin(): void;
  /** The time that the replay would have reached without any delay. */
  undelayedMs(): UnixMs;
  /** Moves the clock forward to at least this time, because a row of this time is played. */
  advanceTo(atMs: UnixMs): void;
  /** Stops the clock at the time of the next row until that row is played; null when no row follows. */
  holdAt(nextMs: UnixMs | null): void;
}

export interface ReplayClockOptions {
  readonly startMs: UnixMs;
  /** How many milliseconds of data pass in one real millisecond. */
  readonly speed: number;
  /** The real clock that sets the pace of the replay. */
  readonly pace: Clock;
}

/**
 * Creates a clock that starts at the data's first row and runs `speed` times as fast as real time. It never passes a
 * row that is not played yet: however busy the service is, no quote looks older than it was in the data.
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
    undelayedMs: target,
    now() {
      const open = ceilingMs === null ? target() : unixMs(Math.min(target(), ceilingMs));
      reachedMs = open > reachedMs ? open : reachedMs;
      return reachedMs;
    },
    advanceTo(atMs) {
      if (atMs > reachedMs) reachedMs = atMs;
    },
    holdAt(nextMs) {
      ceilingMs = nextMs;
    },
  };
}
