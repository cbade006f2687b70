import type { Timer } from "@propgate/base";

/** Limits the time that one reader waits. */
export interface WaitLimit {
  readonly isOver: () => boolean;
  /** The answer, or `late` when the time is over first. A later failure of the answer is ignored. */
  wait<Value>(answer: Promise<Value>): Promise<Value | "late">;
  /** Cancels the timer of the limit. */
  end(): void;
}

/** Starts the limit of one reader, which ends after `ms` milliseconds. */
export function startWaitLimit(timer: Timer, ms: number): WaitLimit {
  let isOver = false;
  let cancel: () => void = () => undefined;
  const over = new Promise<"late">((resolve) => {
    cancel = timer.after(ms, () => {
      isOver = true;
      resolve("late");
    });
  });
  return {
    isOver: () => isOver,
    wait: (answer) => Promise.race([answer, over]),
    end: () => cancel(),
  };
}
