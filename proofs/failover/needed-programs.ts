import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The programs that the proof runs and that this repository does not contain. */
export interface NeededPrograms {
  /** The folder of `initdb`, `pg_basebackup` and `postgres`. */
  readonly postgres: string;
  readonly natsServer: string;
  /** The user that runs PostgreSQL, which refuses to run as root. */
  readonly user: { readonly uid: number; readonly gid: number };
}

const POSTGRES_PROGRAMS = ["initdb", "pg_basebackup", "pg_ctl", "postgres"];
/** Debian has one folder for each version of PostgreSQL, which is not on the `PATH`. */
const DEBIAN_VERSIONS = "/usr/lib/postgresql";

/** The programs of this machine, or a sentence that names the missing ones and their packages. */
export function findNeededPrograms(): NeededPrograms | { readonly missing: string } {
  const folders = (process.env.PATH ?? "").split(":");
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS).toSorted() : [];
  const postgres = [
    ...versions.toReversed().map((version) => join(DEBIAN_VERSIONS, version, "bin")),
    ...folders,
  ].find((folder) => POSTGRES_PROGRAMS.every((name) => existsSync(join(folder, name))));
  const natsFolder = [...folders, "/usr/sbin", "/usr/local/bin"].find((folder) =>
    existsSync(join(folder, "nats-server")),
  );
  const user = databaseUser();
  if (postgres !== undefined && natsFolder !== undefined && user !== null) {
    return { postgres, natsServer: join(natsFolder, "nats-server"), user };
  }
  const missing = [
    ...(postgres === undefined ? [`${POSTGRES_PROGRAMS.join(", ")} (package postgresql)`] : []),
    ...(natsFolder === undefined ? ["nats-server (package nats-server)"] : []),
    ...(user === null ? ["a user postgres, because PostgreSQL refuses to run as root"] : []),
  ];
  return { missing: `this machine has no ${missing.join(", and no ")}` };
}

function databaseUser(): NeededPrograms["user"] | null {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { uid, gid };
  const [postgresUid, postgresGid] = ["-u", "-g"].map((which) =>
    Number(spawnSync("id", [which, "postgres"], { encoding: "utf8" }).stdout),
  );
  return postgresUid && postgresGid ? { uid: postgresUid, gid: postgresGid } : null;
}
