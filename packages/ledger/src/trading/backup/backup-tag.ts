import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { MasterKeys } from "@propgate/base";

/** The HKDF label of the key for tags. It separates this key from every other that is derived from the master key. */
const LABEL = "propgate backup tag v1";
const KEY_BYTES = 32;

/** HMAC-SHA-256, in hex, of a backup's SHA-256 under a key derived from a master key. */
export function backupTag(master: Uint8Array, sha256: string): string {
  const key = hkdfSync("sha256", master, new Uint8Array(), LABEL, KEY_BYTES);
  return createHmac("sha256", new Uint8Array(key)).update(sha256).digest("hex");
}

/**
 * `proved`: the tag matches the master key. `wrong`: it does not match. `noTag`: the backup has no tag. `noKey`: the
 * master key of that version is not among the given ones.
 */
export type TagProof = "proved" | "wrong" | "noTag" | "noKey";

/** Compares the tag of a backup with the tags under the known master keys. */
export function verifyBackupTag(
  backup: {
    readonly masterKey: number | null;
    readonly sha256: string;
    readonly tag: string | null;
  },
  known: MasterKeys | null,
): TagProof {
  const { masterKey, sha256, tag } = backup;
  if (masterKey === null || tag === null) return "noTag";
  const master = known?.byVersion.get(masterKey);
  if (master === undefined) return "noKey";
  const [given, expected] = [Buffer.from(tag), Buffer.from(backupTag(master, sha256))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? "proved" : "wrong";
}
