import type { AccountId } from "@propgate/core";
import { createOwnerPlaces, type OwnerPlaces } from "../group/owner-places.ts";
import type { Database } from "./database.ts";
import { type PerDatabase, partOf } from "./per-database.ts";

/**
 * The databases of one installation. The first has people, sessions, settings, programs and prices. All of them have
 * accounts, each account with its keys and its whole history on one database, so nothing spans two of them.
 */
export interface DatabaseGroup {
  readonly first: Database;
  readonly all: PerDatabase<Database>;
  /** The database of the account. */
  of(account: AccountId): Database;
  readonly places: OwnerPlaces;
  close(): Promise<void>;
}

export function databaseGroup(all: PerDatabase<Database>): DatabaseGroup {
  return {
    first: all[0],
    all,
    of: (account) => partOf(all, account),
    places: createOwnerPlaces(all),
    async close() {
      await Promise.all(all.map((database) => database.close()));
    },
  };
}
