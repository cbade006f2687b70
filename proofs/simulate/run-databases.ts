import type { Database, Queryable } from "../../packages/ledger/src/storage/databases/database.ts";
import type { PerShard } from "../../packages/ledger/src/storage/shards/per-shard.ts";
import { openTestDatabase } from "../../packages/server/src/testing/open-test-database.ts";
import { installWriteRecords } from "./node/recorded-writes.ts";
import { withRunClock } from "./time/database-clock.ts";

/** Opens the databases of a run. They have the run's clock and record the writes of accounts. */
export async function openRunDatabases(
  count: number,
  steadyMs: () => number,
): Promise<PerShard<Database>> {
  const open = async (): Promise<Database> => {
    const database = await withRunClock(await openTestDatabase(), steadyMs);
    await installWriteRecords(database);
    return database;
  };
  const opened: [Database, ...Database[]] = [await open()];
  while (opened.length < count) opened.push(await open());
  return opened;
}

export async function countAccounts(database: Database): Promise<number> {
  const [row] = await database.query<{ readonly count: number }>(
    "select count(*)::int as count from accounts",
    [],
  );
  return row?.count ?? 0;
}

/**
 * The databases as one: runs each statement on all of them. The rows are in the order of their accounts, and of the
 * databases for the same account.
 */
export function unionOfDatabases(databases: readonly Queryable[]): Queryable {
  const [only] = databases;
  if (databases.length === 1 && only !== undefined) return only;
  return {
    async query<Row>(text: string, parameters?: readonly unknown[]) {
      const rows: Row[] = [];
      for (const database of databases) rows.push(...(await database.query<Row>(text, parameters)));
      return rows.toSorted((one, other) => compare(accountOf(one), accountOf(other)));
    },
  };
}

function accountOf(row: unknown): string {
  if (typeof row !== "object" || row === null || !("account_id" in row)) return "";
  return String(row.account_id);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
