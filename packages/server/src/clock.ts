import { type UnixMs, unixMs } from "@propgate/core";

/** Where the service reads the time. */
export interface Clock {
  now(): UnixMs;
}

/** The machine's own time; with `random.ts`, `config.ts` the only readers of the world outside. */
export const systemClock: Clock = {
  now: () => unixMs(Date.now()),
};

/** Where the service waits for a time to come; periodic work has `prices/ticker.ts`. */
export interface Timer {
  /** Calls once, after `ms` milliseconds, unless what is returned is called before. */
  after(ms: number, call: () => void): () => void;
}

/** The process's own timers; they do not keep it alive. */
export const systemTimer: Timer = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
