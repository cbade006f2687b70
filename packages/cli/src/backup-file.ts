import { existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { checkBackup } from "@propgate/server";
import { CliError, EXIT, usageError } from "./cli-error.ts";
import { startupError } from "./start-failure.ts";

type Checked = Awaited<ReturnType<typeof checkBackup>>;
type Check = Parameters<typeof checkBackup>[1];

export interface WrittenBackup extends Checked {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes a backup to a temporary file, reads it back, and renames it only when it is complete and on
 * the disk. An existing file is never replaced.
 */
export async function writeBackup(
  file: string,
  take: () => Promise<{ readonly content: AsyncIterable<Uint8Array>; close(): Promise<void> }>,
): Promise<WrittenBackup> {
  if (existsSync(file)) throw usageError(`${file} already exists`, "Choose another name.");
  const unfinished = `${file}.unfinished`;
  try {
    const source = await take();
    try {
      await writeSynced(unfinished, source.content);
    } finally {
      await source.close();
    }
    // Checks that the file is complete. Only the service that wrote it has the master key.
    const checked = await readBackup(unfinished, { masterKeys: null, mayBeUnproved: true });
    const { size } = await stat(unfinished);
    await disk(rename(unfinished, file));
    await disk(syncFolder(dirname(file)));
    return { ...checked, file, bytes: size };
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Reads a backup to its end. A problem of the file is a usage error. */
export async function readBackup(file: string, check: Check): Promise<Checked> {
  const server = await import("@propgate/server");
  return server.checkBackup(file, check).catch((cause: unknown) => {
    throw cause instanceof Error && cause.name === "BackupRefused"
      ? startupError(cause, EXIT.usage)
      : cause;
  });
}

async function writeSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await disk(rm(path, { force: true }));
  const handle = await disk(open(path, "wx", 0o600));
  try {
    for await (const bytes of content) await disk(handle.writeFile(bytes));
    await disk(handle.sync());
  } finally {
    await handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** An error of the disk names the file itself and is not a fault of this program. */
async function disk<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(
      {
        message: `the backup cannot be written: ${reason}`,
        fix: "Choose another place with --to.",
        exitCode: EXIT.usage,
      },
      { cause },
    );
  }
}
