import { type UnixMs, unixMs } from "@propgate/core";

/** Reads the time. */
export interface Clock {
  now(): UnixMs;
}

/** The machine's time; with `random.ts` and `config.ts` the only source of outside input. */
export const systemClock: Clock = {
  now: () => unixMs(Date.now()),
};

/** Measures durations: it never goes back and has no date, and goes on while the process is stopped. */
export interface Stopwatch {
  nowMs(): number;
}

export const systemStopwatch: Stopwatch = {
  nowMs: () => performance.now(),
};

/** Waits; periodic work uses `prices/ticker.ts`. */
export interface Timer {
  /** Calls `call` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** The timers of the operating system. A pending one does not keep the process alive. */
export const systemTimer: Timer = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export function pause(timer: Timer, ms: number): Promise<void> {
  return new Promise((resolve) => void timer.after(ms, resolve));
}

/** Lets the event loop do its other work, such as reading requests, in the middle of a long one. */
export function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
