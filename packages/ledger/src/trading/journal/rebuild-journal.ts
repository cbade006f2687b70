import {
  type AccountId,
  type AccountState,
  earliestDueMs,
  type Instruments,
  parseEvent,
} from "@propgate/core";
import type { Database, Queryable } from "../../storage/databases/database.ts";
import {
  type AccountHead,
  journalLines,
  lockHead,
  readAccountHeads,
  replaceHead,
} from "../../storage/journal/journal-store.ts";
import { createProjector, type Projector } from "../../storage/journal/projections.ts";
import {
  type AccountActivity,
  activityAfter,
  NO_ACTIVITY,
} from "../../storage/rows/account-activity.ts";
import { isExposed } from "../../storage/stores/account-rows.ts";
import { hasProjections, replaceProjections } from "../../storage/stores/projection-rows.ts";
import type { Decider } from "../execution/decide-command.ts";

/** The result of `rebuildJournal`. `accounts` is the number of accounts that were compared. */
export interface RebuildResult {
  readonly accounts: number;
  /**
   * Accounts whose stored state, other columns derived from the journal, trades, payouts, daily returns or rejected
   * orders differ from the journal.
   */
  readonly different: readonly AccountId[];
  /** The number of accounts in `different` whose stored data were replaced. */
  readonly written: number;
}

interface RebuildOptions {
  readonly database: Database;
  readonly evolve: Decider["evolve"];
  /** Due times are computed with this catalogue. */
  readonly instruments: Instruments;
}

/**
 * Folds every event of one account, or of all, and compares the result with the database: the snapshot of the state
 * byte for byte with the state at its version, the account's columns, and the tables of trades, payouts, daily returns
 * and rejected orders. With `write`, the data of accounts that differ are replaced. The journal itself never changes.
 */
export async function rebuildJournal(
  options: RebuildOptions & { readonly which: AccountId | "all"; readonly write: boolean },
): Promise<RebuildResult> {
  let accounts = 0;
  let written = 0;
  const different: AccountId[] = [];
  for await (const head of readAccountHeads(options.database, options.which)) {
    accounts += 1;
    const made = createFoldedAccount();
    await foldUpTo(options, made, head);
    if (await matchesStored(options, made, head)) continue;
    const { differs, isWritten } = await compareLocked(options, made, head.accountId);
    if (differs) different.push(head.accountId);
    if (isWritten) written += 1;
  }
  return { accounts, different, written };
}

/** An account as folded from its journal up to line `version`. */
interface FoldedAccount {
  version: number;
  /** The time of line `version`. */
  lastAtMs: number;
  activity: AccountActivity;
  state: AccountState | null;
  /** The state at the version of the stored snapshot, as JSON; null when that version was not reached. */
  snapshot: { readonly version: number; readonly state: string } | null;
  readonly projector: Projector;
}

function createFoldedAccount(): FoldedAccount {
  return {
    version: 0,
    lastAtMs: 0,
    activity: NO_ACTIVITY,
    state: null,
    snapshot: null,
    projector: createProjector(),
  };
}

async function foldUpTo(
  { database, evolve }: { readonly database: Queryable; readonly evolve: Decider["evolve"] },
  made: FoldedAccount,
  { accountId, version: upTo, stateVersion }: AccountHead,
): Promise<void> {
  const range = { after: made.version, upTo };
  for await (const line of journalLines(database, accountId, range)) {
    const event = parseEvent(line.event);
    made.projector.add({ accountId, seq: line.seq, event, before: made.state });
    made.state = evolve(made.state, event);
    made.version = line.seq;
    made.lastAtMs = line.atMs;
    made.activity = activityAfter(made.activity, line, event);
    if (line.seq === stateVersion) {
      made.snapshot = { version: line.seq, state: JSON.stringify(made.state) };
    }
  }
}

/**
 * Compares an account a second time, under a lock, after a first comparison found a difference. A running service may
 * have changed the account during the first comparison. Only the new lines are read under the lock.
 */
function compareLocked(
  options: RebuildOptions & { readonly write: boolean },
  made: FoldedAccount,
  id: AccountId,
): Promise<{ readonly differs: boolean; readonly isWritten: boolean }> {
  return options.database.transaction(async (transaction) => {
    const head = await lockHead(transaction, id);
    if (head === null) return { differs: true, isWritten: false };
    const on = { ...options, database: transaction };
    await foldUpTo(on, made, head);
    if (await matchesStored(on, made, head)) return { differs: false, isWritten: false };
    // An account without a journal cannot be rebuilt; `verify` reports it.
    if (!options.write || made.state === null) return { differs: true, isWritten: false };
    await replaceStored(on, { ...made, state: made.state });
    return { differs: true, isWritten: true };
  });
}

async function matchesStored(
  { database, instruments }: { readonly database: Queryable; readonly instruments: Instruments },
  { state, lastAtMs, activity, snapshot, projector }: FoldedAccount,
  head: AccountHead,
): Promise<boolean> {
  return (
    state !== null &&
    snapshot?.version === head.stateVersion &&
    snapshot.state === head.state &&
    state.status === head.status &&
    isExposed(state) === head.exposed &&
    earliestDueMs(state, instruments) === head.dueAtMs &&
    lastAtMs === head.lastAtMs &&
    isSameActivity(activity, head.activity) &&
    (await hasProjections(database, head.accountId, projector.rows()))
  );
}

async function replaceStored(
  on: { readonly database: Queryable; readonly instruments: Instruments },
  {
    state,
    version,
    lastAtMs,
    activity,
    projector,
  }: FoldedAccount & { readonly state: AccountState },
): Promise<void> {
  const { accountId, status } = state;
  await replaceHead(on.database, {
    accountId,
    status,
    state: JSON.stringify(state),
    stateVersion: version,
    exposed: isExposed(state),
    dueAtMs: earliestDueMs(state, on.instruments),
    lastAtMs,
    activity,
  });
  await replaceProjections(on.database, accountId, projector.rows());
}

function isSameActivity(one: AccountActivity, other: AccountActivity): boolean {
  return (
    one.lastOrderAtMs === other.lastOrderAtMs &&
    one.lastActivityAtMs === other.lastActivityAtMs &&
    one.endedAtMs === other.endedAtMs
  );
}
