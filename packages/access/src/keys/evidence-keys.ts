import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Chance, Clock, RepeatableCall } from "@propgate/base";
import type { Database } from "@propgate/ledger";
import {
  createEvidenceKeyStore,
  type NewEvidenceKey,
  type PublishedEvidenceKey,
} from "../storage/evidence-key-store.ts";
import type { SecretBox } from "./seal-secret.ts";

/** A signature, with the id of the key that made it. */
export interface EvidenceSignature {
  readonly keyId: string;
  /** An Ed25519 signature, 64 bytes. */
  readonly value: Uint8Array;
}

/**
 * The Ed25519 keys with which the installation signs evidence, for readers who share no secret with the
 * installation. The first use creates a key.
 */
export interface EvidenceKeys {
  /** Every key that was ever in use, newest first. */
  list(): Promise<readonly PublishedEvidenceKey[]>;
  /**
   * Signs with the key in use.
   * @throws when no configured master key opens that key, which then has to be rotated
   */
  sign(bytes: Uint8Array): Promise<EvidenceSignature>;
  /** Puts a new key in use. The older keys stay published, but their private halves are deleted. @rule D8.rekey */
  rotate(act?: RepeatableCall | null): Promise<void>;
}

const SEED_BYTES = 32;
/** The bytes before the 32 bytes of an Ed25519 private key in PKCS #8, by RFC 8410. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_HEAD_BYTES = 12;
const ID_HEX = 16;

/**
 * One key is in use at a time, and its private half is stored sealed. A rotation replaces that key; the public halves
 * of all keys stay in the list. @rule D13.evidenceKeys decides
 */
export function createEvidenceKeys(options: {
  readonly database: Database;
  readonly box: SecretBox;
  readonly chance: Chance;
  readonly clock: Clock;
}): EvidenceKeys {
  const { box } = options;
  const store = createEvidenceKeyStore(options.database);
  const inUse = async (): Promise<NewEvidenceKey> => {
    const found = await store.findInUse();
    if (found !== null) return found;
    await store.addFirst(makeKey(options));
    const first = await store.findInUse();
    if (first === null)
      throw new Error("broken invariant: there is a key in use once one was added");
    return first;
  };
  let listing: Promise<readonly PublishedEvidenceKey[]> | null = null;
  return {
    list() {
      // Everyone may read this list, so concurrent requests share one read of the database.
      listing ??= inUse()
        .then(() => store.list())
        .finally(() => {
          listing = null;
        });
      return listing;
    },
    async sign(bytes) {
      const { keyId, sealedPrivate } = await inUse();
      const seed = box.open(keyId, sealedPrivate);
      if (seed === null) {
        throw new Error(
          `no configured master key opens the evidence key ${keyId}; propgate operator keys rekey puts a new one in use`,
        );
      }
      return { keyId, value: await signInThread(bytes, privateKeyOf(Buffer.from(seed, "base64"))) };
    },
    rotate: (act = null) =>
      store.replace(makeKey({ ...options, chance: act?.chance("evidence key") ?? options.chance })),
  };
}

function makeKey(options: {
  readonly box: SecretBox;
  readonly chance: Chance;
  readonly clock: Clock;
}): NewEvidenceKey {
  const seed = Buffer.from(options.chance.bytes(SEED_BYTES));
  const spki = createPublicKey(privateKeyOf(seed)).export({ type: "spki", format: "der" });
  const publicKey = spki.subarray(SPKI_HEAD_BYTES);
  const keyId = `ek_${createHash("sha256").update(publicKey).digest("hex").slice(0, ID_HEX)}`;
  const sealedPrivate = options.box.seal(keyId, seed.toString("base64"));
  return { keyId, publicKey, sealedPrivate, fromMs: options.clock.now() };
}

/** Signs in another thread, because evidence may have megabytes. */
function signInThread(bytes: Uint8Array, key: KeyObject): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    sign(null, bytes, key, (fault, value) => {
      if (fault === null) resolve(value);
      else reject(fault);
    });
  });
}

function privateKeyOf(seed: Uint8Array) {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: "der",
    type: "pkcs8",
  });
}
