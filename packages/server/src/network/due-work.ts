import { type AccountId, accountId, type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Database } from "../storage/database.ts";
import type { Executor } from "./executor-port.ts";
import { UnknownFate } from "./unknown-fate.ts";

/**
 * What time alone brings about. When each account next has something due stands beside its state,
 * so what was missed while nobody ran it is found and made up. A timer calls it, or the sandbox
 * when its clock moves.
 */
export interface DueWork {
  /** The next moment after that one at which something falls due; null: nothing ever does. */
  nextDueMs(after: UnixMs): Promise<UnixMs | null>;
  /**
   * Carries out all that is due, once an account; doing it again changes nothing. Rejected when the
   * database fails: what it had not come to is still due.
   */
  runDue(): Promise<DueRun>;
  /** How far behind it is. */
  lag(): Promise<DueLag>;
}

/** What a run has done. */
export interface DueRun {
  /** For how many accounts there was something to do. */
  readonly accounts: number;
  /** How long the oldest of it had been due; null: there was nothing. */
  readonly latenessMs: number | null;
}

export interface DueLag {
  /** Accounts with something due that is not done: the newest moments', or what lacks a price. */
  readonly waiting: number;
  /** Since when the oldest of it has been due. */
  readonly oldestDueAtMs: UnixMs | null;
  /** Of the newest run of this process that had something to do; null before the first. */
  readonly newestLatenessMs: number | null;
}

interface DueAccount {
  readonly accountId: AccountId;
  readonly dueAtMs: UnixMs;
}

const BEFORE_ALL: DueAccount = {
  accountId: accountId("00000000-0000-0000-0000-000000000000"),
  dueAtMs: unixMs(0),
};

/** Of one transaction; with more of them an order that comes at midnight would wait for long. */
const PAGE = 100;

/** @rule D7.clockWork */
export function createDueWork(need: {
  readonly database: Database;
  readonly executor: Executor;
  readonly clock: Clock;
  /** Told once of an account whose work ends in a fault; that of the others goes on. */
  readonly onFault: (cause: unknown) => void;
}): DueWork {
  const { database, clock } = need;
  /** When what ended in a fault had fallen due, so that every run does not tell of it again. */
  const faults = new Map<AccountId, UnixMs>();
  let newestLatenessMs: number | null = null;

  /** How late the account's work was; null when it had nothing to do, or has to wait. */
  const passTime = async ({ accountId: id, dueAtMs }: DueAccount): Promise<number | null> => {
    try {
      const execution = await need.executor.submit({
        accountId: id,
        command: { type: "passTime" },
        origin: { by: "clock" },
      });
      faults.delete(id);
      const first = execution.ok ? execution.events[0] : undefined;
      return first === undefined ? null : first.atMs - dueAtMs;
    } catch (cause) {
      // The database has failed, and would for every other account.
      if (cause instanceof UnknownFate) throw cause;
      if (faults.get(id) !== dueAtMs) need.onFault(cause);
      faults.set(id, dueAtMs);
      return null;
    }
  };

  return {
    nextDueMs: (after) => firstDueAfter(database, after),
    async runDue() {
      const now = clock.now();
      const lateness: number[] = [];
      let after = BEFORE_ALL;
      for (;;) {
        const page = await dueAccounts(database, now, after);
        const done = await Promise.all(page.map(passTime));
        lateness.push(...done.filter((late) => late !== null));
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        after = last;
      }
      const latenessMs = lateness.length === 0 ? null : lateness.reduce(greater);
      newestLatenessMs = latenessMs ?? newestLatenessMs;
      return { accounts: lateness.length, latenessMs };
    },
    lag: async () => ({ ...(await readLag(database, clock.now())), newestLatenessMs }),
  };
}

function greater(one: number, other: number): number {
  return Math.max(one, other);
}

/**
 * Oldest first. An account whose work cannot be done yet, for want of a price, stays due and has its
 * turn in the next run.
 */
async function dueAccounts(
  database: Database,
  now: UnixMs,
  after: DueAccount,
): Promise<readonly DueAccount[]> {
  const rows = await database.query<{ account_id: string; due_at_ms: string }>(
    `select account_id, due_at_ms from accounts
     where due_at_ms <= $1 and (due_at_ms, account_id) > ($2::bigint, $3::uuid)
     order by due_at_ms, account_id limit $4`,
    [now, after.dueAtMs, after.accountId, PAGE],
  );
  return rows.map((row) => ({
    accountId: accountId(row.account_id),
    dueAtMs: unixMs(Number(row.due_at_ms)),
  }));
}

async function firstDueAfter(database: Database, after: UnixMs): Promise<UnixMs | null> {
  const rows = await database.query<{ first: string | null }>(
    "select min(due_at_ms) as first from accounts where due_at_ms > $1",
    [after],
  );
  return timeOf(rows[0]?.first);
}

async function readLag(database: Database, now: UnixMs): Promise<Omit<DueLag, "newestLatenessMs">> {
  const rows = await database.query<{ waiting: number; oldest: string | null }>(
    `select count(*)::int as waiting, min(due_at_ms) as oldest from accounts
     where due_at_ms <= $1`,
    [now],
  );
  return { waiting: rows[0]?.waiting ?? 0, oldestDueAtMs: timeOf(rows[0]?.oldest) };
}

function timeOf(column: string | null | undefined): UnixMs | null {
  return column === null || column === undefined ? null : unixMs(Number(column));
}
