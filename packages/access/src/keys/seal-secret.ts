import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Chance, MasterKeys } from "@propgate/base";

/** Encrypts secrets for storage, and decrypts them. */
export interface SecretBox {
  seal(keyId: string, secret: string): Uint8Array;
  /**
   * The secret; null when it cannot be opened, because its master key is not configured, it was sealed for another key
   * id, or it is damaged.
   */
  open(keyId: string, sealed: Uint8Array): string | null;
  /** Whether the secret was sealed with the newest master key. */
  isCurrent(sealed: Uint8Array): boolean;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/**
 * A box that seals with AES-256-GCM under the master key. The key id is associated data, so a sealed secret that was
 * moved to the row of another key does not open. Layout: version of the master key (1 byte), nonce (12), ciphertext,
 * tag (16). @rule D8.sealed decides
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
    // A wrong tag means that the secret cannot be opened. It is no fault of the program.
    return null;
  }
}
