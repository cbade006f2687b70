import { stat } from "node:fs/promises";
import type { checkBackup } from "@propgate/server";
import { EXIT } from "./cli-error.ts";
import { startupError } from "./start-failure.ts";
import { type FileSource, writeWholeFile } from "./whole-file.ts";

type Checked = Awaited<ReturnType<typeof checkBackup>>;
type BackupCheck = Parameters<typeof checkBackup>[1];

/** A backup that was written and read back. */
export interface WrittenBackup extends Checked {
  readonly file: string;
  readonly bytes: number;
}

/** Writes a backup and reads it back. An existing file is never replaced. */
export async function writeBackup(
  file: string,
  take: () => Promise<FileSource>,
): Promise<WrittenBackup> {
  return writeWholeFile(file, take, async (unfinished) => {
    // Checks that the file is complete. It cannot check the tag that proves which service wrote the file, because only
    // that service has the master key.
    const checked = await readBackup(unfinished, { masterKeys: null, mayBeUnproved: true });
    const { size } = await stat(unfinished);
    return { ...checked, file, bytes: size };
  });
}

/** Reads a backup to its end. A problem of the file becomes a usage error. */
export async function readBackup(file: string, check: BackupCheck): Promise<Checked> {
  const server = await import("@propgate/server");
  return server.checkBackup(file, check).catch((cause: unknown) => {
    throw cause instanceof Error && cause.name === "BackupRefused"
      ? startupError(cause, EXIT.usage)
      : cause;
  });
}
