// Made from the schemas of the contract by `npm run docs`.

/** All events up to the cursor that match the stream's `types` have been sent. */
export interface StreamMark {
  /** Pass it as `after` to continue after this mark. */
  readonly cursor: string;
  /** The service's time when it sent the mark. */
  readonly atMs: number;
  /** False while the stream still sends older events; true when it has reached the newest event. */
  readonly live: boolean;
}
