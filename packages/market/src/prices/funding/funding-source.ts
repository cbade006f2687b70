import type { PairId, Ratio, UnixMs } from "@propgate/core";

/** A venue that settles funding every hour. Creating the source does not use the network. */
export interface FundingSource {
  /** The name of the venue, which is stored with its rates. */
  readonly name: string;
  /** The pairs whose rates the venue publishes. */
  readonly pairs: readonly PairId[];
  /**
   * The rate that the venue settled at this hour; null while it has not published the rate. Throws when the venue does
   * not answer.
   */
  rateOf(pair: PairId, hourMs: UnixMs): Promise<Ratio | null>;
  /**
   * The pairs that the venue did not list when their rate was last requested. They have no rate until it lists them
   * again.
   */
  unlisted(): readonly PairId[];
  /** Ends the requests of this source. The source cannot be started again. */
  stop(): void;
}
