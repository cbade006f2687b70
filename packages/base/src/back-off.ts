import type { Chance } from "./random.ts";

export interface BackOffLimits {
  /** The longest wait before the first retry. */
  readonly firstMs: number;
  /** The longest wait before any retry. */
  readonly mostMs: number;
}

/** The waits between attempts: each up to twice the one before, and random from half of that to all of it. */
export interface BackOff {
  nextMs(): number;
  /** The next wait is a first one again. */
  reset(): void;
}

export function createBackOff({ firstMs, mostMs }: BackOffLimits, chance: Chance): BackOff {
  let longestMs = firstMs;
  return {
    nextMs() {
      const waitMs = longestMs * (0.5 + 0.5 * share(chance));
      longestMs = Math.min(mostMs, longestMs * 2);
      return Math.ceil(waitMs);
    },
    reset() {
      longestMs = firstMs;
    },
  };
}

/** A random number from 0 to below 1. */
function share(chance: Chance): number {
  const [high = 0, low = 0] = chance.bytes(2);
  return (high * 256 + low) / 65_536;
}
