import type { PushProblem, PushReason } from "./push-problem.ts";

/** The answer to a request, which counts its lines by result. */
export interface PushAnswer {
  readonly taken: number;
  /** Counts by reason; a reason without a line is absent. */
  readonly rejected: Readonly<Partial<Record<PushReason, number>>>;
  /** The first line that was rejected. `line` counts from 1: lines, or elements of an array. */
  readonly first: (PushProblem & { readonly line: number }) | null;
}

/** Hears of each line. */
export interface LineCounts {
  take(): void;
  reject(problem: PushProblem, line: number): void;
}

/** Counts the lines of one request or connection. Its memory does not grow with them. */
export interface PushTally extends LineCounts {
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
