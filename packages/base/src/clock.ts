import { type UnixMs, unixMs } from "@propgate/core";

/** The service's time of day. A sandbox, a replay and the tests have clocks of their own. */
export interface Clock {
  now(): UnixMs;
}

/**
 * The time of the machine. Only this file reads it, as only `random.ts` draws chance and `config.ts` reads settings.
 */
export const systemClock: Clock = {
  now: () => unixMs(Date.now()),
};

/** Measures durations. It has no date, never goes back, and goes on while the process is stopped. */
export interface Stopwatch {
  nowMs(): number;
}

/** The stopwatch of the runtime. */
export const systemStopwatch: Stopwatch = {
  nowMs: () => performance.now(),
};

/** Waits once. Periodic work uses `prices/ticker.ts` of the package `market`. */
export interface Timer {
  /** Calls `call` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** The timers of the runtime. A pending timer does not keep the process alive. */
export const systemTimer: Timer = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds of the timer. */
export function delay(timer: Timer, ms: number): Promise<void> {
  return new Promise((resolve) => void timer.after(ms, resolve));
}

/** Lets the event loop do other work, such as reading requests, in the middle of long work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
