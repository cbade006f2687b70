import { expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { readTableColumns } from "../../../ledger/src/storage/stores/table-rows.ts";
import { openNewTestDatabase, openTestDatabase } from "./open-test-database.ts";

/** All rows, the advisory locks, and a setting of the session. */
async function contentsOf(database: Database): Promise<Readonly<Record<string, unknown>>> {
  const tables = [...(await readTableColumns(database)).keys()];
  const rows = tables.map(async (name) => [name, await database.query(`select * from ${name}`)]);
  return {
    ...Object.fromEntries(await Promise.all(rows)),
    locks: await database.query("select 1 from pg_locks where locktype = 'advisory'"),
    setting: await database.query("select current_setting('work_mem')"),
  };
}

/** The start time of the database's PostgreSQL, which distinguishes databases. */
async function startOf(database: Database): Promise<unknown> {
  return database.query("select pg_postmaster_start_time()::text");
}

async function newContents(): Promise<Readonly<Record<string, unknown>>> {
  const database = await openNewTestDatabase();
  const contents = await contentsOf(database);
  await database.close();
  return contents;
}

/** Uses a test database, closes it, and opens the next one. `isUsed` is whether both are the same. */
async function openedAfter(use: (on: Database) => Promise<unknown>): Promise<{
  readonly isUsed: boolean;
  readonly database: Database;
}> {
  const first = await openTestDatabase();
  for (let row = 0; row < 20; row += 1) {
    await first.query("insert into settings values ($1, 'v')", [`row ${row}`]);
  }
  await use(first);
  const start = JSON.stringify(await startOf(first));
  await first.close();
  const database = await openTestDatabase();
  return { isUsed: JSON.stringify(await startOf(database)) === start, database };
}

test("a database that is used again is as new", async () => {
  const { isUsed, database } = await openedAfter(async (on) => {
    await on.query("select pg_advisory_lock(7), set_config('work_mem', '64kB', false)", []);
    await on.query("begin");
    await on.query("insert into settings values ('left open', 'v')", []);
  });
  expect(isUsed).toBe(true);
  const contents = await contentsOf(database);
  await database.close();
  expect(contents).toEqual(await newContents());
  expect(contents).toMatchObject({ settings: [], locks: [] });
});

test.each([
  "alter table settings add column more text",
  "select 1; create table added (a int)",
  "insert into schema_migrations values (999, 'later')",
  "insert into schema_migrations (number, name) values (999, 'later')",
  "delete from schema_migrations where number = 999",
  "vacuum analyze settings",
])("a database is not used again after: %s", async (text) => {
  const { isUsed, database } = await openedAfter((on) => on.query(text));
  await database.close();
  expect(isUsed).toBe(false);
});

test("a change of the schema within a transaction counts too", async () => {
  const { isUsed, database } = await openedAfter((on) =>
    on.transaction((inside) => inside.query("drop table settings")),
  );
  await database.close();
  expect(isUsed).toBe(false);
});

test("a closed database takes no more statements", async () => {
  const database = await openTestDatabase();
  await Promise.all([database.close(), database.close()]);
  const next = await openTestDatabase();
  await expect(database.query("insert into settings values ('a', 'b')")).rejects.toThrow(/closed/);
  const late = database.transaction((on) => on.query("insert into settings values ('a', 'b')"));
  await expect(late).rejects.toThrow(/closed/);
  expect(await next.query("select from settings")).toEqual([]);
  await next.close();
});
