/** Counts what is sent in any 60 seconds. */
export interface OrderRate {
  /** Takes one place, or says how many milliseconds it is until one is free. */
  take(): number | null;
}

const WINDOW_MS = 60_000;

/** At most `perMinute` in any window of 60 seconds of `now`, milliseconds since the Unix epoch. */
export function createOrderRate(perMinute: number, now: () => number): OrderRate {
  let taken: readonly number[] = [];
  return {
    take: () => {
      const nowMs = now();
      taken = taken.filter((atMs) => atMs > nowMs - WINDOW_MS);
      const [oldest] = taken;
      if (oldest !== undefined && taken.length >= perMinute) return oldest + WINDOW_MS - nowMs;
      taken = [...taken, nowMs];
      return null;
    },
  };
}
