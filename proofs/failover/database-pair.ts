import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../test/environment/free-port.ts";
import { TEST_MAX_MS } from "../../test/environment/test-max-ms.ts";
import type { NeededPrograms } from "./needed-programs.ts";

/**
 * A primary and a standby of PostgreSQL with synchronous replication. `synchronous_commit` is `on`: a commit is
 * answered when both servers have it on disk, and no session sees it before. `remote_apply` would also wait until the
 * standby shows the commit. That helps only readers of the standby, and here the standby has no readers. A promotion
 * replays everything that the standby has before it serves.
 */
export interface DatabasePair {
  /** The port of the server that is the primary at this time. */
  readonly primaryPort: number;
  readonly standbyPort: number;
  /** Kills all processes of the primary, as a power failure does. */
  killPrimary(): Promise<void>;
  /** Stops the processes of the primary with SIGSTOP; they keep their connections. */
  pausePrimary(): void;
  /** Ends the standby's recovery, which makes it the primary. The former primary leaves the pair. */
  promote(): Promise<void>;
  /**
   * Continues the former primary if it was stopped, kills it after `aliveForMs` and deletes its folder. Has no effect
   * without a former primary.
   */
  endFormer(aliveForMs: number): Promise<void>;
  /** Makes a new standby of the primary. Resolves when commits wait for this standby. */
  addStandby(): Promise<void>;
  pauseStandby(): void;
  resumeStandby(): void;
  close(): Promise<void>;
}

interface Server {
  readonly folder: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** The ids of the processes that `pause` has stopped. */
  stopped: readonly number[];
}

const USER = "owner";
const POLL_EVERY_MS = 25;

/** The URL of the database whose server listens on this port of this machine. */
export function databaseUrlAtPort(port: number): string {
  return `postgres://${USER}@127.0.0.1:${port}/postgres`;
}

/** Starts a primary and its standby in the folder, which PostgreSQL's user must own. */
export async function openDatabasePair(
  programs: NeededPrograms,
  folder: string,
): Promise<DatabasePair> {
  let made = 0;
  const all: Server[] = [];
  // A synchronous `spawnSync` would also stop the clients and the TCP switches, which run in this process.
  const run = async (program: string, ...given: readonly string[]): Promise<void> => {
    const log = openSync(join(folder, "programs.log"), "a");
    const child = spawn(join(programs.postgres, program), given, {
      ...programs.user,
      cwd: folder,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const [code] = await once(child, "exit");
    if (code !== 0) {
      throw new Error(`${program}: ${code} ${readFileSync(join(folder, "programs.log"), "utf8")}`);
    }
  };
  const nextFolder = (): string => {
    made += 1;
    return join(folder, `server-${made}`);
  };
  const start = async (data: string): Promise<Server> => {
    const port = await freePort();
    const log = openSync(`${data}.log`, "a");
    const child = spawn(join(programs.postgres, "postgres"), ["-D", data, ...settings(port)], {
      ...programs.user,
      cwd: folder,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const server = { folder: data, port, process: child, stopped: [] };
    all.push(server);
    await untilTrue(() => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: see ${data}.log`);
      return answersStatements(port);
    });
    return server;
  };
  const settings = (port: number): readonly string[] =>
    [
      `port=${port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
      "shared_buffers=32MB",
      "synchronous_commit=on",
      "wal_keep_size=64MB",
    ].flatMap((setting) => ["-c", setting]);

  const copied = async (of: Server): Promise<Server> => {
    const data = nextFolder();
    const from = `host=127.0.0.1 port=${of.port} user=${USER} application_name=standby`;
    await run("pg_basebackup", "-D", data, "-d", from, "-R", "-X", "stream", "--checkpoint=fast");
    return start(data);
  };
  const attach = async (to: Server): Promise<Server> => {
    const added = await copied(to);
    await untilTrue(async () => (await standbyState(to.port)) === "streaming");
    // The setting is changed only when the standby streams: with it and without a standby, every commit would wait.
    await runStatement(to.port, "alter system set synchronous_standby_names = '*'");
    await runStatement(to.port, "select pg_reload_conf()");
    await untilTrue(async () => (await standbyState(to.port)) === "sync");
    return added;
  };

  const first = nextFolder();
  await run("initdb", "-D", first, "-U", USER, "-A", "trust", "-N", "--locale=C", "-E", "UTF8");
  let primary = await start(first);
  let standby = await attach(primary);
  let former: Server | null = null;
  return {
    get primaryPort() {
      return primary.port;
    },
    get standbyPort() {
      return standby.port;
    },
    killPrimary: () => kill(primary),
    pausePrimary: () => pause(primary),
    async promote() {
      await runStatement(standby.port, "select pg_promote(true, 60)");
      former = primary;
      primary = standby;
    },
    async endFormer(aliveForMs) {
      if (former === null) return;
      resume(former);
      await setTimeout(aliveForMs);
      await kill(former);
      rmSync(former.folder, { recursive: true, force: true });
      former = null;
    },
    async addStandby() {
      standby = await attach(primary);
    },
    pauseStandby: () => pause(standby),
    resumeStandby: () => resume(standby),
    async close() {
      for (const server of all) await kill(server);
    },
  };
}

/** The ids of the server's processes. The first one is the parent of the others. */
function processesOf({ process: { pid } }: Server): readonly number[] {
  if (pid === undefined) return [];
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return [
    pid,
    ...stdout
      .split("\n")
      .map(Number)
      .filter((found) => found > 0),
  ];
}

async function kill(server: Server): Promise<void> {
  const child = server.process;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const processes = processesOf(server);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  // The parent is killed first: it would treat the end of another process as a crash and start a recovery.
  for (const pid of processes) sendSignal(pid, "SIGKILL");
  await gone;
}

function pause(server: Server): void {
  server.stopped = processesOf(server);
  for (const pid of server.stopped) sendSignal(pid, "SIGSTOP");
}

function resume(server: Server): void {
  for (const pid of server.stopped) sendSignal(pid, "SIGCONT");
  server.stopped = [];
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended by itself.
  }
}

/**
 * The state of the primary's standby: `sync` when commits wait for it, `streaming` when they do not. Null without a
 * standby.
 */
async function standbyState(port: number): Promise<string | null> {
  const [row] = await runStatement(
    port,
    "select case when sync_state = 'sync' then 'sync' else state end as state from pg_stat_replication where application_name = 'standby'",
  );
  return row?.state ?? null;
}

async function runStatement(
  port: number,
  text: string,
): Promise<readonly { readonly state?: string }[]> {
  const client = new pg.Client({ connectionString: databaseUrlAtPort(port) });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<{ readonly state?: string }>(text)).rows;
  } finally {
    await client.end();
  }
}

async function answersStatements(port: number): Promise<boolean> {
  try {
    await runStatement(port, "select 1");
    return true;
  } catch {
    return false;
  }
}

/** Calls `found` every 25 ms until it returns true. @throws when it is still false after `TEST_MAX_MS` */
export async function untilTrue(found: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + TEST_MAX_MS;
  while (!(await found())) {
    if (performance.now() > endMs) throw new Error(`not so: ${found.toString()}`);
    await setTimeout(POLL_EVERY_MS);
  }
}
