import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Initialized = Awaited<ReturnType<NodeFS["init"]>>;

/** Returns when the open file's content is on the disk. */
export type SyncFile = (file: number) => void;

/** "Input or output failed" in the numbers of WebAssembly's system interface. */
const EIO = 29;

/** PostgreSQL's own settings for a database that keeps what it has answered. */
export const DURABLE_SETTINGS: readonly string[] = [
  "fsync=on",
  // The system call behind any other method does not exist in PGlite and would sync nothing.
  "wal_sync_method=fsync",
];

/**
 * The folder on disk, with the one thing PGlite leaves out: when the database asks for a sync, the
 * file is synced. Reaches into PGlite's internals, so its version is pinned and
 * `pglite-database.test.ts` counts the syncs of a commit.
 */
export class SyncedFileSystem extends NodeFS {
  readonly #sync: SyncFile;

  constructor(path: string, sync: SyncFile) {
    super(path);
    this.#sync = sync;
  }

  override async init(
    pglite: PGlite,
    options: Initialized["emscriptenOpts"],
  ): Promise<Initialized> {
    const made = await super.init(pglite, options);
    const preRun = made.emscriptenOpts.preRun ?? [];
    return {
      emscriptenOpts: {
        ...made.emscriptenOpts,
        preRun: [(module: object) => syncForReal(module, this.#sync), ...preRun],
      },
    };
  }
}

function syncForReal(module: object, sync: SyncFile): void {
  const operations = streamOperations(module);
  if (operations === null) throw new Error("broken invariant: PGlite's file system as pinned");
  operations.fsync = (stream: { readonly nfd?: number }): number => {
    if (stream.nfd === undefined) return 0;
    try {
      sync(stream.nfd);
      return 0;
    } catch {
      // PostgreSQL must hear of it in its own way: it then stops instead of answering the commit.
      return EIO;
    }
  };
}

function streamOperations(module: object): { fsync?: unknown } | null {
  const system: unknown = "NODEFS" in module ? module.NODEFS : null;
  if (typeof system !== "object" || system === null || !("stream_ops" in system)) return null;
  const operations = system.stream_ops;
  return isRecord(operations) ? operations : null;
}

function isRecord(value: unknown): value is { fsync?: unknown } {
  return typeof value === "object" && value !== null;
}
