import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import { describeSchema } from "../databases/describe-schema.ts";
import { MIGRATIONS, migrate } from "./migrate.ts";

const NEWEST = MIGRATIONS.at(-1)?.number ?? 0;

await describeOnEachDatabase("the schema", (database) => {
  test("the schema is what schema.sql says; `node tools/schema.ts` writes it anew", async () => {
    const written = readFileSync(new URL("schema.sql", import.meta.url), "utf8");
    expect(await describeSchema(database())).toBe(written);
  });

  test("the schema is unchanged by a second migration, also by several concurrent ones", async () => {
    await Promise.all([migrate(database()), migrate(database()), migrate(database())]);
    const rows = await database().query("select number from schema_migrations order by 1", []);
    expect(rows).toEqual(MIGRATIONS.map(({ number }) => ({ number })));
  });

  test("the schema applies a migration completely or not at all", async () => {
    const broken = {
      number: NEWEST + 1,
      name: "broken",
      sql: "create table half_done (a int); select * from nowhere",
    };
    await expect(migrate(database(), [...MIGRATIONS, broken])).rejects.toThrow(/nowhere/);
    const rows = await database().query("select to_regclass('half_done')::text as it", []);
    expect(rows).toEqual([{ it: null }]);
  });

  test("the schema of a newer release is rejected and not changed", async () => {
    await database().query("insert into schema_migrations values (999, 'from-the-future')", []);
    await expect(migrate(database())).rejects.toThrow(
      `The database has schema 999, this program knows ${NEWEST}: it was used by a newer release.`,
    );
    await database().query("delete from schema_migrations where number = 999", []);
  });
});

const url = await testPostgresUrl();

describe.skipIf(url === null)("a migration of a table that another session holds", () => {
  test("times out, reports it and does not change the schema", async () => {
    const database = await openScratchPostgres(url ?? "");
    const next = { number: 9_999, name: "held", sql: "alter table quotes add column held integer" };
    // The holder's transaction ends only after the migration, so it may be idle without limit.
    const tried = await database.transaction(
      async (holder) => {
        await holder.query("select 1 from quotes", []);
        return migrate(database, [...MIGRATIONS, next]).then(String, String);
      },
      { idleMs: 0 },
    );
    expect(tried).toContain("another session has locked a table that a migration changes");
    await migrate(database, [...MIGRATIONS, next]);
    await database.close();
  });
});
