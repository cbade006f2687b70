import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { describeSchema } from "./describe-schema.ts";
import { MIGRATIONS, migrate } from "./migrate.ts";

const NEWEST = MIGRATIONS.length;

await describeOnEachDatabase("the schema", (database) => {
  test("is what schema.sql says; `node tools/schema.ts` writes it anew", async () => {
    const written = readFileSync(new URL("schema.sql", import.meta.url), "utf8");
    expect(await describeSchema(database())).toBe(written);
  });

  test("is left alone by a second migration, also by several at once", async () => {
    await Promise.all([migrate(database()), migrate(database()), migrate(database())]);
    const rows = await database().query("select number from schema_migrations order by 1", []);
    expect(rows).toEqual(MIGRATIONS.map(({ number }) => ({ number })));
  });

  test("takes a migration wholly or not at all", async () => {
    const broken = {
      number: NEWEST + 1,
      name: "broken",
      sql: "create table half_done (a int); select * from nowhere",
    };
    await expect(migrate(database(), [...MIGRATIONS, broken])).rejects.toThrow(/nowhere/);
    const rows = await database().query("select to_regclass('half_done')::text as it", []);
    expect(rows).toEqual([{ it: null }]);
  });

  test("of a newer release is refused, and left as it is", async () => {
    await database().query("insert into schema_migrations values (999, 'from-the-future')", []);
    await expect(migrate(database())).rejects.toThrow(
      `The database has schema 999, this program knows ${NEWEST}: it was used by a newer release.`,
    );
    await database().query("delete from schema_migrations where number = 999", []);
  });
});
