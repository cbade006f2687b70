import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/environment/free-port.ts";
import { TEST_MAX_MS } from "../../test/environment/test-max-ms.ts";

/** A PostgreSQL server that the tests stop and start. */
export interface ScratchCluster {
  readonly url: string;
  start(): void;
  /** Stops the server. `immediate` stops it like a crash: it writes no checkpoint, and the next start recovers. */
  stop(how: "fast" | "immediate"): void;
  /** Stops the server and removes its folder. */
  remove(): void;
}

/**
 * Creates a server and starts it. Null, with a warning, when the machine has no server programs or no user to run them.
 */
export async function openScratchCluster(): Promise<ScratchCluster | null> {
  const programs = serverPrograms();
  const user = serverUser();
  if (programs === null || user === null) {
    console.warn(
      "SKIPPED: this machine has no usable initdb and pg_ctl, so no test restarts a server",
    );
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), "propgate-cluster-"));
  chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const port = await freePort();
  const run = (program: string, ...given: readonly string[]): void => {
    const { status, stderr } = spawnSync(join(programs, program), given, {
      ...user,
      cwd: folder,
      encoding: "utf8",
      timeout: TEST_MAX_MS,
      // A server that inherits a pipe keeps it open, so the call that reads the pipe would never return.
      stdio: ["ignore", "ignore", program === "initdb" ? "pipe" : "ignore"],
    });
    if (status !== 0) throw new Error(`${program} ${given.join(" ")}: ${status} ${stderr}`);
  };
  run("initdb", "-D", data, "-U", "owner", "-A", "trust", "-N", "--locale=C", "-E", "UTF8");
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const control = (...given: readonly string[]): void =>
    run("pg_ctl", "-D", data, "-w", "-t", `${TEST_MAX_MS / 1_000}`, ...given);
  const cluster: ScratchCluster = {
    url: `postgres://owner@127.0.0.1:${port}/postgres`,
    start: () => control("-l", join(folder, "log"), "-o", options, "start"),
    stop: (how) => control("-m", how, "stop"),
    remove() {
      try {
        cluster.stop("immediate");
      } catch {
        // The server was stopped already.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  cluster.start();
  return cluster;
}

/**
 * The folder of `pg_ctl` and `initdb`; null when there is none. Debian has one folder for each version, which is not on
 * the `PATH`.
 */
function serverPrograms(): string | null {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted().toReversed() : [];
  const places = [
    ...(process.env.PATH ?? "").split(":"),
    ...versions.map((version) => join(root, version, "bin")),
  ];
  return (
    places.find(
      (place) => existsSync(join(place, "pg_ctl")) && existsSync(join(place, "initdb")),
    ) ?? null
  );
}

/** The user that runs the server, which refuses to run as root; null when root finds no user `postgres`. */
function serverUser(): { readonly uid: number; readonly gid: number } | null {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { uid, gid };
  const [postgresUid, postgresGid] = ["-u", "-g"].map((which) =>
    Number(spawnSync("id", [which, "postgres"], { encoding: "utf8" }).stdout),
  );
  return postgresUid && postgresGid ? { uid: postgresUid, gid: postgresGid } : null;
}
