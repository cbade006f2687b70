import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

export * from "@electric-sql/pglite";

/**
 * PGlite as it is, but a new database starts with the files that PostgreSQL's `initdb` made once in this run.
 * They take seconds of processor time, and tests start hundreds of databases. PGlite copies such files into a
 * folder anyway, and everything that the program itself does to a new database still runs. A process whose
 * NODE_OPTIONS do not name the preload beside this file runs `initdb`.
 */
const create = PGlite.create.bind(PGlite) as (options: PGliteOptions) => Promise<PGlite>;
const IMAGE = join(tmpdir(), "initdb.tar");

Reflect.set(PGlite, "create", async (options: PGliteOptions): Promise<PGlite> => {
  if (!isNew(options) || !usesImage()) return create(options);
  return create({ ...options, loadDataDir: new Blob([new Uint8Array(await image())]) });
});

function isNew({ dataDir, fs, loadDataDir, noInitDb }: PGliteOptions): boolean {
  if (loadDataDir !== undefined || noInitDb === true) return false;
  if (fs === undefined) return dataDir === "memory://";
  return !existsSync(join(String(Reflect.get(fs, "rootDir")), "PG_VERSION"));
}

function usesImage(): boolean {
  return (process.env.NODE_OPTIONS ?? "").includes(join("environment", "preload.js"));
}

async function image(): Promise<Buffer> {
  if (!existsSync(IMAGE)) {
    const made = await create({ dataDir: "memory://" });
    const files = await (await made.dumpDataDir("none")).arrayBuffer();
    await made.close();
    const unfinished = `${IMAGE}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(files));
    renameSync(unfinished, IMAGE);
  }
  return readFileSync(IMAGE);
}
