import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { assert } from "@propgate/core";
import type { Chance } from "../random.ts";

/** What seals the secrets: the newest version seals, older ones still open. */
export interface MasterKeys {
  readonly current: { readonly version: number; readonly key: Uint8Array };
  readonly byVersion: ReadonlyMap<number, Uint8Array>;
}

const KEY_BYTES = 32;
const FIRST_VERSION = 1;

/**
 * Reads master keys from text: 32 bytes in base64 or hex, or several as `version:key` separated by
 * commas or lines. The greatest version (1 to 255) is the current one; without a version it is 1.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const byVersion = new Map<number, Uint8Array>();
  for (const part of text.split(/[\s,]+/).filter((part) => part !== "")) {
    const [, version = String(FIRST_VERSION), key = ""] = /^(?:(\d{1,3}):)?(.+)$/.exec(part) ?? [];
    const number = Number(version);
    assert(number >= 1 && number <= 255, "a master key version from 1 to 255");
    assert(!byVersion.has(number), `master key version ${number} given once`);
    byVersion.set(number, keyBytes(key));
  }
  const newest = Math.max(...byVersion.keys());
  const key = byVersion.get(newest);
  assert(key !== undefined, "at least one master key");
  return { current: { version: newest, key }, byVersion };
}

/** The configured master key, or the one in the file, which is made at the first start. @rule D8.sealed */
export async function loadMasterKeys(source: {
  readonly configured: string | null;
  readonly file: string;
  readonly chance: Chance;
}): Promise<MasterKeys> {
  if (source.configured !== null) return parseMasterKeys(source.configured);
  await mkdir(dirname(source.file), { recursive: true, mode: 0o700 });
  const fresh = `${FIRST_VERSION}:${Buffer.from(source.chance.bytes(KEY_BYTES)).toString("base64")}\n`;
  await writeOnce(source.file, fresh);
  return parseMasterKeys(await readFile(source.file, "utf8"));
}

/** Only the owner may read it; a file that is there already stays as it is. */
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

function keyBytes(text: string): Uint8Array {
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, "hex")
    : Buffer.from(text, "base64");
  assert(bytes.length === KEY_BYTES, "a master key of 32 bytes in base64 or hex");
  return bytes;
}
