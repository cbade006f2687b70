import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";

/** `frozen`: time stands until it is moved. `real`: it also runs by itself. */
export type ClockMode = "frozen" | "real";

/** The service's clock, held by whoever controls the sandbox. It never goes back. */
export interface SandboxClock extends Clock {
  readonly mode: ClockMode;
  /** Throws when that would be back in time: the caller has to look first. */
  moveTo(atMs: UnixMs): void;
}

export interface SandboxClockOptions {
  readonly mode: ClockMode;
  readonly startMs: UnixMs;
  /** What a `real` clock runs by. */
  readonly pace: Clock;
}

export function createSandboxClock({ mode, startMs, pace }: SandboxClockOptions): SandboxClock {
  let baseMs = startMs;
  let sinceMs = pace.now();
  const now = () => (mode === "frozen" ? baseMs : unixMs(baseMs + pace.now() - sinceMs));
  return {
    mode,
    now,
    moveTo(atMs) {
      if (atMs < now()) throw new Error(`the sandbox clock would go back to ${atMs}`);
      baseMs = atMs;
      sinceMs = pace.now();
    },
  };
}
