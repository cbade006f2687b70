import type { PushProblem, PushReason } from "./push-problem.ts";

/** The answer to a request: how many of its quotes were taken, and how many were rejected. */
export interface PushAnswer {
  readonly taken: number;
  /** The numbers of rejected quotes by reason; a reason that did not occur is absent. */
  readonly rejected: Readonly<Partial<Record<PushReason, number>>>;
  /**
   * The first rejected quote; null when there is none. `line` counts the lines, or the elements of an array, from 1.
   */
  readonly first: (PushProblem & { readonly line: number }) | null;
}

/** Receives the result of each quote of a body. */
export interface QuoteResults {
  take(): void;
  reject(problem: PushProblem, line: number): void;
}

/** Counts the quotes of one request or connection. Its memory does not grow with their number. */
export interface PushTally extends QuoteResults {
  readonly taken: number;
  readonly rejected: number;
  answer(): PushAnswer;
}

export function createPushTally(): PushTally {
  const counts = new Map<PushReason, number>();
  let taken = 0;
  let rejected = 0;
  let first: PushAnswer["first"] = null;
  return {
    get taken() {
      return taken;
    },
    get rejected() {
      return rejected;
    },
    take() {
      taken += 1;
    },
    reject(problem, line) {
      rejected += 1;
      counts.set(problem.reason, (counts.get(problem.reason) ?? 0) + 1);
      first ??= { line, ...problem };
    },
    answer: () => ({ taken, rejected: Object.fromEntries(counts), first }),
  };
}
