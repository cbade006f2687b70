import type { AwaitedReason, PairId, UnixMs } from "@propgate/core";

/** Accounts of a node that wait for a price. */
interface WaitingAccounts {
  readonly pair: PairId;
  readonly reason: AwaitedReason;
  readonly accounts: number;
}

/** The report of a node with each heartbeat. Its counts are in no row of an account; health adds them up. */
export interface NodeFigures {
  /** True when it can decide accounts: the others leave those to it that they cannot decide. */
  readonly decides: boolean;
  /** How many of its accounts hold a position in each pair. */
  readonly holders: readonly (readonly [pair: PairId, accounts: number])[];
  readonly unjudged: readonly (WaitingAccounts & { readonly sinceMs: UnixMs | null })[];
  /** The prices that its due work waits for. */
  readonly awaited: readonly (WaitingAccounts & { readonly oldestDueAtMs: UnixMs })[];
  /** Accounts with a line in the future; null when there is none. */
  readonly linesOfFuture: { readonly accounts: number; readonly untilMs: UnixMs } | null;
}
