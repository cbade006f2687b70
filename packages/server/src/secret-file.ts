import { mkdirSync, statSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CannotStart } from "./running-service.ts";

/**
 * The text of a file that only its owner may read; it is made, with `fresh`, where there is none.
 * @throws CannotStart naming the file
 */
export async function readOrMakeSecret(file: string, fresh: string): Promise<string> {
  try {
    makeFolder(dirname(file));
    await writeOnce(file, fresh);
    return await readFile(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`${file} cannot be read or made: ${reason}`, { cause });
  }
}

/**
 * Makes a folder and those above it, for its owner only. Node's own way of doing so never ends in a
 * file system, such as /proc, that says of a folder which exists that it does not.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Somebody else may have been quicker.
    if (!isFolder(path)) throw cause;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A file that is there already stays as it is. */
async function writeOnce(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "EEXIST") return null;
    throw cause;
  });
  if (handle === null) return;
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
