import type { Queryable } from "../databases/database.ts";

/** The instruments of decisions, by their hash. A stored catalogue never changes. */
export interface CatalogueStore {
  /** Inserts the catalogue unless its hash is stored. Durable when it resolves. */
  keep(catalogue: StoredCatalogue): Promise<void>;
  /** The body of the catalogue with that hash; null when it is not stored. */
  find(hash: string): Promise<string | null>;
}

export interface StoredCatalogue {
  /** As in the inputs of decisions. */
  readonly hash: string;
  /** The text that was hashed: JSON, a list of instruments. */
  readonly body: string;
}

export function createCatalogueStore(database: Queryable): CatalogueStore {
  return {
    async keep({ hash, body }) {
      await database.query(
        "insert into catalogues (hash, body) values ($1, $2) on conflict do nothing",
        [hash, body],
      );
    },
    async find(hash) {
      const rows = await database.query<{ readonly body: string }>(
        "select body from catalogues where hash = $1",
        [hash],
      );
      return rows[0]?.body ?? null;
    },
  };
}
