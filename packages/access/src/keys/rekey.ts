import type { KeyStore, Reseal, StoredKey } from "@propgate/ledger";
import type { SecretBox } from "./seal-secret.ts";

const PAGE = 500;

export interface Rekeying {
  readonly resealed: number;
  /** Ids of keys whose secrets no configured master key opens. */
  readonly unreadable: readonly string[];
}

interface Options {
  readonly store: Pick<KeyStore, "page" | "reseal">;
  readonly box: SecretBox;
}

/**
 * Seals every secret again under the newest master key, so that older keys can be removed from the
 * configuration. May be interrupted and restarted at any moment: each page is one statement, and a
 * secret that changed since it was read is left alone. Repeats until a whole round finds no older
 * version, because a node without the newest key may create keys meanwhile. Returns the number of
 * resealed secrets and the ids whose secrets cannot be opened. @rule D8.rekey decides
 */
export async function rekey(options: Options): Promise<Rekeying> {
  let resealed = 0;
  for (;;) {
    const round = await oneRound(options);
    resealed += round.resealed;
    if (round.resealed === 0) return { resealed, unreadable: round.unreadable };
  }
}

async function oneRound(options: Options): Promise<Rekeying> {
  let resealed = 0;
  const unreadable: string[] = [];
  let after: string | null = null;
  for (;;) {
    const keys: readonly StoredKey[] = await options.store.page(after, PAGE);
    after = keys.at(-1)?.keyId ?? after;
    const older = keys.filter(({ sealedSecret }) => !options.box.isCurrent(sealedSecret));
    const anew = older.map((key) => sealedAnew(key, options.box));
    unreadable.push(...older.filter((_, index) => anew[index] === null).map(({ keyId }) => keyId));
    resealed += await options.store.reseal(anew.filter((one) => one !== null));
    if (keys.length < PAGE) return { resealed, unreadable };
  }
}

function sealedAnew({ keyId, sealedSecret }: StoredKey, box: SecretBox): Reseal | null {
  const secret = box.open(keyId, sealedSecret);
  return secret === null ? null : { keyId, from: sealedSecret, to: box.seal(keyId, secret) };
}
