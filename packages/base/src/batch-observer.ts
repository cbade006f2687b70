/** Observes the batches that are sent to the database, for metrics and traces. Its calls are cheap and never throw. */
export interface BatchObserver {
  /**
   * Called before a batch of this size is sent to the database. The returned function is called when the batch has
   * ended or failed.
   */
  begin(size: number): () => void;
}
