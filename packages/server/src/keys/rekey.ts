import type { KeyStore } from "./key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

const PAGE = 500;

export interface Rekeying {
  readonly resealed: number;
  /** Ids of keys whose secrets no configured master key opens. */
  readonly unreadable: readonly string[];
}

/**
 * Seals every secret again under the newest master key, so that older ones can be taken out of the
 * configuration. May be stopped and started again; answers how many were done and which keys'
 * secrets do not open. @rule D8.rekey
 */
export async function rekey(need: {
  readonly store: KeyStore;
  readonly box: SecretBox;
}): Promise<Rekeying> {
  let resealed = 0;
  const unreadable: string[] = [];
  let after: string | null = null;
  for (;;) {
    const keys: readonly Awaited<ReturnType<KeyStore["page"]>>[number][] = await need.store.page(
      after,
      PAGE,
    );
    for (const key of keys) {
      after = key.keyId;
      if (need.box.isCurrent(key.sealedSecret)) continue;
      const secret = need.box.open(key.keyId, key.sealedSecret);
      if (secret === null) unreadable.push(key.keyId);
      else if (
        await need.store.reseal(key.keyId, key.sealedSecret, need.box.seal(key.keyId, secret))
      )
        resealed += 1;
    }
    if (keys.length < PAGE) return { resealed, unreadable };
  }
}
