import { existsSync } from "node:fs";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import {
  copyImage,
  type DatabaseImage,
  databaseImage,
  ImageFileSystem,
  newestMigrated,
} from "../../packages/server/src/testing/database-image.ts";

export * from "@electric-sql/pglite";

/**
 * PGlite as it is, but a new database starts with the files that PostgreSQL's `initdb` made once in this run.
 * They take seconds of processor time, and tests start hundreds of databases. PGlite copies such files into a
 * folder anyway. In a folder the program also finds its empty tables; the tests of its migrations begin in memory,
 * without them. A process whose NODE_OPTIONS do not name the preload beside this file runs `initdb`.
 */
const create = PGlite.create.bind(PGlite) as (options: PGliteOptions) => Promise<PGlite>;

Reflect.set(PGlite, "create", async (options: PGliteOptions): Promise<PGlite> => {
  if (!usesImage()) return create(options);
  if (options.fs === undefined && options.dataDir === "memory://") {
    return create({ ...options, fs: new ImageFileSystem(await initdbImage()) });
  }
  const folder = options.fs instanceof NodeFS ? String(Reflect.get(options.fs, "rootDir")) : null;
  if (folder !== null && !existsSync(join(folder, "PG_VERSION"))) {
    copyImage(newestMigrated() ?? (await initdbImage()), folder);
  }
  return create(options);
});

function usesImage(): boolean {
  return (process.env.NODE_OPTIONS ?? "").includes(join("environment", "preload.js"));
}

function initdbImage(): Promise<DatabaseImage> {
  return databaseImage("initdb", async (folder) => {
    await (await create({ fs: new NodeFS(folder) })).close();
  });
}
