import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError, EXIT, usageError } from "./cli-error.ts";

/** The bytes of a file, and the function that closes the source of the bytes. */
export interface FileSource {
  readonly content: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Writes a file that is either complete or absent: it is written under a temporary name, synced, checked by `check` and
 * then renamed. An existing file is never replaced.
 */
export async function writeWholeFile<Checked>(
  file: string,
  openSource: () => Promise<FileSource>,
  check: (unfinished: string) => Promise<Checked>,
): Promise<Checked> {
  if (existsSync(file)) throw usageError(`${file} already exists`, "Choose another name.");
  const unfinished = `${file}.unfinished`;
  try {
    const source = await openSource();
    try {
      await writeSynced(unfinished, source.content);
    } finally {
      await source.close();
    }
    const checked = await check(unfinished);
    await withDiskError(rename(unfinished, file));
    await withDiskError(syncFolder(dirname(file)));
    return checked;
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw cause;
  }
}

async function writeSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await withDiskError(rm(path, { force: true }));
  const handle = await withDiskError(open(path, "wx", 0o600));
  try {
    for await (const bytes of content) await withDiskError(handle.writeFile(bytes));
    await withDiskError(handle.sync());
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

/**
 * Waits for work on the disk. A failure becomes a usage error that says why the file cannot be written, because it is
 * not a fault of this program.
 */
async function withDiskError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(
      {
        message: `the file cannot be written: ${reason}`,
        fix: "Choose another place.",
        exitCode: EXIT.usage,
      },
      { cause },
    );
  }
}
