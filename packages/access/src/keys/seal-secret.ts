import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Chance, MasterKeys } from "@propgate/base";

/** Encrypts secrets at rest. */
export interface SecretBox {
  seal(keyId: string, secret: string): Uint8Array;
  /** Null when it cannot be opened: another master key, another key's secret, or damaged. */
  open(keyId: string, sealed: Uint8Array): string | null;
  /** Whether it was sealed with the newest master key. */
  isCurrent(sealed: Uint8Array): boolean;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/**
 * AES-256-GCM under the master key, with the key id as associated data, so that a sealed secret
 * moved to another key's row does not open. Layout: master key version (one byte), nonce (12),
 * ciphertext, tag (16). @rule D8.sealed decides
 */
export function createSecretBox(masters: MasterKeys, chance: Chance): SecretBox {
  return {
    seal(keyId, secret) {
      const nonce = chance.bytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, masters.current.key, nonce);
      cipher.setAAD(Buffer.from(keyId, "utf8"));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(masters.current.version), nonce, text, cipher.getAuthTag()]);
    },
    open(keyId, sealed) {
      const master = masters.byVersion.get(sealed[0] ?? 0);
      if (master === undefined || sealed.length < HEAD_BYTES + TAG_BYTES) return null;
      const plain = decrypt(master, keyId, sealed);
      return plain === null ? null : plain.toString("utf8");
    },
    isCurrent: (sealed) => sealed[0] === masters.current.version,
  };
}

function decrypt(master: Uint8Array, keyId: string, sealed: Uint8Array): Buffer | null {
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, master, sealed.subarray(1, HEAD_BYTES));
  decipher.setAAD(Buffer.from(keyId, "utf8"));
  decipher.setAuthTag(sealed.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, tagAt)), decipher.final()]);
  } catch {
    // A wrong tag is an expected answer here, not a bug.
    return null;
  }
}
