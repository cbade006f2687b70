import { describe, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { sqlState } from "./database-error.ts";

await describeOnEachDatabase("a database", (database) => {
  test("a database gives bigint and numeric as text, lists, bytes and null as they are", async () => {
    const rows = await database().query(
      `select 9007199254740993::bigint as big, 1.10::numeric as exact, 1.5::float8 as float,
         $1::text[] as texts, $2::bytea as bytes, $3::bigint[] as bigs, true as yes, null as nothing`,
      [['a"b', "c,d"], new Uint8Array([1, 255]), [1, 2]],
    );
    expect(rows).toEqual([
      {
        big: "9007199254740993",
        exact: "1.10",
        float: 1.5,
        texts: ['a"b', "c,d"],
        bytes: Buffer.from([1, 255]),
        bigs: ["1", "2"],
        yes: true,
        nothing: null,
      },
    ]);
  });

  test("a database commits a whole transaction, or nothing when its work rejects", async () => {
    await database().transaction(async (on) => {
      await on.query("insert into settings values ($1, $2)", ["kept", "1"]);
      await on.query("insert into settings values ($1, $2)", ["kept too", "2"]);
    });
    const failed = database().transaction(async (on) => {
      await on.query("insert into settings values ($1, $2)", ["gone", "3"]);
      throw new Error("changed its mind");
    });
    await expect(failed).rejects.toThrow("changed its mind");
    const rows = await database().query(
      "select name from settings where name in ('kept', 'kept too', 'gone') order by name",
      [],
    );
    expect(rows).toEqual([{ name: "kept" }, { name: "kept too" }]);
  });

  test("a database is usable after a statement that failed, alone or in a transaction", async () => {
    const failed = database().query("select * from nowhere", []);
    await expect(failed.catch(sqlState)).resolves.toBe("42P01");
    const inside = database().transaction((on) => on.query("select 1 / $1::int as x", [0]));
    await expect(inside.catch(sqlState)).resolves.toBe("22012");
    expect(await database().query("select $1::int as one", [1])).toEqual([{ one: 1 }]);
  });

  test("a database never runs a caller's statement in another caller's transaction", async () => {
    const both = Promise.allSettled([
      database().transaction(async (on) => {
        await on.query("insert into settings values ('inside', '1')", []);
        await on.query("select pg_sleep(0.02)", []);
        throw new Error("rolled back");
      }),
      database().query("insert into settings values ('outside', '1')", []),
    ]);
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    const text = "select name from settings where name in ('inside', 'outside')";
    expect(await database().query(text, [])).toEqual([{ name: "outside" }]);
  });

  test("a database runs several statements of one text without parameters", async () => {
    await database().query("create table two (a int); insert into two values (1), (2)");
    expect(await database().query("select count(*)::int as n from two", [])).toEqual([{ n: 2 }]);
  });

  test("a database takes lists of thousands of rows in one statement", async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `row ${index} "quoted"`);
    const rows = await database().query<{ n: number }>(
      "select count(*)::int as n from unnest($1::text[]) as t (name) where name like '%\"quoted\"'",
      [names],
    );
    expect(rows).toEqual([{ n: 5000 }]);
  });
});

describe("the state of an error", () => {
  test("the state of an error is null for errors that are not PostgreSQL's", () => {
    expect(sqlState(new Error("no"))).toBe(null);
    expect(sqlState("no")).toBe(null);
  });
});
