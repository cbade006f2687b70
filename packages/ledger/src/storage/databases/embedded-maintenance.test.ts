import { describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import type { Database } from "./database.ts";
import { embeddedMaintenanceJobs } from "./embedded-maintenance.ts";
import { openPgliteFolder, openPgliteMemory } from "./pglite-database.ts";

const MEGABYTE = 1024 * 1024;

const runAll = async (database: Database): Promise<void> => {
  // Without this statement, the database would count changed rows up to a second late.
  await database.query("select pg_stat_force_next_flush()", []);
  for (const job of embeddedMaintenanceJobs(database)) await job.run();
};

const sum = async (database: Database, text: string): Promise<number> => {
  const [row] = await database.query<{ readonly sum: string }>(text, []);
  return Number(row?.sum);
};
const logBytes = (database: Database) => sum(database, "select sum(size) from pg_ls_waldir()");

describe("the upkeep of the embedded database", () => {
  test("the upkeep of the embedded database keeps the log below 160 MB while more is written", async () => {
    const database = await openPgliteFolder(await makeTemporaryFolder(), { sync: () => undefined });
    await database.query("create table filled (a int, b text)");
    for (let round = 0; round < 9; round += 1) {
      await database.query(
        "insert into filled select a, repeat('x', 1000) from generate_series(1, 20000) a",
        [],
      );
      await runAll(database);
    }
    // More than 200 MB were written to the log.
    expect(await logBytes(database)).toBeLessThan(160 * MEGABYTE);
    await database.close();
  });

  test("the upkeep of the embedded database uses the space of deleted rows again, and keeps statistics", async () => {
    const database = await openPgliteMemory();
    await database.query("create table days (day int, b text)");
    const sizes: number[] = [];
    for (let day = 0; day < 6; day += 1) {
      await database.query(
        "insert into days select $1, repeat('x', 100) from generate_series(1, 20000)",
        [day],
      );
      await database.query("delete from days where day < $1", [day]);
      await runAll(database);
      sizes.push(await sum(database, "select pg_relation_size('days') as sum"));
    }
    expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[0] ?? 0) * 2.2);
    const rows = await sum(
      database,
      "select reltuples as sum from pg_class where relname = 'days'",
    );
    expect(rows).toBeGreaterThan(15_000);
    expect(rows).toBeLessThan(25_000);
    await database.close();
  });

  test("the upkeep of the embedded database changes nothing while nothing is due", async () => {
    const database = await openPgliteMemory();
    await database.query("create table small (a int)");
    await database.query("insert into small select generate_series(1, 500)", []);
    await runAll(database);
    const touched = await database.query(
      "select 1 from pg_stat_user_tables where last_vacuum is not null or last_analyze is not null",
      [],
    );
    expect(touched).toEqual([]);
    await database.close();
  });
});
