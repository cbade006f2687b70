import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { MemoryFS } from "@electric-sql/pglite";

/** The files of a closed database. They are kept for the test run, so that each test's database begins with them. */
export interface DatabaseImage {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly files: readonly ImageFile[];
}

interface ImageFile {
  readonly path: string;
  readonly size: number;
  /**
   * The number of bytes before the file's trailing zeros. The image has only these bytes: PostgreSQL's log is mostly
   * zeros.
   */
  readonly kept: number;
}

/** The folder in which PGlite has its database. */
const PGDATA = "/pglite/data";

/**
 * The name of an image. `initdb` is a new database as PostgreSQL makes it. `migrated-…` also has the program's empty
 * tables; its name ends with a hash of the migrations.
 */
type ImageName = "initdb" | `migrated-${string}`;

/** The image with this name, made at its first use. `make` writes a database to an empty folder. */
export async function databaseImage(
  name: ImageName,
  make: (folder: string) => Promise<void>,
): Promise<DatabaseImage> {
  const kept = existingImage(name);
  if (kept !== null) return kept;
  const place = folderOf(name);
  mkdirSync(dirname(place), { recursive: true });
  // The unfinished folder has a random name, because two processes may make the image at the same time.
  const unfinished = mkdtempSync(`${place}.`);
  mkdirSync(join(unfinished, "files"));
  await make(join(unfinished, "files"));
  const contents = withoutZeros(join(unfinished, "files"));
  writeFileSync(join(unfinished, "index.json"), JSON.stringify(contents));
  renameToFinalFolder(unfinished, place);
  const made = existingImage(name);
  if (made === null) throw new Error(`broken invariant: the image ${name} was made`);
  return made;
}

/** A kept image with the program's tables, for a process without the migrations; null when there is none. */
export function findMigratedImage(): DatabaseImage | null {
  const place = dirname(folderOf("initdb"));
  const names = existsSync(place) ? readdirSync(place) : [];
  const name = names.find((one): one is ImageName => /^migrated-[0-9a-f]+$/.test(one));
  return name === undefined ? null : existingImage(name);
}

/** The image with this name; null before it is made. */
function existingImage(name: ImageName): DatabaseImage | null {
  const index = join(folderOf(name), "index.json");
  if (!existsSync(index)) return null;
  const contents: Omit<DatabaseImage, "folder"> = JSON.parse(readFileSync(index, "utf8"));
  return { folder: join(folderOf(name), "files"), ...contents };
}

function folderOf(name: ImageName): string {
  return join(tmpdir(), "propgate-test-images", name);
}

/** Gives a finished image its final name, unless another process has made the same image meanwhile. */
function renameToFinalFolder(unfinished: string, place: string): void {
  try {
    renameSync(unfinished, place);
  } catch (cause) {
    if (!existsSync(join(place, "index.json"))) throw cause;
    rmSync(unfinished, { recursive: true });
  }
}

function withoutZeros(folder: string): Omit<DatabaseImage, "folder"> {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((path) => ({ path, stats: statSync(join(folder, path)) }));
  const files = entries.filter(({ stats }) => stats.isFile());
  return {
    folders: entries.filter(({ stats }) => stats.isDirectory()).map(({ path }) => path),
    files: files.map(({ path, stats }) => {
      const kept = readFileSync(join(folder, path)).findLastIndex((byte) => byte !== 0) + 1;
      truncateSync(join(folder, path), kept);
      return { path, size: stats.size, kept };
    }),
  };
}

export function copyImage(image: DatabaseImage, folder: string): void {
  cpSync(image.folder, folder, { recursive: true });
  for (const { path, size, kept } of image.files) {
    // The zeros are written, so that the disk has room for PostgreSQL's log from the start.
    if (size > kept) appendFileSync(join(folder, path), new Uint8Array(size - kept));
  }
}

/**
 * A file or folder in PGlite's file system in memory. The type is internal to PGlite, so the version of PGlite is
 * pinned.
 */
interface MemoryNode {
  contents: unknown;
  usedBytes: number;
  readonly node_ops: {
    mknod(parent: MemoryNode, name: string, mode: number, device: number): MemoryNode;
  };
}

interface MemoryFiles {
  mkdirTree(path: string): void;
  lookupPath(path: string): { readonly node: MemoryNode };
}

const FOLDER = 0o040_777;
const FILE = 0o100_666;

/** A database in memory that begins as the image. A file of the image is read when PostgreSQL first touches it. */
export class ImageFileSystem extends MemoryFS {
  readonly #image: DatabaseImage;

  constructor(image: DatabaseImage) {
    super();
    this.#image = image;
  }

  override async initialSyncFs(): Promise<void> {
    const system = this.pg?.Module.FS as MemoryFiles | undefined;
    if (system === undefined) throw new Error("broken invariant: PGlite has no file system yet");
    system.mkdirTree(PGDATA);
    const folders = new Map([[".", system.lookupPath(PGDATA).node]]);
    const make = (path: string, mode: number): MemoryNode => {
      const parent = folders.get(dirname(path));
      if (parent === undefined) throw new Error(`broken invariant: ${path} has a folder`);
      return parent.node_ops.mknod(parent, basename(path), mode, 0);
    };
    const { folder, folders: within, files } = this.#image;
    for (const path of within) folders.set(path, make(path, FOLDER));
    for (const file of files) {
      const node = make(file.path, FILE);
      node.usedBytes = file.size;
      if (file.size > 0) readAtFirstUse(node, () => contentsOf(folder, file));
    }
  }
}

function readAtFirstUse(node: MemoryNode, read: () => Uint8Array): void {
  const settle = (contents: unknown): unknown => {
    Object.defineProperty(node, "contents", { value: contents, writable: true });
    return contents;
  };
  Object.defineProperty(node, "contents", {
    configurable: true,
    enumerable: true,
    get: () => settle(read()),
    set: settle,
  });
}

function contentsOf(folder: string, { path, size, kept }: ImageFile): Uint8Array {
  const contents = new Uint8Array(size);
  const file = openSync(join(folder, path), "r");
  try {
    let read = 0;
    while (read < kept) read += readSync(file, contents, read, kept - read, read);
  } finally {
    closeSync(file);
  }
  return contents;
}
