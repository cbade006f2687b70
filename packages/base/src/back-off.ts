import type { Chance } from "./random.ts";

/** The upper bounds of the first wait and of every wait. */
export interface BackOffLimits {
  /** The upper bound of the wait before the first retry. */
  readonly firstMs: number;
  /** The upper bound of the wait before any retry. */
  readonly maxMs: number;
}

/**
 * The waits between attempts. Their upper bound doubles after each one, and each wait is a random time from half of its
 * bound to all of it.
 */
export interface BackOff {
  /** The next wait, in whole milliseconds. */
  nextMs(): number;
  /** Resets the upper bound of the next wait to `firstMs`. */
  reset(): void;
}

/** Makes the waits of a new series of attempts; `chance` draws them. */
export function createBackOff({ firstMs, maxMs }: BackOffLimits, chance: Chance): BackOff {
  let longestMs = firstMs;
  return {
    nextMs() {
      const waitMs = longestMs * (0.5 + 0.5 * randomFraction(chance));
      longestMs = Math.min(maxMs, longestMs * 2);
      return Math.ceil(waitMs);
    },
    reset() {
      longestMs = firstMs;
    },
  };
}

/** A random number from 0 up to but not including 1. */
function randomFraction(chance: Chance): number {
  const [high = 0, low = 0] = chance.bytes(2);
  return (high * 256 + low) / 65_536;
}
