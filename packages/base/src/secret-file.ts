import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { CannotStart } from "./cannot-start.ts";

/**
 * Reads a file that only its owner may access; creates it with the text `fresh` when it does not exist.
 * @throws CannotStart naming the file, also when its group or others may access it
 */
export async function readOrCreateSecret(file: string, fresh: string): Promise<string> {
  try {
    createOwnerOnlyFolder(dirname(file));
    await createIfAbsent(file, fresh);
    return await readOwnerOnlyFile(file);
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`${file} cannot be read or created: ${reason}`, { cause });
  }
}

/**
 * Reads a file that only its owner may access; null when it does not exist.
 * @throws CannotStart naming the file, also when its group or others may access it
 */
export async function readSecret(file: string): Promise<string | null> {
  try {
    return await readOwnerOnlyFile(file);
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`${file} cannot be read: ${reason}`, { cause });
  }
}

/** Appends `text` to a file, which only its owner may access afterwards; creates the file when it does not exist. */
export async function addToSecretFile(file: string, text: string): Promise<void> {
  createOwnerOnlyFolder(dirname(file));
  const handle = await open(file, "a", OWNER_ONLY);
  try {
    // The permissions of an existing file may be wider.
    await handle.chmod(OWNER_ONLY);
    await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const OWNER_ONLY = 0o600;
const OTHERS_MASK = 0o077;
const GROUP_READS = 0o040;
/**
 * The advice for a file that its group may read: Kubernetes gives this access to the files of a mounted Secret when the
 * pod has an fsGroup, and chmod cannot change it.
 */
const MOUNTED_SECRET_ADVICE =
  "; where a pod's fsGroup opens a mounted Secret to its group, give the secret in the variable without _FILE";

async function readOwnerOnlyFile(file: string): Promise<string> {
  // One handle serves both the check and the read, so that the file that is read is the one that was checked.
  const handle = await open(file, "r");
  try {
    const { mode } = await handle.stat();
    if ((mode & OTHERS_MASK) !== 0) {
      throw new CannotStart(openToOthersProblem(file, mode), { fix: ownerOnly(file) });
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function openToOthersProblem(file: string, mode: number): string {
  const permissions = (mode & 0o777).toString(8);
  return `${file} contains a secret, and users other than its owner may access it (permissions ${permissions})`;
}

function ownerOnly(file: string): string {
  return `chmod 600 '${file.replaceAll("'", String.raw`'\\''`)}'`;
}

/** The secret in a file that only its owner may access, without white space around it; or the problem, as a text. */
export function readSecretOrProblem(
  file: string,
): { readonly text: string } | { readonly problem: string } {
  try {
    const handle = openSync(file, "r");
    try {
      const { mode } = fstatSync(handle);
      if ((mode & OTHERS_MASK) !== 0) {
        const mounted = (mode & OTHERS_MASK) === GROUP_READS ? MOUNTED_SECRET_ADVICE : "";
        return { problem: `${openToOthersProblem(file, mode)}; run ${ownerOnly(file)}${mounted}` };
      }
      const text = readFileSync(handle, "utf8").trim();
      return text === "" ? { problem: `${file} is empty` } : { text };
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: `${file} cannot be read: ${reason}` };
  }
}

/**
 * Creates a folder and its parents, for the owner only. The recursive `mkdir` of Node is not used, because it never
 * ends in file systems such as /proc, which deny that existing folders exist.
 */
export function createOwnerOnlyFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) createOwnerOnlyFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another process may have created the folder meanwhile.
    if (!isFolder(path)) throw cause;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Creates a file with this text; leaves an existing file unchanged. */
async function createIfAbsent(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", OWNER_ONLY).catch((cause: NodeJS.ErrnoException) => {
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
