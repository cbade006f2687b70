import type { BatchObserver } from "@propgate/base";

/** Observes the executor's commits. The size with which `begin` is called is the number of commands in the batch. */
export interface CommitObserver extends BatchObserver {
  /** Called after a commit with the number of journal lines that it wrote. */
  wrote(journalLines: number): void;
}
