import type { UnixMs } from "@propgate/core";
import type { PersonId, Queryable } from "@propgate/ledger";

/** The browsers in which a person has signed in before, by the SHA-256 of a cookie. */
export interface KnownBrowserStore {
  /** Whether the person whose name has this `nameKey` has signed in with the browser. */
  hasSignedIn(tokenHash: Uint8Array, nameKey: string): Promise<boolean>;
  /**
   * Adds a browser, which replaces `replaced` if that is one of the person's browsers. Keeps only the person's newest
   * `max` browsers.
   */
  put(
    personId: PersonId,
    browser: {
      readonly tokenHash: Uint8Array;
      readonly replaced: Uint8Array | null;
      readonly atMs: UnixMs;
      readonly max: number;
    },
  ): Promise<void>;
  removeAll(personId: PersonId): Promise<void>;
}

export function createKnownBrowserStore(database: Queryable): KnownBrowserStore {
  return {
    async hasSignedIn(tokenHash, nameKey) {
      const rows = await database.query(
        `select 1 from known_browsers b join people p using (person_id)
         where b.token_hash = $1 and p.name_key = $2`,
        [tokenHash, nameKey],
      );
      return rows.length > 0;
    },
    async put(id, { tokenHash, replaced, atMs, max }) {
      await database.query(
        `delete from known_browsers where person_id = $1 and (token_hash = $2 or token_hash in (
           select token_hash from known_browsers where person_id = $1
           order by last_used_at_ms desc, token_hash offset $3))`,
        [id, replaced, max - 1],
      );
      await database.query(
        "insert into known_browsers (token_hash, person_id, last_used_at_ms) values ($1, $2, $3)",
        [tokenHash, id, atMs],
      );
    },
    async removeAll(id) {
      await database.query("delete from known_browsers where person_id = $1", [id]);
    },
  };
}
