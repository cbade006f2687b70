import type { AccountId } from "@propgate/core";
import type { Database } from "../databases/database.ts";
import { createOwnerShards, type OwnerShards } from "./owner-shards.ts";
import { type PerShard, shardOf } from "./per-shard.ts";

/**
 * The databases of one installation. The first has people, sessions, settings, programs and prices. All of them have
 * accounts, each account with its keys and its whole history on one database, so nothing spans two of them.
 */
export interface Shards {
  readonly first: Database;
  readonly all: PerShard<Database>;
  /** The database of the account. */
  of(account: AccountId): Database;
  readonly ownerShards: OwnerShards;
  close(): Promise<void>;
}

export function shardsOf(all: PerShard<Database>): Shards {
  return {
    first: all[0],
    all,
    of: (account) => shardOf(all, account),
    ownerShards: createOwnerShards(all),
    async close() {
      await Promise.all(all.map((database) => database.close()));
    },
  };
}
