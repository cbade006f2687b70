// Made from the schemas of the contract by `npm run docs`.

/** Everything up to the cursor that matches the stream's `types` has been sent. */
export interface StreamMark {
  /** Pass it as `after` to continue here. */
  readonly cursor: string;
  /** The service's time. */
  readonly atMs: number;
  /** False while older events are still being sent, true from the head on. */
  readonly live: boolean;
}
