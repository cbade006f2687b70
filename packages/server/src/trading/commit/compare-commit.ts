import type { AccountId } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import type { Lease } from "../../storage/leases/lease-store.ts";
import {
  type BatchRows,
  type NamedVersion,
  writeBatch,
} from "../../storage/stores/account-rows.ts";
import { NotOwner, type Ownership } from "../ownership.ts";
import type { CommittedAccount, StateCache } from "../state-cache.ts";
import type { Attempt } from "./batch-attempts.ts";
import { closedBefore } from "./closed-before.ts";
import type { CommitObserver } from "./commit-observer.ts";
import type { LeftOut } from "./left-out.ts";

/** The rows that follow from the decisions of a batch. */
export interface Decisions {
  readonly rows: BatchRows;
}

export interface CommitRound<Decided extends Decisions> {
  readonly accountIds: readonly AccountId[];
  readonly attempt: Attempt;
  /**
   * Decides the commands of the accounts that this node owns. Unknown accounts are missing in `accounts`, and those of
   * other nodes.
   */
  readonly decide: (
    accounts: ReadonlyMap<AccountId, CommittedAccount>,
    isOwned: (account: AccountId) => boolean,
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
 * @throws NotOwner when another node owns one of the accounts; then nothing was written
 */
export type BatchCommit = <Decided extends Decisions>(
  round: CommitRound<Decided>,
) => Promise<Committed<Decided>>;

/** A batch waits this long for a row that another session holds, for example a person with psql. */
const LOCK_WAIT_MS = 500;

/**
 * Decides from the cached states, then compares their versions and writes in one statement. The
 * statement is its own transaction, so a process that is stopped holds no lock of a row.
 *
 * A version is its number and the hash of its line: after a restore or a failover the same number may be another line.
 * The versions of unchanged accounts are compared too: a refusal, or a settlement without events,
 * may be wrong for the newest state of an account that another node has changed.
 */
export function createCompareCommit(options: {
  readonly database: Database;
  readonly cache: StateCache;
  readonly ownership?: Ownership | undefined;
  readonly observer?: CommitObserver | undefined;
}): BatchCommit {
  const { database, cache, ownership, observer } = options;
  /** Accounts whose cached version was not the newest when a batch wrote. */
  const stale = new Set<AccountId>();

  const newestStates = async (
    ids: readonly AccountId[],
  ): Promise<ReadonlyMap<AccountId, CommittedAccount>> => {
    const accounts = new Map<AccountId, CommittedAccount>();
    const missing: AccountId[] = [];
    for (const id of ids) {
      const cached = stale.has(id) ? null : cache.get(id);
      if (cached === null) missing.push(id);
      else accounts.set(id, cached);
    }
    if (missing.length === 0) return accounts;
    for (const account of await cache.load(missing)) accounts.set(account.state.accountId, account);
    for (const id of missing) stale.delete(id);
    return accounts;
  };

  /** Resolves with the accounts that were the newest. */
  const writeIfNewest = async (
    rows: BatchRows,
    batch: Pick<Parameters<typeof writeBatch>[2], "unchanged" | "leases"> & {
      readonly attempt: Attempt;
      readonly commands: number;
    },
  ): Promise<ReadonlySet<string>> => {
    const { unchanged, leases, attempt } = batch;
    attempt.reachesCommit = true;
    const ended = observer?.begin(batch.commands);
    const { skipsHeld } = attempt;
    const writing = writeBatch(database, rows, {
      unchanged,
      leases,
      skipsHeld,
      lockWaitMs: LOCK_WAIT_MS,
    });
    const confirmed = await closedBefore(
      database,
      rows.receipts,
      ended === undefined ? writing : writing.finally(ended),
    );
    if (confirmed === null) {
      ownership?.refused(leases);
      throw new NotOwner();
    }
    observer?.wrote(rows.journal.filter(({ accountId }) => confirmed.has(accountId)).length);
    return confirmed;
  };

  return async ({ accountIds, attempt, decide }) => {
    const ids = [...new Set(accountIds)];
    const newest = await newestStates(ids);
    // After the wait for states: the right to decide may have ended meanwhile.
    const owned = ownership === undefined ? null : leasesOf(ids, ownership);
    const accounts = owned === null ? newest : new Map([...newest].filter(([id]) => owned.has(id)));
    const decided = decide(accounts, (id) => owned === null || owned.has(id));
    const { rows } = decided;
    const changed = new Set<string>(rows.accounts.map(({ accountId }) => accountId));
    const unchanged = versionsWithout(changed, accounts);
    if (accounts.size === 0 && changed.size === 0) return { decided, leftOut: new Map() };
    const leases = owned === null ? [] : differentLeases(owned.values());
    const commands = accountIds.length;
    const confirmed = await writeIfNewest(rows, { unchanged, leases, attempt, commands });
    const compared = ids.filter((id) => changed.has(id) || unchanged.has(id));
    const moved = compared.filter((id) => !confirmed.has(id));
    for (const id of moved) stale.add(id);
    const why = attempt.skipsHeld ? "held" : "moved";
    return { decided, leftOut: new Map(moved.map((id) => [id, why])) };
  };
}

function versionsWithout(
  changed: ReadonlySet<string>,
  accounts: ReadonlyMap<AccountId, CommittedAccount>,
): ReadonlyMap<AccountId, NamedVersion> {
  return new Map([...accounts].filter(([id]) => !changed.has(id)));
}

/** The accounts that this node owns now, with their leases. */
function leasesOf(ids: readonly AccountId[], ownership: Ownership): ReadonlyMap<AccountId, Lease> {
  const leases = new Map<AccountId, Lease>();
  for (const id of ids) {
    const lease = ownership.leaseOf(id);
    if (lease !== null) leases.set(id, lease);
  }
  return leases;
}

/** Several accounts may have one lease. */
function differentLeases(leases: Iterable<Lease>): readonly Lease[] {
  return [...new Map([...leases].map((lease) => [lease.name, lease])).values()];
}
