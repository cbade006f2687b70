import { closeSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Initialized = Awaited<ReturnType<NodeFS["init"]>>;

/** Returns only when the content of the open file is on the disk. */
export type SyncFile = (file: number) => void;

/** "Input or output failed" in the numbers of WebAssembly's system interface. */
const EIO = 29;

/** PostgreSQL's settings that make a commit durable before it is answered. */
export const DURABLE_SETTINGS: readonly string[] = [
  "fsync=on",
  // The system call behind any other method does not exist in PGlite, so files would not be synced.
  "wal_sync_method=fsync",
];

/**
 * The folder on disk, with the syncs that PGlite omits: when the database requests a sync, the file is synced. This
 * class uses PGlite's internals, so the version of PGlite is pinned, and `pglite-database.test.ts` counts the syncs of
 * a commit.
 */
export class SyncedFileSystem extends NodeFS {
  readonly #sync: SyncFile;
  readonly #open = new Set<number>();

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
        preRun: [
          (module: object) => {
            const operations = streamOperations(module);
            replaceSync(operations, this.#sync);
            watchFiles(operations, this.#open);
          },
          ...preRun,
        ],
      },
    };
  }

  /** Closes the files that a stopped database left open. */
  abandon(): void {
    for (const file of this.#open) {
      try {
        closeSync(file);
      } catch {
        // A failing disk may fail here too. The file's number is free in both cases.
      }
    }
    this.#open.clear();
  }
}

interface Stream {
  /** The file descriptor in Node.js; undefined for a stream without one. The name is that of PGlite's runtime. */
  readonly nfd?: number;
}

interface StreamOperations {
  fsync?: (stream: Stream) => number;
  open: (stream: Stream) => void;
  close: (stream: Stream) => void;
}

function replaceSync(operations: StreamOperations, sync: SyncFile): void {
  operations.fsync = (stream) => {
    if (stream.nfd === undefined) return 0;
    try {
      sync(stream.nfd);
      return 0;
    } catch {
      // PostgreSQL gets the failure as an error number, so that it stops instead of answering the commit.
      return EIO;
    }
  };
}

function watchFiles(operations: StreamOperations, files: Set<number>): void {
  const { open, close } = operations;
  operations.open = (stream) => {
    open(stream);
    if (stream.nfd !== undefined) files.add(stream.nfd);
  };
  operations.close = (stream) => {
    const { nfd } = stream;
    close(stream);
    if (nfd !== undefined) files.delete(nfd);
  };
}

function streamOperations(module: object): StreamOperations {
  const system: unknown = "NODEFS" in module ? module.NODEFS : null;
  if (typeof system === "object" && system !== null && "stream_ops" in system) {
    const operations = system.stream_ops;
    if (isOperations(operations)) return operations;
  }
  throw new Error("broken invariant: the file system of the pinned PGlite");
}

function isOperations(value: unknown): value is StreamOperations {
  if (typeof value !== "object" || value === null) return false;
  return "open" in value && "close" in value;
}
