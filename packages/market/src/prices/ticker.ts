/** Calls `work` repeatedly, about every `periodMs`. A call never begins before the previous one has ended. */
export interface Ticker {
  start(periodMs: number, work: () => Promise<void>): Ticking;
}

/** A repetition that a ticker has started. */
export interface Ticking {
  /** Starts no further call; resolves when a running call has ended. */
  stop(): Promise<void>;
}

/** The ticker with the timers of the process, which do not keep the process alive. */
export const timerTicker: Ticker = {
  start(periodMs, work) {
    let stopped = false;
    let running: Promise<void> = Promise.resolve();
    let timer = setTimeout(turn, periodMs);
    timer.unref();
    function turn(): void {
      running = work().finally(() => {
        if (stopped) return;
        timer = setTimeout(turn, periodMs);
        timer.unref();
      });
    }
    return {
      async stop() {
        stopped = true;
        clearTimeout(timer);
        await running;
      },
    };
  },
};
