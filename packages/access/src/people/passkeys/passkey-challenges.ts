import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Chance, Clock, MasterKeys } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { PersonId } from "@propgate/ledger";

export const CHALLENGE_LIFE_MS = 5 * 60_000;

/** The purpose of a challenge; an answer is valid for its purpose only. */
export type ChallengePurpose =
  | { readonly to: "sign-in" }
  | { readonly to: "add" | "confirm"; readonly personId: PersonId };

/** An answered challenge; stored, so that its answer counts once. */
export interface AnsweredChallenge {
  readonly hash: Uint8Array;
  readonly expiresAtMs: UnixMs;
}

/**
 * Challenges that are not stored until they are answered: expiry and a random number, sealed with
 * their purpose under a key derived from the master key. So any node can check any challenge, and
 * many requests fill no table.
 */
export interface PasskeyChallenges {
  create(purpose: ChallengePurpose): Uint8Array<ArrayBuffer>;
  /** Null when we never sent the challenge, not for this purpose, or more than five minutes ago. */
  open(challenge: string, purpose: ChallengePurpose): AnsweredChallenge | null;
}

const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const SEAL_BYTES = 32;
const OPEN_BYTES = TIME_BYTES + RANDOM_BYTES;

export function createPasskeyChallenges(options: {
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  readonly chance: Chance;
}): PasskeyChallenges {
  const { masterKeys, clock, chance } = options;
  const current = challengeKey(masterKeys.current.key);
  // The challenge may come from a node with a newer or an older master key.
  const known = [...masterKeys.byVersion.values()].map(challengeKey);
  return {
    create(purpose) {
      const open = Buffer.alloc(OPEN_BYTES);
      open.writeUIntBE(clock.now() + CHALLENGE_LIFE_MS, 0, TIME_BYTES);
      open.set(chance.bytes(RANDOM_BYTES), TIME_BYTES);
      return new Uint8Array(Buffer.concat([open, seal(current, open, purpose)]));
    },
    open(challenge, purpose) {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.length !== OPEN_BYTES + SEAL_BYTES) return null;
      const open = bytes.subarray(0, OPEN_BYTES);
      const sealed = bytes.subarray(OPEN_BYTES);
      if (!known.some((key) => timingSafeEqual(seal(key, open, purpose), sealed))) return null;
      const expiresAtMs = unixMs(open.readUIntBE(0, TIME_BYTES));
      if (clock.now() >= expiresAtMs) return null;
      return { hash: createHash("sha256").update(bytes).digest(), expiresAtMs };
    },
  };
}

/** A separate key, so that no challenge reveals anything about the key that seals secrets. */
function challengeKey(key: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update("passkey questions").digest();
}

function seal(key: Uint8Array, open: Uint8Array, purpose: ChallengePurpose): Buffer {
  const parts = purpose.to === "sign-in" ? [purpose.to] : [purpose.to, purpose.personId];
  return createHmac("sha256", key).update(open).update(JSON.stringify(parts)).digest();
}
