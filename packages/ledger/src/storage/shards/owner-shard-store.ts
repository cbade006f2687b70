import type { OwnerId } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** The number of each owner's database. Owners whose accounts are older than the second database have no row. */
export interface OwnerShardStore {
  find(owner: OwnerId): Promise<number | null>;
  /** Stores the number if the owner has none, atomically over all nodes. Returns the owner's number. */
  put(owner: OwnerId, database: number): Promise<number>;
}

export function createOwnerShardStore(database: Queryable): OwnerShardStore {
  const find: OwnerShardStore["find"] = async (owner) => {
    const [row] = await database.query<{ readonly number: number }>(
      "select number::int as number from owner_databases where owner_id = $1",
      [owner],
    );
    return row?.number ?? null;
  };
  return {
    find,
    async put(owner, number) {
      await database.query(
        "insert into owner_databases (owner_id, number) values ($1, $2) on conflict do nothing",
        [owner, number],
      );
      return (await find(owner)) ?? number;
    },
  };
}
