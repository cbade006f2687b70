/** Observes batches for metrics. Its calls are cheap and never throw. */
export interface BatchObserver {
  /** Called before the batch is sent to the database; call the result when the batch has ended or failed. */
  begin(size: number): () => void;
}
