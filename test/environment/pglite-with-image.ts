import { existsSync } from "node:fs";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import {
  copyImage,
  type DatabaseImage,
  databaseImage,
  findMigratedImage,
  ImageFileSystem,
} from "../../packages/server/src/testing/database-image.ts";

export * from "@electric-sql/pglite";

/**
 * Replaces `create` of PGlite: a new database starts with files that this run made once. These are the result of
 * PostgreSQL's `initdb`, and also have the program's empty tables as soon as such an image exists. Both steps take
 * seconds of processor time in a new process, and tests start hundreds of databases. Two databases start without an
 * image: the one that makes the image, and that of `test/packed.test.ts`, where `NODE_OPTIONS` does not name the
 * preload beside this file.
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
  const migrated = findMigratedImage();
  if (migrated !== null) return migrated;
  return databaseImage("initdb", async (folder) => {
    await (await create({ fs: new NodeFS(folder) })).close();
  });
}
