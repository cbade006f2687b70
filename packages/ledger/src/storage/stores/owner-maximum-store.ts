import { type OwnerId, ownerId } from "@propgate/core";
import type { Database, Queryable } from "../databases/database.ts";

/** The maximum numbers of accounts that are set for owners and by programs, in the first database. */
export interface OwnerMaximumStore {
  /** The maximums of these owners. An owner without a maximum of their own is missing. */
  ofOwners(owners: readonly OwnerId[]): Promise<ReadonlyMap<OwnerId, number>>;
  /** The maximum that this version of the program sets; null when it sets none. */
  ofProgram(id: string, version: number): Promise<number | null>;
  /** Sets the owner's own maximum. Null removes it. */
  set(owner: OwnerId, max: number | null): Promise<void>;
}

export function createOwnerMaximumStore(database: Queryable): OwnerMaximumStore {
  return {
    async ofOwners(owners) {
      const rows = await database.query<{ owner_id: string; accounts_max: number }>(
        "select owner_id, accounts_max from owner_maxima where owner_id = any ($1)",
        [owners],
      );
      return new Map(rows.map((row) => [ownerId(row.owner_id), row.accounts_max]));
    },
    async ofProgram(id, version) {
      const [row] = await database.query<{ readonly max: number | null }>(
        `select (document::json ->> 'accountsPerOwner')::int as max from programs
         where id = $1 and version = $2`,
        [id, version],
      );
      return row?.max ?? null;
    },
    async set(owner, max) {
      if (max === null) {
        await database.query("delete from owner_maxima where owner_id = $1", [owner]);
        return;
      }
      await database.query(
        `insert into owner_maxima (owner_id, accounts_max) values ($1, $2)
         on conflict (owner_id) do update set accounts_max = excluded.accounts_max`,
        [owner, max],
      );
    },
  };
}

/** The advisory lock of openings: an arbitrary number that no other lock uses, the same on every node. */
const OPENING_LOCK = 7_720_041;
const OPENING_MS = 30_000;

/**
 * Does the work alone: no other call of this function, in any process, does its work on this database at the same time.
 */
export function withOpeningLock<Value>(
  database: Database,
  work: () => Promise<Value>,
): Promise<Value> {
  return database.transaction(
    async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${OPENING_LOCK})`, []);
      return work();
    },
    { idleMs: OPENING_MS },
  );
}
