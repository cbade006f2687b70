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
 * PGlite as it is, but a new database starts with files that were made once in this run: of PostgreSQL's `initdb`, and
 * with the program's empty tables as soon as these are made. Both take seconds of processor time in a new process, and
 * tests start hundreds of databases. PGlite copies such files into a folder anyway. Making the image is a first start
 * from nothing, and `test/packed.test.ts` has another one: a process whose NODE_OPTIONS do not name the preload beside
 * this file runs `initdb` and migrates.
 */
const create = PGlite.create.bind(PGlite) as (options: PGliteOptions) => Promise<PGlite>;

Reflect.set(PGlite, "create", async (options: PGliteOptions): Promise<PGlite> => {
  if (!usesImage()) return create(options);
  if (options.fs === undefined && options.dataDir === "memory://") {
    return create({ ...options, fs: new ImageFileSystem(await newImage()) });
  }
  const folder = options.fs instanceof NodeFS ? String(Reflect.get(options.fs, "rootDir")) : null;
  if (folder !== null && !existsSync(join(folder, "PG_VERSION"))) {
    copyImage(await newImage(), folder);
  }
  return create(options);
});

function usesImage(): boolean {
  return (process.env.NODE_OPTIONS ?? "").includes(join("environment", "preload.js"));
}

async function newImage(): Promise<DatabaseImage> {
  const migrated = newestMigrated();
  if (migrated !== null) return migrated;
  return databaseImage("initdb", async (folder) => {
    await (await create({ fs: new NodeFS(folder) })).close();
  });
}
