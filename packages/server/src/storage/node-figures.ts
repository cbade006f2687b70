import type { AwaitedReason, PairId, UnixMs } from "@propgate/core";

/** The number of a node's accounts that wait for a price of a pair. */
interface WaitingAccounts {
  readonly pair: PairId;
  readonly reason: AwaitedReason;
  readonly accounts: number;
}

/**
 * The report that a node sends with each heartbeat. No row of an account has these counts, so health adds up those of
 * all nodes.
 */
export interface NodeFigures {
  /** True when the node can decide accounts. Other nodes leave to it the accounts that they cannot decide. */
  readonly decides: boolean;
  /** The number of the node's accounts that hold a position, for each pair. */
  readonly holders: readonly (readonly [pair: PairId, accounts: number])[];
  readonly unjudged: readonly (WaitingAccounts & { readonly sinceMs: UnixMs | null })[];
  /** The prices that the node's due work waits for. */
  readonly awaited: readonly (WaitingAccounts & { readonly oldestDueAtMs: UnixMs })[];
  /**
   * The number of the node's accounts whose newest journal line is from the future, and the time of the last such line;
   * null when there is none.
   */
  readonly linesOfFuture: { readonly accounts: number; readonly untilMs: UnixMs } | null;
}
