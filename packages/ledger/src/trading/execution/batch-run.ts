import type { AccountId, Instruments } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import {
  isLockTimeout,
  isRejected,
  isRolledBack,
  isUnavailable,
} from "../../storage/databases/database-error.ts";
import type { Lease } from "../../storage/leases/lease-store.ts";
import {
  type BatchRows,
  type HashedVersion,
  writeBatch,
} from "../../storage/stores/account-rows.ts";
import type { Submission, VersionedState } from "../executor-port.ts";
import { NotWritten } from "../network/not-written.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import type { Ownership } from "../ownership.ts";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import { receiptIdOf, receiptKey } from "../receipts/receipt-key.ts";
import type { CommittedAccount, StateCache } from "../state-cache.ts";
import { createBatch } from "./batch.ts";
import type { CommitObserver } from "./commit-observer.ts";
import { createBatchDeciders, type DecidingOptions } from "./decide-command.ts";
import { detectExistingReceipts, ReceiptsExist } from "./existing-receipts.ts";
import type { CommandOutcome } from "./outcome.ts";

export interface BatchRunOptions extends DecidingOptions {
  readonly database: Database;
  readonly cache: StateCache;
  readonly instruments: Instruments;
  /** The accounts that this node decides; all when absent. */
  readonly ownership?: Ownership | undefined;
  /** Observes commits, if given. */
  readonly observer?: CommitObserver | undefined;
  /** Called after each commit, before its commands are answered. */
  readonly onCommit: (moved: readonly VersionedState[]) => void;
}

/** Decides and writes a batch once. Gives one outcome for each command, and never rejects. */
export type BatchRun = (submissions: readonly Submission[]) => Promise<readonly CommandOutcome[]>;

/** How long the statement waits for a row that another session inserts, or for a lease that another node claims. */
const LOCK_WAIT_MS = 500;

/** The states from which a batch is decided. */
interface NewestStates {
  readonly accounts: Map<AccountId, CommittedAccount>;
  /** The accounts that were read from the database for this batch. */
  readonly read: ReadonlySet<AccountId>;
}

/** The decisions of a batch, with the versions and leases that its statement compares. */
interface DecidedBatch extends Pick<NewestStates, "read"> {
  readonly outcomes: readonly CommandOutcome[];
  readonly rows: BatchRows;
  /** The changed accounts, in the order of their first change. */
  readonly moved: readonly CommittedAccount[];
  readonly unchanged: ReadonlyMap<AccountId, HashedVersion>;
  readonly leases: readonly Lease[];
}

/**
 * Decides from the cached states, then compares their versions and writes in one statement. The statement is its own
 * transaction, so a process that is stopped holds no lock of a row.
 *
 * A version is compared by its number and by the hash of the journal line with this number: after a restore or a
 * failover the same number may be another line. The versions of unchanged accounts are compared too: a refusal, or a
 * settlement without events, may be wrong for the newest state of an account that another node has changed.
 */
export function createBatchRun(options: BatchRunOptions): BatchRun {
  const { database, cache, ownership, observer } = options;
  const batchDecider = createBatchDeciders(options);
  /** Accounts whose cached version was not the newest when a batch was written. */
  const stale = new Set<AccountId>();

  const newestStates = async (ids: readonly AccountId[]): Promise<NewestStates> => {
    const accounts = new Map<AccountId, CommittedAccount>();
    const read = new Set<AccountId>();
    for (const id of ids) {
      const cached = stale.has(id) ? null : cache.get(id);
      if (cached === null) read.add(id);
      else accounts.set(id, cached);
    }
    if (read.size === 0) return { accounts, read };
    for (const account of await cache.load([...read])) {
      accounts.set(account.state.accountId, account);
    }
    for (const id of read) stale.delete(id);
    return { accounts, read };
  };

  const decideAll = async (submissions: readonly Submission[]): Promise<DecidedBatch> => {
    const ids = [...new Set(submissions.map(({ accountId }) => accountId))];
    const { accounts, read } = await newestStates(ids);
    // Ownership is read after the wait for states, because this node may have lost accounts meanwhile.
    const owned = ownership === undefined ? null : leasesOf(ids, ownership);
    for (const id of ids) if (owned?.has(id) === false) accounts.delete(id);
    const batch = createBatch(accounts, options.instruments);
    const decideOne = batchDecider(batch);
    const outcomes = submissions.map((submission): CommandOutcome => {
      const isOwned = owned?.has(submission.accountId) !== false;
      return isOwned ? decideOne(submission) : { is: "ownerUnknown" };
    });
    const rows = batch.rows();
    const moved = batch.changedAccounts();
    const changed = new Set(rows.accounts.map(({ accountId }) => accountId));
    const unchanged = new Map([...accounts].filter(([id]) => !changed.has(id)));
    const leases = owned === null ? [] : distinctLeases(owned.values());
    return { outcomes, rows, moved, read, unchanged, leases };
  };

  /**
   * Writes the batch. Returns the accounts whose compared version was the newest; null when one of the leases was lost.
   */
  const write = async ({
    outcomes,
    rows,
    unchanged,
    leases,
  }: DecidedBatch): Promise<ReadonlySet<string> | null> => {
    const ended = observer?.begin(outcomes.length);
    const limits = { unchanged, leases, lockWaitMs: LOCK_WAIT_MS };
    const writing = writeBatch(database, rows, limits).finally(ended);
    const written = await detectExistingReceipts(database, rows.receipts, writing);
    if (written === null) ownership?.onStaleLeases(leases);
    else observer?.wrote(rows.journal.filter(({ accountId }) => written.has(accountId)).length);
    return written;
  };

  const leftOutOf = (
    { rows, unchanged, read }: DecidedBatch,
    written: ReadonlySet<string>,
  ): ReadonlyMap<AccountId, CommandOutcome> => {
    const compared = [...rows.accounts.map(({ accountId }) => accountId), ...unchanged.keys()];
    const leftOut = compared.filter((id) => !written.has(id));
    for (const id of leftOut) stale.add(id);
    return new Map(leftOut.map((id) => [id, { is: read.has(id) ? "held" : "changed" }]));
  };

  const writeDecided = async (
    decided: DecidedBatch,
    submissions: readonly Submission[],
  ): Promise<readonly CommandOutcome[]> => {
    const { outcomes } = decided;
    const written = await write(decided);
    if (written === null) return outcomes.map(() => ({ is: "ownerUnknown" }));
    const moved = decided.moved.filter(({ state }) => written.has(state.accountId));
    for (const account of moved) cache.put(account);
    if (moved.length > 0) options.onCommit(moved);
    const leftOut = leftOutOf(decided, written);
    return leftOut.size === 0 ? outcomes : replaceLeftOut(outcomes, submissions, leftOut);
  };

  return async (submissions) => {
    // From here on, a failure may come after the commit.
    let reachesCommit = false;
    try {
      const decided = await decideAll(submissions);
      const { outcomes, rows, unchanged } = decided;
      if (rows.accounts.length === 0 && unchanged.size === 0) return outcomes;
      reachesCommit = true;
      return await writeDecided(decided, submissions);
    } catch (cause) {
      if (cause instanceof ReceiptsExist) return outcomesWithReceipts(cause, submissions);
      return submissions.map(() => failureOutcome(cause, reachesCommit));
    }
  };
}

/** Replaces the outcomes of the accounts that the statement left out: these outcomes were decided from old states. */
function replaceLeftOut(
  outcomes: readonly CommandOutcome[],
  submissions: readonly Submission[],
  leftOut: ReadonlyMap<string, CommandOutcome>,
): readonly CommandOutcome[] {
  return outcomes.map((outcome, at) => leftOut.get(submissions[at]?.accountId ?? "") ?? outcome);
}

/** The outcome of all commands of a batch that failed as a whole. */
export function failureOutcome(cause: unknown, reachesCommit: boolean): CommandOutcome {
  const changedNothing =
    isRolledBack(cause) || isLockTimeout(cause) || (!reachesCommit && isUnavailable(cause));
  if (changedNothing) return { is: "rolledBack", cause };
  if (isRejected(cause)) return { is: "failed", cause: new NotWritten(cause) };
  return { is: "unknown", cause: new UnknownFate(cause) };
}

/**
 * The outcomes of a batch that found existing receipts. A command that has a receipt was carried out earlier, or
 * rejected. The other commands were rolled back only because they were in the same batch.
 */
function outcomesWithReceipts(
  { receipts }: ReceiptsExist,
  submissions: readonly Submission[],
): readonly CommandOutcome[] {
  const accepted = new Map(receipts.map((one) => [receiptKey(one), one.isAccepted]));
  return submissions.map((submission) => {
    const receipt = receiptIdOf(submission);
    const isAccepted = receipt === null ? undefined : accepted.get(receiptKey(receipt));
    if (isAccepted === undefined) return { is: "besideReceipt" };
    return isAccepted ? { is: "receiptExists" } : { is: "failed", cause: new NotCarriedOut() };
  });
}

/** The leases of the accounts that this node owns; other accounts are left out. */
function leasesOf(ids: readonly AccountId[], ownership: Ownership): ReadonlyMap<AccountId, Lease> {
  const leases = new Map<AccountId, Lease>();
  for (const id of ids) {
    const lease = ownership.leaseOf(id);
    if (lease !== null) leases.set(id, lease);
  }
  return leases;
}

/** The leases, each only once, although several accounts may have the same lease. */
function distinctLeases(leases: Iterable<Lease>): readonly Lease[] {
  return [...new Map([...leases].map((lease) => [lease.name, lease])).values()];
}
