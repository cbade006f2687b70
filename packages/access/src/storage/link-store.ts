import { type UnixMs, unixMs } from "@propgate/core";
import type { PersonId, Queryable } from "@propgate/ledger";
import type { Person } from "./person.ts";
import { PERSON_COLUMNS, type PersonRow, personOf } from "./person-store.ts";

/** A one-time link, with the person for whom it is. */
export interface StoredLink {
  readonly person: Person;
  readonly expiresAtMs: UnixMs;
}

/** Stores one-time links by the hash of their token. A person has at most one. */
export interface LinkStore {
  /** Stores a link, which replaces the person's previous one. */
  put(
    personId: PersonId,
    link: { readonly tokenHash: Uint8Array; readonly expiresAtMs: UnixMs },
  ): Promise<void>;
  /** The link with this token, also an expired one; null when there is none. */
  find(tokenHash: Uint8Array): Promise<StoredLink | null>;
  /** Deletes the link. False when there is none, for example because a concurrent call has deleted it. */
  deleteByToken(tokenHash: Uint8Array): Promise<boolean>;
  remove(personId: PersonId): Promise<void>;
}

export function createLinkStore(database: Queryable): LinkStore {
  return {
    async put(id, { tokenHash, expiresAtMs }) {
      await database.query(
        `insert into sign_in_links (person_id, token_hash, expires_at_ms) values ($1, $2, $3)
         on conflict (person_id) do update
         set token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
        [id, tokenHash, expiresAtMs],
      );
    },
    async find(tokenHash) {
      const [row] = await database.query<PersonRow & { readonly expires_at_ms: string }>(
        `select ${PERSON_COLUMNS}, l.expires_at_ms
         from sign_in_links l join people p using (person_id) where l.token_hash = $1`,
        [tokenHash],
      );
      if (row === undefined) return null;
      return { person: personOf(row), expiresAtMs: unixMs(Number(row.expires_at_ms)) };
    },
    async deleteByToken(tokenHash) {
      const text = "delete from sign_in_links where token_hash = $1 returning person_id";
      return (await database.query(text, [tokenHash])).length > 0;
    },
    async remove(id) {
      await database.query("delete from sign_in_links where person_id = $1", [id]);
    },
  };
}
