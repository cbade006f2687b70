import type { StoredKey } from "../storage/api-key.ts";
import type { KeyStore, Reseal } from "../storage/key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

const PAGE = 500;

/** The result of sealing secrets again. */
export interface RekeyResult {
  readonly resealed: number;
  /** The names of secrets that no configured master key opens, such as the id of a key. */
  readonly unreadable: readonly string[];
}

/** Reads all stored secrets of one kind page by page, and seals them again. */
export interface SealedPages<Item, Cursor> {
  page(after: Cursor | null, limit: number): Promise<readonly Item[]>;
  cursorOf(item: Item): Cursor;
  /** Seals again the secrets of those items that an older master key has sealed. */
  reseal(items: readonly Item[]): Promise<RekeyResult>;
}

/**
 * Seals every secret of a kind again under the newest master key, so that older keys can be removed from the
 * configuration. It may be interrupted and restarted at any moment. A secret that was changed since it was read is
 * skipped, because the change has sealed it under the newest key. Rounds over all secrets are repeated until one of
 * them seals nothing, because a node without the newest key may store secrets meanwhile. @rule D8.rekey decides
 */
export async function rekey<Item, Place>(secrets: SealedPages<Item, Place>): Promise<RekeyResult> {
  let resealed = 0;
  for (;;) {
    const round = await rekeyRound(secrets);
    resealed += round.resealed;
    if (round.resealed === 0) return { resealed, unreadable: round.unreadable };
  }
}

async function rekeyRound<Item, Place>(secrets: SealedPages<Item, Place>): Promise<RekeyResult> {
  let resealed = 0;
  const unreadable: string[] = [];
  let after: Place | null = null;
  for (;;) {
    const items: readonly Item[] = await secrets.page(after, PAGE);
    const done = await secrets.reseal(items);
    resealed += done.resealed;
    unreadable.push(...done.unreadable);
    const last = items.at(-1);
    if (last === undefined || items.length < PAGE) return { resealed, unreadable };
    after = secrets.cursorOf(last);
  }
}

/** Does the work of `reseal` for a kind of secrets that are written one by one. */
export async function resealEach<Item, Sealed extends object>(
  items: readonly Item[],
  kind: {
    readonly nameOf: (item: Item) => string;
    readonly sealedAnew: (item: Item) => Sealed | "current" | "unreadable";
    /** Stores the new secret. False when the item has changed since it was read. */
    readonly write: (item: Item, sealed: Sealed) => Promise<boolean>;
  },
): Promise<RekeyResult> {
  let resealed = 0;
  const unreadable: string[] = [];
  for (const item of items) {
    const sealed = kind.sealedAnew(item);
    if (sealed === "unreadable") unreadable.push(kind.nameOf(item));
    else if (sealed !== "current" && (await kind.write(item, sealed))) resealed += 1;
  }
  return { resealed, unreadable };
}

/** The secrets of keys, as `rekey` needs them. Each page is written in one statement. */
export function createSealedKeyPages({
  store,
  box,
}: {
  readonly store: Pick<KeyStore, "page" | "reseal">;
  readonly box: SecretBox;
}): SealedPages<StoredKey, string> {
  return {
    page: (after, limit) => store.page(after, limit),
    cursorOf: ({ keyId }) => keyId,
    async reseal(keys) {
      const older = keys.filter(({ sealedSecret }) => !box.isCurrent(sealedSecret));
      const anew = older.map((key) => resealSecret(key, box));
      return {
        resealed: await store.reseal(anew.filter((one) => one !== null)),
        unreadable: older.filter((_, index) => anew[index] === null).map(({ keyId }) => keyId),
      };
    },
  };
}

function resealSecret({ keyId, sealedSecret }: StoredKey, box: SecretBox): Reseal | null {
  const secret = box.open(keyId, sealedSecret);
  return secret === null ? null : { keyId, from: sealedSecret, to: box.seal(keyId, secret) };
}
