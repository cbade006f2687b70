import type { Clock } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";

/** `frozen`: the clock moves only by a call. `real`: it also runs by itself. */
export type ClockMode = "frozen" | "real";

/** The service's clock, which the control plane moves. It never goes back. */
export interface SandboxClock extends Clock {
  readonly mode: ClockMode;
  /** Moves the clock forward. Throws when `atMs` is in the past, which callers check first. */
  moveTo(atMs: UnixMs): void;
}

export interface SandboxClockOptions {
  readonly mode: ClockMode;
  readonly startMs: UnixMs;
  /** The clock at whose pace a `real` clock runs. */
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
