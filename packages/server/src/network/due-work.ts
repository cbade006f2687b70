import { type AccountId, accountId, nextUtcMidnight, type UnixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Database } from "../storage/database.ts";
import type { Executor } from "./executor-port.ts";

/** What time alone brings about. A timer calls it, or the sandbox when its clock moves. */
export interface DueWork {
  /** The next moment after that one at which anything can fall due. */
  nextDueMs(after: UnixMs): UnixMs;
  /** Carries out all that is due, once an account; doing it again changes nothing. */
  runDue(): Promise<void>;
}

const PAGE = 500;

export function createDueWork(need: {
  readonly database: Database;
  readonly executor: Executor;
  readonly clock: Clock;
}): DueWork {
  return {
    nextDueMs: nextUtcMidnight,
    async runDue() {
      const now = need.clock.now();
      let after: AccountId | null = null;
      for (;;) {
        const page: readonly AccountId[] = await dueAccounts(need.database, now, after);
        await Promise.all(page.map((id) => passTime(need.executor, id)));
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return;
        after = last;
      }
    },
  };
}

/** An account whose day cannot end yet, for want of a price, stays due and has its turn next time. */
async function dueAccounts(
  database: Database,
  now: UnixMs,
  after: AccountId | null,
): Promise<readonly AccountId[]> {
  const rows = await database.query<{ account_id: string }>(
    `select account_id from accounts
     where due_at_ms <= $1 and ($2::uuid is null or account_id > $2) order by account_id limit $3`,
    [now, after, PAGE],
  );
  return rows.map((row) => accountId(row.account_id));
}

async function passTime(executor: Executor, id: AccountId): Promise<void> {
  await executor.submit({
    accountId: id,
    command: { type: "passTime" },
    origin: { by: "clock" },
  });
}
