import { type AccountId, accountId, type OwnerId, ownerId } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** The external ids of accounts and the names of their owners, from the first database. No journal has them. */
export interface AccountNameStore {
  /**
   * The external ids of these accounts, or of all accounts when `accounts` is null. Accounts without an external id are
   * missing.
   */
  externalIds(accounts: readonly AccountId[] | null): Promise<ReadonlyMap<AccountId, string>>;
  /**
   * The name of the oldest person of each of these owners, or of every owner when `owners` is null. Owners without a
   * person are missing.
   */
  ownerNames(owners: readonly OwnerId[] | null): Promise<ReadonlyMap<OwnerId, string>>;
}

export function createAccountNameStore(database: Queryable): AccountNameStore {
  return {
    async externalIds(accounts) {
      const rows = await database.query<{
        readonly account_id: string;
        readonly external_id: string;
      }>(
        `select account_id, external_id from external_ids
         where $1::uuid[] is null or account_id = any ($1)`,
        [accounts],
      );
      return new Map(rows.map((row) => [accountId(row.account_id), row.external_id]));
    },
    async ownerNames(owners) {
      const rows = await database.query<{ readonly owner_id: string; readonly name: string }>(
        `select distinct on (owner_id) owner_id, name from people
         where owner_id is not null and ($1::text[] is null or owner_id = any ($1))
         order by owner_id, created_at_ms, person_id`,
        [owners],
      );
      return new Map(rows.map((row) => [ownerId(row.owner_id), row.name]));
    },
  };
}
