import { CannotStart } from "../cannot-start.ts";
import type { Chance } from "../random.ts";
import { readOrCreateSecret, readSecret } from "../secret-file.ts";

/** The master keys, under which secrets are sealed. The newest version seals; the older ones still open. */
export interface MasterKeys {
  readonly current: { readonly version: number; readonly key: Uint8Array };
  readonly byVersion: ReadonlyMap<number, Uint8Array>;
}

const KEY_BYTES = 32;
/** The version of a master key that the service creates. */
export const FIRST_KEY_VERSION = 1;
const FORM =
  "Use 32 bytes in base64 or hex, or several as version:key with commas. Only the right key opens the stored secrets: look for a copy before you create another one.";

/**
 * Parses master keys: 32 bytes in base64 or hex, or several as `version:key`, separated by commas or white space. A key
 * without a version has version 1. The greatest version (1 to 255) is the current one. `from` names the source in
 * messages, which never repeat a key.
 * @throws CannotStart when the text is not of this form
 */
export function parseMasterKeys(text: string, from = "the master key"): MasterKeys {
  const check = (isSo: boolean, must: string): void => {
    if (!isSo) throw new CannotStart(`${from} ${must}`, { fix: FORM });
  };
  const byVersion = new Map<number, Uint8Array>();
  for (const part of text.split(/[\s,]+/).filter((part) => part !== "")) {
    const [, version = String(FIRST_KEY_VERSION), key = ""] =
      /^(?:(\d{1,3}):)?(.+)$/.exec(part) ?? [];
    const number = Number(version);
    check(number >= 1 && number <= 255, "must have versions from 1 to 255");
    check(!byVersion.has(number), `has version ${number} twice`);
    const bytes = parseKeyBytes(key);
    check(bytes.length === KEY_BYTES, "must be 32 bytes in base64 or hex");
    byVersion.set(number, bytes);
  }
  const newest = Math.max(...byVersion.keys());
  const key = byVersion.get(newest);
  if (key === undefined) throw new CannotStart(`${from} contains no key`, { fix: FORM });
  return { current: { version: newest, key }, byVersion };
}

/** The configured master key, or the one in the file. The first start creates the file. @rule D8.sealed */
export async function loadOrCreateMasterKeys(source: {
  readonly configured: string | null;
  readonly file: string;
  readonly chance: Chance;
}): Promise<MasterKeys> {
  if (source.configured !== null) return parseMasterKeys(source.configured, "PROPGATE_MASTER_KEY");
  const fresh = `${FIRST_KEY_VERSION}:${Buffer.from(source.chance.bytes(KEY_BYTES)).toString("base64")}\n`;
  return parseMasterKeys(await readOrCreateSecret(source.file, fresh), source.file);
}

/**
 * The configured master key, or the one in the file; null without either. Creates no file.
 * @throws CannotStart when the text is not a master key, the file cannot be read, or others than its owner may access
 * it
 */
export async function readMasterKeys(source: {
  readonly configured: string | null;
  readonly file: string | null;
}): Promise<MasterKeys | null> {
  const { configured, file } = source;
  if (configured !== null) return parseMasterKeys(configured, "PROPGATE_MASTER_KEY");
  if (file === null) return null;
  const text = await readSecret(file);
  return text === null ? null : parseMasterKeys(text, file);
}

/**
 * The warning to the operator about secrets that no configured version opens; null when there are none. Such secrets
 * are not lost: the key that sealed them still opens them.
 */
export function missingKeysWarning(
  { byVersion }: MasterKeys,
  sealedUnder: ReadonlyMap<number, number>,
): string | null {
  const missing = [...sealedUnder].filter(([version]) => !byVersion.has(version));
  if (missing.length === 0) return null;
  const counted = missing.map(([version, keys]) => `${keys} under version ${version}`).join(", ");
  return `API keys whose secrets no configured master key opens: ${counted}. Their requests get 500 until that version is configured again. Run propgate operator keys rekey before you remove a version.`;
}

function parseKeyBytes(text: string): Uint8Array {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
}
