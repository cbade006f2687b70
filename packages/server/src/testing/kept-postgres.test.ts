import { tmpdir } from "node:os";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import {
  databaseShape,
  dropKeptDatabases,
  emptyDatabase,
  keepDatabase,
  type RunOnServer,
  takeKeptDatabase,
} from "./kept-postgres.ts";
import {
  openNewScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "./open-test-database.ts";
import { newDatabaseName } from "./test-server.ts";

const server = await testPostgresUrl();

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

describe.skipIf(server === null)("a database on the server, after a test", () => {
  let database: ScratchDatabase;
  let name: string;
  let shape: string;

  beforeAll(async () => {
    database = await openNewScratchPostgres(server ?? "");
    name = new URL(database.url).pathname.slice(1);
    shape = await databaseShape((text) => database.query(text, []));
    return () => database.close();
  });

  test("an emptied database has no rows and no sessions of before", async () => {
    await database.query("insert into settings values ('a', 'b')", []);
    const late = await connected(database.url);
    await late.query("begin; insert into settings values ('left open', 'c')");
    expect(await emptyDatabase(database.url, shape)).toBe(true);
    await expect(late.query("commit")).rejects.toThrow();
    const next = await connected(database.url);
    expect((await next.query("select from settings")).rows).toEqual([]);
    await next.end();
  });

  test.each([
    "alter table settings add column more text",
    "alter table settings alter column value drop not null",
    "create table added (a int)",
    "drop table settings",
    "create index on settings (value)",
    "create function one() returns int language sql as 'select 1'",
    "create schema more",
    "grant select on settings to public",
    "alter default privileges grant select on tables to public",
    "alter database OWN set work_mem = '64kB'",
    "alter database OWN connection limit 5",
    "grant connect on database OWN to postgres",
    "delete from schema_migrations",
    "insert into settings values ('a', 'b'); analyze settings",
  ])("more than rows has changed after: %s", async (text) => {
    const undo = new Error("undo");
    const changed = database.transaction(async (on) => {
      await on.query(text.replace("OWN", name));
      expect(await databaseShape((query) => on.query(query))).not.toBe(shape);
      throw undo;
    });
    await expect(changed).rejects.toBe(undo);
  });

  test("a database of which more than rows has changed keeps its rows", async () => {
    await database.query("insert into settings values ('a', 'b')", []);
    expect(await emptyDatabase(database.url, "of another template")).toBe(false);
    expect(await database.query("select value from settings", [])).toEqual([{ value: "b" }]);
  });

  test("a database that is gone cannot be emptied", async () => {
    const gone = new URL(database.url);
    gone.pathname = `/${newDatabaseName()}`;
    expect(await emptyDatabase(gone.href, shape)).toBe(false);
  });
});

describe.skipIf(server === null)("the kept databases of a run", () => {
  const runFolder = `${tmpdir()}/kept-of-a-test`;
  let client: pg.Client;
  const run: RunOnServer = async (statement) => (await client.query(statement)).rows;

  beforeAll(async () => {
    client = await connected(server ?? "");
    return () => client.end();
  });

  test("each is lent once, under the name that its test chose, and the rest is dropped", async () => {
    const names = [newDatabaseName(), newDatabaseName()];
    for (const name of names) {
      await run(`create database ${name}`);
      await keepDatabase(run, { runFolder, name });
    }
    const lent = newDatabaseName();
    expect(await takeKeptDatabase(run, { runFolder, name: lent })).toBe(true);
    await run(`drop database ${lent}`);
    await dropKeptDatabases(run, runFolder);
    expect(await takeKeptDatabase(run, { runFolder, name: lent })).toBe(false);
    for (const name of names) {
      expect(await run(`select from pg_database where datname = '${name}'`)).toEqual([]);
    }
  });
});
