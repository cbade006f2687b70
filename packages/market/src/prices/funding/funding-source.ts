import type { PairId, Ratio, UnixMs } from "@propgate/core";

/** A venue that settles funding every hour. Opening it reaches no network. */
export interface FundingSource {
  /** The venue's name, which is stored with its rates. */
  readonly name: string;
  /** The pairs whose rates it gives. */
  readonly pairs: readonly PairId[];
  /**
   * The rate that the venue settled at that hour; null while it has not published it. Throws when it does not answer.
   */
  rateOf(pair: PairId, hourMs: UnixMs): Promise<Ratio | null>;
  /** Ends its requests; it cannot be opened again. */
  stop(): void;
}
