import type { Chance } from "@propgate/base";
import type { AccountId, OwnerId } from "@propgate/core";
import type { Database } from "../databases/database.ts";
import { accountIdOnShard } from "../rows/shard-number.ts";
import { createOwnerShardStore } from "./owner-shard-store.ts";
import { type PerShard, perShard } from "./per-shard.ts";

/** Finds the database of each owner. All accounts of an owner are on one database. */
export interface OwnerShards {
  /** The number of the owner's database; 0 for an owner without a stored number. */
  shardNumberOfOwner(owner: OwnerId): Promise<number>;
  /** Draws the id of a new account on the owner's database. A new owner gets the database with the fewest accounts. */
  newAccountId(owner: OwnerId, chance: Chance): Promise<AccountId>;
}

/** The number of owners that get a database before this process counts the accounts of all databases again. */
const RECOUNT_AFTER = 1_000;
const CACHED_OWNERS_MAX = 100_000;

export function createOwnerShards(all: PerShard<Database>): OwnerShards {
  if (all.length === 1) {
    return {
      shardNumberOfOwner: async () => 0,
      newAccountId: async (_, chance) => accountIdOnShard(0, chance.uuid()),
    };
  }
  const store = createOwnerShardStore(all[0]);
  const kept = new Map<OwnerId, number>();
  const fewest = createShardChooser(all);

  const known = async (owner: OwnerId): Promise<number | null> => {
    const database = kept.get(owner) ?? (await store.find(owner));
    if (database === null) return null;
    if (database >= all.length)
      throw new Error(`there is no database ${database}, where an owner has accounts`);
    kept.set(owner, database);
    const [oldest] = kept.keys();
    if (kept.size > CACHED_OWNERS_MAX && oldest !== undefined) kept.delete(oldest);
    return database;
  };
  /** The number of a database that has accounts of an owner without a stored number; null when none has. */
  const found = async (owner: OwnerId): Promise<number | null> => {
    const hits = await Promise.all(all.map((database) => hasAccounts(database, owner)));
    const number = hits.indexOf(true);
    return number < 0 ? null : number;
  };
  const placed = async (owner: OwnerId): Promise<number> =>
    (await known(owner)) ?? store.put(owner, (await found(owner)) ?? (await fewest()));
  return {
    shardNumberOfOwner: async (owner) => (await known(owner)) ?? 0,
    newAccountId: async (owner, chance) => accountIdOnShard(await placed(owner), chance.uuid()),
  };
}

/** Chooses the database with the fewest accounts, the first of several equal ones, and adds one to its count. */
function createShardChooser(all: PerShard<Database>): () => Promise<number> {
  let counts: Promise<number[]> | null = null;
  let given = 0;
  return async () => {
    if (given % RECOUNT_AFTER === 0) counts = null;
    given += 1;
    counts ??= Promise.all(perShard(all, countAccounts));
    const underWay = counts;
    const known = await underWay.catch((cause: unknown) => {
      if (counts === underWay) counts = null;
      throw cause;
    });
    const number = known.indexOf(Math.min(...known));
    known[number] = (known[number] ?? 0) + 1;
    return number;
  };
}

async function hasAccounts(database: Database, owner: OwnerId): Promise<boolean> {
  const text = "select 1 from accounts where owner_id = $1 limit 1";
  return (await database.query(text, [owner])).length > 0;
}

async function countAccounts(database: Database): Promise<number> {
  const [row] = await database.query<{ readonly count: string }>(
    "select count(*) as count from accounts",
    [],
  );
  return Number(row?.count ?? 0);
}
