import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import { FORMER_SCHEMA } from "../../testing/former-release.ts";
import { openScratchPostgres, testPostgresUrl } from "../../testing/open-test-database.ts";
import { BACKUP_TABLES, NOT_BACKED_UP } from "../../trading/backup/backup-tables.ts";
import type { Database } from "../databases/database.ts";
import { describeSchema } from "../databases/describe-schema.ts";
import { MIGRATIONS, migrate } from "./migrate.ts";

/** The structure that schema.sql does not show: collations, fill factors, constraints. */
const structureOf = (database: Database): Promise<readonly unknown[]> =>
  database.query(
    `select c.relname, c.reloptions::text,
       (select string_agg(a.attname || ' ' || coalesce(l.collname, '-'), ', ' order by a.attnum)
        from pg_attribute a left join pg_collation l on l.oid = a.attcollation
        where a.attrelid = c.oid and a.attnum > 0) as collations,
       (select string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' order by conname)
        from pg_constraint where conrelid = c.oid and contype <> 'n') as constraints
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     order by c.relname`,
    [],
  );

const NEWEST = MIGRATIONS.at(-1)?.number ?? 0;

await describeOnEachDatabase("the schema", (database) => {
  test("is what schema.sql says; `node tools/schema.ts` writes it anew", async () => {
    const written = readFileSync(new URL("schema.sql", import.meta.url), "utf8");
    expect(await describeSchema(database())).toBe(written);
  });

  test("of the first release's dump migrates to the same schema", async () => {
    const fresh = await structureOf(database());
    await database().query("drop schema public cascade; create schema public");
    await database().query(FORMER_SCHEMA);
    await migrate(database());
    expect(await structureOf(database())).toEqual(fresh);
    expect(fresh).toHaveLength(BACKUP_TABLES.length + NOT_BACKED_UP.length + 1 + 16);
  });

  test("is unchanged by a second migration, also by several concurrent ones", async () => {
    await Promise.all([migrate(database()), migrate(database()), migrate(database())]);
    const rows = await database().query("select number from schema_migrations order by 1", []);
    expect(rows).toEqual(MIGRATIONS.map(({ number }) => ({ number })));
  });

  test("applies a migration completely or not at all", async () => {
    const broken = {
      number: NEWEST + 1,
      name: "broken",
      sql: "create table half_done (a int); select * from nowhere",
    };
    await expect(migrate(database(), [...MIGRATIONS, broken])).rejects.toThrow(/nowhere/);
    const rows = await database().query("select to_regclass('half_done')::text as it", []);
    expect(rows).toEqual([{ it: null }]);
  });

  test("of a newer release is rejected and not changed", async () => {
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
    // The holder ends after the migration, and its session may be idle until then.
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
