/** Runs the orders that are compared with the caps on sums, one after the other. */
export interface OpeningQueue {
  /** Runs the work after all earlier work. Returns null without running it when the signal aborts first. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null>;
}

/** Creates the queue. Orders wait for each other, because two concurrent ones could exceed a cap together. */
export function createOpeningQueue(): OpeningQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(signal, work) {
      const before = last;
      let end = (): void => {};
      const current = new Promise<void>((resolve) => {
        end = resolve;
      });
      last = before.then(() => current);
      try {
        await Promise.race([before, whenAborted(signal)]);
        return signal.aborted ? null : await work();
      } finally {
        end();
      }
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
