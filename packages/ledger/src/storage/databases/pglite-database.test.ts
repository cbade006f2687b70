import {
  existsSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { openDatabase } from "./open-database.ts";
import { openPgliteFolder } from "./pglite-database.ts";

describe("the embedded database on a folder", () => {
  test("the embedded database on a folder syncs exactly once for every commit, and not for a read", async () => {
    let syncs = 0;
    const database = await openPgliteFolder(await makeTemporaryFolder(), {
      sync: (file) => {
        syncs += 1;
        fsyncSync(file);
      },
    });
    await database.query("create table t (a int)");
    const insert = (a: number) => database.query("insert into t values ($1)", [a]);
    await insert(0);
    const before = syncs;
    for (let a = 1; a <= 100; a += 1) await insert(a);
    expect(syncs - before).toBe(100);
    for (let a = 1; a <= 10; a += 1) await database.query("select * from t where a = $1", [a]);
    expect(syncs - before).toBe(100);
    await database.transaction(async (on) => {
      for (let a = 1; a <= 10; a += 1) await on.query("insert into t values ($1)", [a]);
    });
    expect(syncs - before).toBe(101);
    const settings = await database.query(
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
         current_setting('synchronous_commit') as commit`,
      [],
    );
    expect(settings).toEqual([{ fsync: "on", pages: "on", commit: "on" }]);
    await database.close();
  });

  test("the embedded database on a folder answers no commit that is not on the disk, stops, and is opened again", async () => {
    const folder = await makeTemporaryFolder();
    let isDiskWell = true;
    const sync = (file: number): void => {
      if (!isDiskWell) throw new Error("EIO");
      fsyncSync(file);
    };
    const before = openFiles();
    const database = await openPgliteFolder(folder, { sync, reopenAfterMs: 1 });
    await database.query("create table t (a int)");
    await database.query("insert into t values (1)", []);
    for (let stop = 0; stop < 3; stop += 1) {
      isDiskWell = false;
      const insert = database.transaction((on) => on.query("insert into t values (2)", []));
      await expect(insert).rejects.toThrow(/could not fsync file/);
      // The database cannot be opened again while the disk still fails.
      await expect(database.query("select * from t", [])).rejects.toThrow(
        /does not open|has stopped/,
      );
      isDiskWell = true;
      await eventually(async () => {
        expect(await database.query("select a from t where a = 1", [])).toEqual([{ a: 1 }]);
      });
    }
    await database.query("insert into t values (3)", []);
    expect(openFiles()).toBeLessThan(before + 200);
    await database.close();
    expect(openFiles()).toBeLessThan(before + 10);
    const again = await openPgliteFolder(folder);
    expect(await again.query("select a from t where a <> 2", [])).toEqual([{ a: 1 }, { a: 3 }]);
    await again.close();
  });

  test("the embedded database on a folder is not created anew after a stop when its folder is gone", async () => {
    const folder = await makeTemporaryFolder();
    let isDiskWell = true;
    const sync = (file: number): void => {
      if (!isDiskWell) throw new Error("EIO");
      fsyncSync(file);
    };
    const database = await openPgliteFolder(folder, { sync, reopenAfterMs: 1 });
    await database.query("create table t (a int)");
    isDiskWell = false;
    await expect(database.query("insert into t values (2)", [])).rejects.toThrow(/could not fsync/);
    isDiskWell = true;
    rmSync(join(folder, "postgres.ready"));
    await expect(database.query("select 1", [])).rejects.toThrow(/is gone. Restore it/);
    await database.close();
  });

  test("the embedded database on a folder refuses a second opening while it is open, naming the folder and the process", async () => {
    const folder = await makeTemporaryFolder();
    const database = await openDatabase({ databaseUrl: null, dataDir: folder });
    await expect(openDatabase({ databaseUrl: null, dataDir: folder })).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}.`,
    );
    await database.query("insert into settings values ('a', '1')", []);
    await database.close();
    const again = await openDatabase({ databaseUrl: null, dataDir: folder });
    expect(await again.query("select value from settings", [])).toEqual([{ value: "1" }]);
    await again.close();
    expect(readdirSync(folder).toSorted()).toEqual(["postgres", "postgres.ready"]);
  });

  test("the embedded database on a folder restarts an interrupted first start", async () => {
    const folder = await makeTemporaryFolder();
    mkdirSync(join(folder, "postgres"));
    writeFileSync(join(folder, "postgres", "half"), "a file");
    writeFileSync(join(folder, "postgres.starting"), "");
    const database = await openPgliteFolder(folder);
    expect(existsSync(join(folder, "postgres", "half"))).toBe(false);
    expect(existsSync(join(folder, "postgres.starting"))).toBe(false);
    await database.close();
  });

  test("the embedded database on a folder leaves a folder with foreign files alone", async () => {
    const folder = await makeTemporaryFolder();
    mkdirSync(join(folder, "postgres"));
    writeFileSync(join(folder, "postgres", "precious"), "a file");
    await expect(openPgliteFolder(folder)).rejects.toThrow(/files of another program/);
    expect(readFileSync(join(folder, "postgres", "precious"), "utf8")).toBe("a file");
    expect(existsSync(join(folder, "lock"))).toBe(false);
    const server = await makeTemporaryFolder();
    writeFileSync(join(server, "PG_VERSION"), "15\n");
    await expect(openPgliteFolder(server)).rejects.toThrow(/the folder of a PostgreSQL server/);
  });

  test("the embedded database on a folder names a file in place of its folder", async () => {
    const path = join(await makeTemporaryFolder(), "file");
    writeFileSync(path, "");
    await expect(openPgliteFolder(path)).rejects.toThrow(
      `The data folder ${path} cannot be created`,
    );
  });

  test("the embedded database on a folder reports a damaged database and one of another PostgreSQL version", async () => {
    const folder = await makeTemporaryFolder();
    await (await openPgliteFolder(folder)).close();
    const version = join(folder, "postgres", "PG_VERSION");
    writeFileSync(version, "17\n");
    await expect(openPgliteFolder(folder)).rejects.toThrow(
      /created by PostgreSQL 17; this program reads 18/,
    );
    rmSync(version);
    await expect(openPgliteFolder(folder)).rejects.toThrow(/damaged: PG_VERSION is missing/);
    writeFileSync(version, "18\n");
    truncateSync(join(folder, "postgres", "global", "pg_control"), 10);
    await expect(openPgliteFolder(folder)).rejects.toThrow(/does not open; it may be damaged/);
  });
});

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}
