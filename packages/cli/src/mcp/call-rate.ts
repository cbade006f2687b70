/** A limit on the number of calls in any 60 seconds. */
export interface CallRate {
  /** Takes a slot and returns null, or returns the milliseconds until a slot is free. */
  reserve(): number | null;
}

const WINDOW_MS = 60_000;

/** Limits calls to `perMinute` in any window of 60 seconds. `now` returns milliseconds since the Unix epoch. */
export function createCallRate(perMinute: number, now: () => number): CallRate {
  let taken: readonly number[] = [];
  return {
    reserve: () => {
      const nowMs = now();
      taken = taken.filter((atMs) => atMs > nowMs - WINDOW_MS);
      const [oldest] = taken;
      if (oldest !== undefined && taken.length >= perMinute) return oldest + WINDOW_MS - nowMs;
      taken = [...taken, nowMs];
      return null;
    },
  };
}
