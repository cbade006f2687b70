import { existsSync } from "node:fs";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import {
  copyImage,
  databaseImage,
  ImageFileSystem,
} from "../../packages/server/src/testing/database-image.ts";

export * from "@electric-sql/pglite";

/**
 * PGlite as it is, but a new database starts with the files that PostgreSQL's `initdb` made once in this run.
 * They take seconds of processor time, and tests start hundreds of databases. PGlite copies such files into a
 * folder anyway, and everything that the program itself does to a new database still runs. A process whose
 * NODE_OPTIONS do not name the preload beside this file runs `initdb`.
 */
const create = PGlite.create.bind(PGlite) as (options: PGliteOptions) => Promise<PGlite>;

Reflect.set(PGlite, "create", async (options: PGliteOptions): Promise<PGlite> => {
  if (!usesImage()) return create(options);
  if (options.fs === undefined && options.dataDir === "memory://") {
    return create({ ...options, fs: new ImageFileSystem(await image()) });
  }
  const folder = options.fs instanceof NodeFS ? String(Reflect.get(options.fs, "rootDir")) : null;
  if (folder !== null && !existsSync(join(folder, "PG_VERSION"))) copyImage(await image(), folder);
  return create(options);
});

function usesImage(): boolean {
  return (process.env.NODE_OPTIONS ?? "").includes(join("environment", "preload.js"));
}

function image() {
  return databaseImage("initdb", async (folder) => {
    await (await create({ fs: new NodeFS(folder) })).close();
  });
}
