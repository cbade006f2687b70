import type { AccountId } from "@propgate/core";
import type { Database } from "../databases/database.ts";
import { limitStatements } from "../databases/few-connections.ts";
import { createOwnerShards, type OwnerShards } from "./owner-shards.ts";
import { type PerShard, perShard, shardOf } from "./per-shard.ts";

/** All databases of an installation. Each of them has accounts. */
export interface AccountDatabases {
  readonly all: PerShard<Database>;
  /** The database of the account. */
  databaseOf(account: AccountId): Database;
}

/** The number of connections that long reads may have of each database. The embedded database has only one. */
const LONG_READ_CONNECTIONS = { postgres: 3, pglite: 1 } as const;

/**
 * The databases of one installation. The first also has people, sessions, settings, programs and prices. Each account
 * is on one database with its keys and its whole history, so no transaction spans two databases.
 */
export interface Shards extends AccountDatabases {
  readonly first: Database;
  /**
   * The same databases for long reads. All long reads together have only a few connections of each.
   * @rule D13.readConnections
   */
  readonly longReads: AccountDatabases;
  readonly ownerShards: OwnerShards;
  close(): Promise<void>;
}

/** The databases, and each with the few connections that all long reads share. @rule D13.readConnections decides */
export function createShards(all: PerShard<Database>): Shards {
  const longReads = perShard(all, (one) => limitStatements(one, LONG_READ_CONNECTIONS[one.kind]));
  return {
    first: all[0],
    longReads: { all: longReads, databaseOf: (account) => shardOf(longReads, account) },
    all,
    databaseOf: (account) => shardOf(all, account),
    ownerShards: createOwnerShards(all),
    async close() {
      await Promise.all(all.map((database) => database.close()));
    },
  };
}
