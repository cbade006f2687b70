import { type AccountId, accountId } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { type ExternalId, externalId } from "../rows/external-id.ts";
import { type PerShard, shardOf } from "../shards/per-shard.ts";

/**
 * The result of claiming an external id for an account. `claimed`: the account has it. `taken`: another account has it.
 * `named`: the account has another external id.
 */
export type ExternalIdClaim =
  | { readonly is: "claimed" }
  | { readonly is: "taken"; readonly by: AccountId }
  | { readonly is: "named"; readonly as: ExternalId };

/** The external ids of accounts. An id that was given belongs to its account for ever. @rule D13.externalIds */
export interface ExternalIds {
  /**
   * Gives the account that id, atomically over all nodes and databases. Returns `claimed` also when the account already
   * has the id. The account may be one that is opened afterwards, so that its first event has the id.
   */
  claim(id: ExternalId, account: AccountId): Promise<ExternalIdClaim>;
  /** The account that has the id, or will have it when it is opened; null when there is none. */
  holder(id: ExternalId): Promise<AccountId | null>;
}

/**
 * The SQL expression of an account's external id, null when it has none. `account` is the SQL expression of the
 * account's id.
 */
export function externalIdSql(account: string): string {
  return `(select x.external_id from external_ids x where x.account_id = ${account})`;
}

/**
 * The first database has the external ids of all accounts. Every other database has the external ids of its own
 * accounts, because its lists of accounts read them.
 */
export function createExternalIds(databases: PerShard<Queryable>): ExternalIds {
  return {
    async holder(id) {
      const [row] = await databases[0].query<{ readonly account_id: string }>(
        "select account_id from external_ids where external_id = $1",
        [id],
      );
      return row === undefined ? null : accountId(row.account_id);
    },
    async claim(id, account) {
      const claimed = await claim(databases[0], id, account);
      const own = shardOf(databases, account);
      return claimed.is === "claimed" && own !== databases[0] ? claim(own, id, account) : claimed;
    },
  };
}

/**
 * Gives the id to the account for ever, unless another account has the id or the account has another id.
 * @rule D13.externalIds decides
 */
async function claim(
  database: Queryable,
  id: ExternalId,
  account: AccountId,
): Promise<ExternalIdClaim> {
  await database.query(
    "insert into external_ids (external_id, account_id) values ($1, $2) on conflict do nothing",
    [id, account],
  );
  const rows = await database.query<{ readonly external_id: string; readonly account_id: string }>(
    "select external_id, account_id from external_ids where external_id = $1 or account_id = $2",
    [id, account],
  );
  const holder = rows.find((row) => row.external_id === id);
  const named = rows.find((row) => row.account_id === account);
  if (holder === undefined) return { is: "named", as: externalId(named?.external_id ?? "") };
  if (holder.account_id === account) return { is: "claimed" };
  return { is: "taken", by: accountId(holder.account_id) };
}
