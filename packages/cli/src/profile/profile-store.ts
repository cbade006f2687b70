import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@propgate/contract";
import { usageError } from "../cli-error.ts";
import { shellQuote } from "../curl-command.ts";
import type { Terminal } from "../terminal.ts";

/** A service and a key of it, stored under a name. */
export interface Profile {
  readonly baseUrl: string;
  readonly brand: string;
  readonly keyId: string;
  /** Null when the profile does not store the secret. It then comes from PROPGATE_SECRET. */
  readonly secret: string | null;
}

/**
 * The profiles of one user: each is a file `<name>.json` that only the user may read, and another file has the name of
 * the profile in use. They are in `$XDG_CONFIG_HOME/propgate/profiles`, or without that variable in
 * `~/.config/propgate/profiles`.
 */
export interface ProfileStore {
  readonly folder: string;
  /** The names of all profiles, sorted. */
  names(): Promise<readonly string[]>;
  read(name: string): Promise<Profile>;
  /** Stores the profile. It replaces one with the same name. */
  write(name: string, profile: Profile): Promise<void>;
  remove(name: string): Promise<void>;
  /** The name of the profile in use; null when there is none. */
  inUse(): Promise<string | null>;
  use(name: string): Promise<void>;
}

export function openProfileStore(env: Terminal["env"]): ProfileStore {
  const folder = join(configFolder(env), "propgate", "profiles");
  const current = join(folder, "in-use");
  const fileOf = (name: string): string => join(folder, `${checkProfileName(name)}.json`);
  const names = (): Promise<readonly string[]> => namesIn(folder);
  return {
    folder,
    names,
    read: (name) => readProfile(fileOf(name), name, names),
    write: (name, profile) =>
      writePrivateFile(fileOf(name), `${JSON.stringify(profile, null, 2)}\n`),
    async remove(name) {
      await readableFile(fileOf(name), name, names);
      await rm(fileOf(name));
      if ((await textOf(current)) === name) await rm(current, { force: true });
    },
    inUse: () => textOf(current),
    async use(name) {
      await readableFile(fileOf(name), name, names);
      await writePrivateFile(current, `${name}\n`);
    },
  };
}

function configFolder(env: Terminal["env"]): string {
  const given = env.XDG_CONFIG_HOME;
  if (given?.startsWith("/")) return given;
  const home = env.HOME ?? env.USERPROFILE;
  if (home !== undefined && home !== "") return join(home, ".config");
  throw usageError(
    "there is no folder for profiles: neither XDG_CONFIG_HOME nor HOME is set",
    "Set HOME, or use PROPGATE_KEY_ID, PROPGATE_SECRET and PROPGATE_BASE_URL instead of a profile.",
  );
}

/**
 * Returns a valid name of a profile. A name becomes a file name, so it must not contain a path. Any other text is a
 * usage error.
 */
export function checkProfileName(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,31}$/i.test(name)) return name;
  throw usageError(
    `not a valid profile name: ${JSON.stringify(name)}`,
    "Use 1 to 32 letters, digits, - and _, such as challenge-100k.",
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .toSorted();
}

async function textOf(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trim() === "" ? null : text.trim();
}

async function readableFile(
  path: string,
  name: string,
  names: () => Promise<readonly string[]>,
): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null) return;
  const existing = await names();
  throw usageError(
    `there is no profile ${name}`,
    existing.length === 0
      ? "Add one: propgate profile add NAME --key-id pk_…"
      : `Existing profiles: ${existing.join(", ")}. Add another with: propgate profile add`,
  );
}

async function readProfile(
  path: string,
  name: string,
  names: () => Promise<readonly string[]>,
): Promise<Profile> {
  await readableFile(path, name, names);
  // One handle for the check and the read, so that the checked file is the one that is read.
  const handle = await open(path, "r").catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageError(`the profile ${name} cannot be read: ${reason}`);
  });
  try {
    const { mode } = await handle.stat();
    if ((mode & 0o077) !== 0) {
      throw usageError(
        `other users can read ${path} (permissions ${(mode & 0o777).toString(8)}), which contains a secret`,
        `chmod 600 ${shellQuote(path)}\nIf the machine has other users, create a new key and revoke this one.`,
      );
    }
    return parseProfile(await handle.readFile("utf8"), path);
  } finally {
    await handle.close();
  }
}

function parseProfile(text: string, path: string): Profile {
  const value = parsed(text);
  if (isRecord(value)) {
    const { baseUrl, brand, keyId, secret } = value;
    const isSecret = secret === null || typeof secret === "string";
    if (
      typeof baseUrl === "string" &&
      typeof brand === "string" &&
      typeof keyId === "string" &&
      isSecret
    ) {
      return { baseUrl, brand, keyId, secret };
    }
  }
  throw usageError(`${path} is not a profile`, "Add it again: propgate profile add");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes the file under a temporary name and renames it. Other users can never read it. */
async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    await rm(unfinished, { force: true });
    const handle = await open(unfinished, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(unfinished, 0o600);
    await rename(unfinished, path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageError(
      `${path} cannot be written: ${reason}`,
      "Set XDG_CONFIG_HOME to another folder.",
    );
  }
}
