/** Lets one order at a time be compared with the caps on sums and sent. */
export interface OpeningTurns {
  /** Runs the work once all work before it has ended; null, and no work, when the signal aborts first. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null>;
}

/** Two orders that are compared with the same state could pass a cap together. */
export function createOpeningTurns(): OpeningTurns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(signal, work) {
      const before = last;
      let end = (): void => {};
      const mine = new Promise<void>((resolve) => {
        end = resolve;
      });
      last = before.then(() => mine);
      try {
        await Promise.race([before, aborted(signal)]);
        return signal.aborted ? null : await work();
      } finally {
        end();
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
