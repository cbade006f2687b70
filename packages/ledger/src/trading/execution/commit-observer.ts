import type { BatchObserver } from "@propgate/base";

/** Observes the executor's commits. The size of a batch is its number of commands. */
export interface CommitObserver extends BatchObserver {
  /** Called after a commit with the number of journal lines that it wrote. */
  wrote(journalLines: number): void;
}
