import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Chance, Clock, MasterKeys } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { PersonId } from "@propgate/ledger";

/** For this long a challenge may be answered. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;

/**
 * The purpose of a challenge. An answer is valid only for the same purpose, and for the same person if the purpose
 * names one.
 */
export type ChallengePurpose =
  | { readonly to: "sign-in" }
  | { readonly to: "add" | "confirm"; readonly personId: PersonId };

/** A challenge that was answered. It is stored until it expires, so that a second answer is refused. */
export interface AnsweredChallenge {
  readonly hash: Uint8Array;
  readonly expiresAtMs: UnixMs;
}

/**
 * Challenges, which are not stored until they are answered. Each consists of its expiry, a random number, and an HMAC
 * of both and of its purpose under a key that is derived from the master key. So any node can check any challenge, and
 * a flood of requests does not fill a table.
 */
export interface PasskeyChallenges {
  create(purpose: ChallengePurpose): Uint8Array<ArrayBuffer>;
  /**
   * Checks the challenge of an answer. Null when this service did not make it for this purpose, or made it more than
   * five minutes ago.
   */
  open(challenge: string, purpose: ChallengePurpose): AnsweredChallenge | null;
}

const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const SEAL_BYTES = 32;
const UNSEALED_BYTES = TIME_BYTES + RANDOM_BYTES;

export function createPasskeyChallenges(options: {
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  readonly chance: Chance;
}): PasskeyChallenges {
  const { masterKeys, clock, chance } = options;
  const current = challengeKey(masterKeys.current.key);
  // Another node, with a newer or an older master key, may have made the challenge.
  const known = [...masterKeys.byVersion.values()].map(challengeKey);
  return {
    create(purpose) {
      const open = Buffer.alloc(UNSEALED_BYTES);
      open.writeUIntBE(clock.now() + CHALLENGE_LIFE_MS, 0, TIME_BYTES);
      open.set(chance.bytes(RANDOM_BYTES), TIME_BYTES);
      return new Uint8Array(Buffer.concat([open, seal(current, open, purpose)]));
    },
    open(challenge, purpose) {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== UNSEALED_BYTES + SEAL_BYTES) return null;
      const open = bytes.subarray(0, UNSEALED_BYTES);
      const sealed = bytes.subarray(UNSEALED_BYTES);
      if (!known.some((key) => timingSafeEqual(seal(key, open, purpose), sealed))) return null;
      const expiresAtMs = unixMs(open.readUIntBE(0, TIME_BYTES));
      if (clock.now() >= expiresAtMs) return null;
      return { hash: createHash("sha256").update(bytes).digest(), expiresAtMs };
    },
  };
}

/** A separate key for challenges, so that they reveal nothing about the key that seals secrets. */
function challengeKey(key: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update("passkey questions").digest();
}

function seal(key: Uint8Array, open: Uint8Array, purpose: ChallengePurpose): Buffer {
  const parts = purpose.to === "sign-in" ? [purpose.to] : [purpose.to, purpose.personId];
  return createHmac("sha256", key).update(open).update(JSON.stringify(parts)).digest();
}
