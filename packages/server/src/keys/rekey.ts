import type { StoredKey } from "./api-key.ts";
import type { KeyStore, Reseal } from "./key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

const PAGE = 500;

export interface Rekeying {
  readonly resealed: number;
  /** Ids of keys whose secrets no configured master key opens. */
  readonly unreadable: readonly string[];
}

interface Needs {
  readonly store: Pick<KeyStore, "page" | "reseal">;
  readonly box: SecretBox;
}

/**
 * Seals every secret again under the newest master key, so that older ones can be taken out of the
 * configuration. May be stopped at any moment and started again: a page is one statement, and what
 * it does not find as it was read it leaves alone. It goes through all keys until a whole round found
 * nothing older, for a node that does not know the newest key yet may make keys meanwhile.
 * Answers how many were done and which keys' secrets do not open. @rule D8.rekey
 */
export async function rekey(need: Needs): Promise<Rekeying> {
  let resealed = 0;
  for (;;) {
    const round = await oneRound(need);
    resealed += round.resealed;
    if (round.resealed === 0) return { resealed, unreadable: round.unreadable };
  }
}

async function oneRound(need: Needs): Promise<Rekeying> {
  let resealed = 0;
  const unreadable: string[] = [];
  let after: string | null = null;
  for (;;) {
    const keys: readonly StoredKey[] = await need.store.page(after, PAGE);
    after = keys.at(-1)?.keyId ?? after;
    const older = keys.filter(({ sealedSecret }) => !need.box.isCurrent(sealedSecret));
    const anew = older.map((key) => sealedAnew(key, need.box));
    unreadable.push(...older.filter((_, index) => anew[index] === null).map(({ keyId }) => keyId));
    resealed += await need.store.reseal(anew.filter((one) => one !== null));
    if (keys.length < PAGE) return { resealed, unreadable };
  }
}

function sealedAnew({ keyId, sealedSecret }: StoredKey, box: SecretBox): Reseal | null {
  const secret = box.open(keyId, sealedSecret);
  return secret === null ? null : { keyId, from: sealedSecret, to: box.seal(keyId, secret) };
}
