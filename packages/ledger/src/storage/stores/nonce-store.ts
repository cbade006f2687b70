import type { Database } from "../databases/database.ts";

/** Finds and merges old nonces, key by key. */
export interface NonceStore {
  /**
   * The first `limit` keys after `after`, in order, and which of them have nonces to merge. Nonces of reads are merged
   * when they were used before `beforeMs`. Nonces of orders are merged when they were used more than a day before that
   * time and have receipts; nonces that were used while their key was paused stay as they are.
   */
  keys(page: {
    readonly after: string;
    readonly beforeMs: number;
    readonly limit: number;
  }): Promise<MergeKeyPage>;
  /**
   * Merges nonces of these keys into blocks, `limit` at most, and returns how many. The merge is durable when the
   * promise resolves. Requests of these keys wait meanwhile. @rule S5.R2
   */
  merge(
    keyIds: readonly string[],
    range: { readonly beforeMs: number; readonly limit: number },
  ): Promise<number>;
}

/** A page of keys, and which of these keys have nonces that can be merged. */
export interface MergeKeyPage {
  /** The last key of the page; null when there was none. */
  readonly last: string | null;
  /** The keys of the page that have nonces to merge. */
  readonly withOld: readonly string[];
}

/** The inner limit keeps each index scan within the rows of its key. The condition is the same as in `merge_nonces`. */
const KEYS = `
select page.key_id, (select true from nonces n
  where n.key_id = page.key_id
    and case when n.is_write then n.used_at_ms < $2::bigint - 86400000 and not n.was_paused
        and (select true from receipts r where r.key_id = n.key_id and r.nonce = n.nonce)
      else n.used_at_ms < $2::bigint end
  limit 1) is true as has_old
from (select key_id from key_usage where key_id > $1 order by key_id limit $3) as page
order by page.key_id`;

export function createNonceStore(database: Database): NonceStore {
  return {
    async keys({ after, beforeMs, limit }) {
      const rows = await database.query<{ key_id: string; has_old: boolean }>(KEYS, [
        after,
        beforeMs,
        limit,
      ]);
      return {
        last: rows.at(-1)?.key_id ?? null,
        withOld: rows.filter((row) => row.has_old).map((row) => row.key_id),
      };
    },
    async merge(keyIds, { beforeMs, limit }) {
      const rows = await database.query<{ merged: number }>(
        "select merge_nonces($1, $2, $3) as merged",
        [keyIds, beforeMs, limit],
      );
      return rows[0]?.merged ?? 0;
    },
  };
}
