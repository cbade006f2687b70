import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { openPgliteMemory } from "../../../../ledger/src/storage/databases/pglite-database.ts";
import { cursorRows } from "./cursor-rows.ts";

const LIST = { text: "select n from numbers where n > $1 order by n", parameters: [0] };

interface NumberRow {
  readonly n: number;
}

let database: Database;

beforeEach(async () => {
  database = await openPgliteMemory();
  await database.query("create table numbers (n int)");
  await database.query("insert into numbers select generate_series(1, 2500)", []);
  return () => database.close();
});

describe("the rows of a file on the embedded database [D12.listFile]", () => {
  test("a reader that stands still between two pages leaves the connection to others, and reads the rows of one moment", async () => {
    const seen: number[] = [];
    for await (const rows of cursorRows<NumberRow>(database, LIST)) {
      seen.push(...rows.map(({ n }) => n));
      expect(database.connections()).toMatchObject({ inUse: 0, waiting: 0 });
      await database.transaction((on) => on.query("delete from numbers where n % 2 = 0", []));
      await database.query("insert into numbers values (5000)", []);
    }
    expect(seen).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
  });

  test("several files are read at the same time, and none leaves a cursor behind", async () => {
    const one = cursorRows<NumberRow>(database, LIST);
    const other = cursorRows<NumberRow>(database, { ...LIST, parameters: [2_000] });
    const pages = [await one.next(), await other.next(), await one.next()];
    const sizes = pages.map(({ value }) => (Array.isArray(value) ? value.length : null));
    expect(sizes).toEqual([1_000, 500, 1_000]);
    await one.return(undefined);
    expect((await other.next()).done).toBe(true);
    const left = "select name from pg_cursors where name like 'listed%'";
    expect(await database.query(left, [])).toEqual([]);
  });

  test("a statement that fails rejects, and the next file is read", async () => {
    const wrong = { text: "select 1 / n as n from numbers, (values (0)) zero (z)", parameters: [] };
    await database.query("insert into numbers values (0)", []);
    await expect(cursorRows(database, wrong).next()).rejects.toThrow("division by zero");
    expect((await cursorRows(database, LIST).next()).done).toBe(false);
  });
});
