import type { AccountId } from "@propgate/core";
import type { BatchRows } from "../../storage/stores/account-rows.ts";
import type { CommittedAccount } from "../state-cache.ts";
import type { Attempt } from "./batch-attempts.ts";

/** `compare`: decide, then compare versions and write in one statement. `lock`: lock, decide, write. */
export type CommitMode = "compare" | "lock";

/** Why a batch left out an account: another session holds its row, or has changed the account. */
export type LeftOut = "held" | "moved";

/** The rows that follow from the decisions of a batch. */
export interface Decisions {
  readonly rows: BatchRows;
}

export interface CommitRound<Decided extends Decisions> {
  readonly accountIds: readonly AccountId[];
  readonly attempt: Attempt;
  /** Decides the commands of these accounts; unknown accounts are missing. */
  readonly decide: (
    accounts: ReadonlyMap<AccountId, CommittedAccount>,
    leftOut: ReadonlyMap<string, LeftOut>,
  ) => Decided;
}

export interface Committed<Decided extends Decisions> {
  readonly decided: Decided;
  /** The accounts whose commands must be decided again; nothing of them was written. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * Decides a batch and writes it, each account from its newest version or not at all. The rows of a
 * batch are all committed, except those of accounts that were left out.
 * @throws ClosedBefore when another session has closed a receipt of the batch
 */
export interface BatchCommit {
  /** Whether the first attempt of a batch skips held accounts, which then wait apart from the others. */
  readonly firstSkipsHeld: boolean;
  run<Decided extends Decisions>(round: CommitRound<Decided>): Promise<Committed<Decided>>;
}

/**
 * A batch waits this long for a lock of another session. Shorter than the time after which a stopped
 * node loses its locks, so that other accounts wait less.
 */
export const LOCK_WAIT_MS = 500;
