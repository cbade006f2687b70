/** Calls `work` again and again; the next call waits for the end of the one before. */
export interface Ticker {
  start(periodMs: number, work: () => Promise<void>): Ticking;
}

export interface Ticking {
  /** No call begins after this; resolves when a running one has ended. */
  stop(): Promise<void>;
}

/** The process's own timers; they do not keep it alive. */
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
