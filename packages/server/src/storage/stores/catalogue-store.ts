import type { Queryable } from "../databases/database.ts";

/** The instruments of decisions, by their hash. A stored catalogue never changes. */
export interface CatalogueStore {
  /** Inserts the catalogue unless its hash is stored. Durable when it resolves. */
  keep(catalogue: StoredCatalogue): Promise<void>;
  list(): Promise<readonly StoredCatalogue[]>;
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
    list: () => database.query<StoredCatalogue>("select hash, body from catalogues order by hash"),
  };
}
