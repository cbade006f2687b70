import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { postgresServerUrl } from "../../packages/server/src/testing/test-server.ts";
import { databasePrefix } from "./run-name.ts";
import { killProcessesOf, processesOf } from "./run-processes.ts";

/** How long to wait for processes: one that the last test stopped may still be ending. */
const ENDING_MAX_MS = 30_000;
const BETWEEN_MS = 100;

/** Removes the processes and databases that the tests of this run left behind. Resolves with one line for each. */
export async function removeLeftBehind(
  run: string,
  endingMaxMs = ENDING_MAX_MS,
): Promise<readonly string[]> {
  const endsAtMs = performance.now() + endingMaxMs;
  let processes = processesOf(run);
  while (processes.length > 0 && performance.now() < endsAtMs) {
    await pause(BETWEEN_MS);
    processes = processesOf(run);
  }
  killProcessesOf(run);
  const databases = await removeDatabases(run);
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...databases.map((name) => `database ${name}`),
  ];
}

async function removeDatabases(run: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: postgresServerUrl() });
  try {
    await client.connect();
  } catch {
    // Without the server, no test made a database on it.
    return [];
  }
  try {
    const named = "select datname from pg_database where starts_with(datname, $1) order by 1";
    const { rows } = await client.query<{ datname: string }>(named, [databasePrefix(run)]);
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
    return rows.map(({ datname }) => datname);
  } finally {
    await client.end();
  }
}
