import type { Database, Queryable } from "../databases/database.ts";
import { createSettingStore } from "./setting-store.ts";

/** The catalogues with which decisions were made, by their hash. A stored catalogue never changes. */
export interface CatalogueStore {
  /** Inserts the catalogue unless its hash is stored. It is durable when the promise resolves. */
  insertIfMissing(catalogue: StoredCatalogue): Promise<void>;
  /** The body of the catalogue with that hash; null when it is not stored. */
  find(hash: string): Promise<string | null>;
  /** The body of the catalogue of the last start; null before the first start. */
  findLastStarted(): Promise<string | null>;
}

export interface StoredCatalogue {
  /** The hash of `body`, by which the inputs of decisions name the catalogue. */
  readonly hash: string;
  /** The text that was hashed: JSON, a list of instruments. */
  readonly body: string;
}

const LAST_START_SETTING = "catalogue.hash";
/** The setting with the hash of the catalogue with which the stored due times were last computed. */
const DUE_TIMES_SETTING = "catalogue.dueTimesHash";
/** The advisory lock under which one starting node at a time replaces the catalogue. */
const START_LOCK = 7_720_037;

export function createCatalogueStore(database: Queryable): CatalogueStore {
  const find: CatalogueStore["find"] = async (hash) => {
    const rows = await database.query<{ readonly body: string }>(
      "select body from catalogues where hash = $1",
      [hash],
    );
    return rows[0]?.body ?? null;
  };
  return {
    find,
    async findLastStarted() {
      const hash = await createSettingStore(database).get(LAST_START_SETTING);
      return hash === null ? null : find(hash);
    },
    async insertIfMissing({ hash, body }) {
      await database.query(
        "insert into catalogues (hash, body) values ($1, $2) on conflict do nothing",
        [hash, body],
      );
    },
  };
}

/**
 * Replaces the catalogue of the last start by the one that `make` returns, atomically over all nodes. `make` can take
 * seconds on a loaded machine, so no transaction is open meanwhile. When another node has replaced the catalogue in
 * that time, `make` is called again.
 */
export async function replaceStartCatalogue(
  database: Database,
  make: (before: string | null) => StoredCatalogue,
): Promise<void> {
  for (;;) {
    const before = await createSettingStore(database).get(LAST_START_SETTING);
    const body = before === null ? null : await createCatalogueStore(database).find(before);
    const catalogue = make(body);
    const isTaken = await database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${START_LOCK})`, []);
      const settings = createSettingStore(transaction);
      if ((await settings.get(LAST_START_SETTING)) !== before) return false;
      await createCatalogueStore(transaction).insertIfMissing(catalogue);
      await settings.set(LAST_START_SETTING, catalogue.hash);
      return true;
    });
    if (isTaken) return;
  }
}

/** False when the last start ended before it had computed the due times with its catalogue. */
export async function hasDueTimesOfLastStart(database: Queryable): Promise<boolean> {
  const settings = createSettingStore(database);
  return (await settings.get(DUE_TIMES_SETTING)) === (await settings.get(LAST_START_SETTING));
}

/** Records that the stored due times were computed with the catalogue of that hash. */
export async function noteDueTimes(database: Queryable, hash: string): Promise<void> {
  const settings = createSettingStore(database);
  if ((await settings.get(DUE_TIMES_SETTING)) !== hash) await settings.set(DUE_TIMES_SETTING, hash);
}
