/** Calls `work` repeatedly; each call waits for the end of the one before. */
export interface Ticker {
  start(periodMs: number, work: () => Promise<void>): Ticking;
}

export interface Ticking {
  /** Starts no more calls; resolves when a running one has ended. */
  stop(): Promise<void>;
}

/** The process's own timers; they do not keep the process alive. */
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
