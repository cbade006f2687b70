import { execFileSync } from "node:child_process";
import pg from "pg";
import { expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { removeLeftBehind } from "./left-behind.ts";
import { databasePrefix, RUN_NAME } from "./run-name.ts";
import { processesOf } from "./run-processes.ts";

const PLANTED = `${RUN_NAME}-planted`;
const postgres = await testPostgresUrl();

test.skipIf(process.platform !== "linux")(
  "the end of a run names and kills a process that a test left running",
  async () => {
    // The shell ends immediately, so its child is not a child of this run's processes.
    const pid = execFileSync("sh", ["-c", "sleep 600 >/dev/null 2>&1 & echo $!"], {
      encoding: "utf8",
      env: { ...process.env, TMPDIR: `/dev/shm/${PLANTED}/of-a-test` },
    }).trim();
    expect(processesOf(`${RUN_NAME}-another`)).toEqual([]);
    expect(await removeLeftBehind(PLANTED, 0)).toEqual([`process ${pid}: sleep 600`]);
    expect(await removeLeftBehind(PLANTED)).toEqual([]);
  },
);

test.skipIf(postgres === null)(
  "the end of a run names and drops a database that a test left there",
  async () => {
    const name = `${databasePrefix(PLANTED)}left`;
    const client = new pg.Client({ connectionString: postgres ?? "" });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    expect(await removeLeftBehind(PLANTED, 0)).toEqual([`database ${name}`]);
    expect(await removeLeftBehind(PLANTED)).toEqual([]);
  },
);
