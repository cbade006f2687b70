import { FOUND_MAX } from "@propgate/contract";
import { type AccountId, accountId, type OwnerId, ownerId } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

export interface FoundKey {
  readonly keyId: string;
  readonly accountId: AccountId;
  readonly label: string;
}

export interface FoundPayout {
  readonly payoutId: string;
  readonly accountId: AccountId;
}

export interface FoundAccount {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly status: string;
}

/** The rows that a search has found, at most `FOUND_MAX` of each kind. */
export interface SearchResult {
  readonly accounts: readonly FoundAccount[];
  readonly keys: readonly FoundKey[];
  readonly payouts: readonly FoundPayout[];
}

/**
 * Finds a few rows of each kind: accounts, keys and payouts by the beginning of their ids, accounts also by any part of
 * the owner's id or of their external id, and keys also by any part of the label. Upper and lower case count as equal,
 * except in key ids. The search scans whole tables, so only operators may call it.
 */
export interface SearchStore {
  find(text: string): Promise<SearchResult>;
}

const ACCOUNTS = `select account_id, owner_id, status from accounts
  where starts_with(account_id::text, lower($1)) or position(lower($1) in lower(owner_id)) > 0
    or account_id in (select account_id from external_ids where position(lower($1) in lower(external_id)) > 0)
  order by created_at_ms desc, account_id limit ${FOUND_MAX}`;
const KEYS = `select key_id, account_id, label from keys
  where starts_with(key_id, $1) or position(lower($1) in lower(label)) > 0
  order by created_at_ms desc, key_id limit ${FOUND_MAX}`;
const PAYOUTS = `select payout_id, account_id from payouts
  where starts_with(payout_id, lower($1)) order by period_end_ms desc, payout_id limit ${FOUND_MAX}`;

interface OwnedRow {
  readonly account_id: string;
}

export function createSearchStore(database: Queryable): SearchStore {
  return {
    async find(text) {
      const accounts = await database.query<OwnedRow & { owner_id: string; status: string }>(
        ACCOUNTS,
        [text],
      );
      const keys = await database.query<OwnedRow & { key_id: string; label: string }>(KEYS, [text]);
      const payouts = await database.query<OwnedRow & { payout_id: string }>(PAYOUTS, [text]);
      return {
        accounts: accounts.map(({ account_id, owner_id, status }) => ({
          accountId: accountId(account_id),
          ownerId: ownerId(owner_id),
          status,
        })),
        keys: keys.map(({ account_id, key_id, label }) => ({
          keyId: key_id,
          label,
          accountId: accountId(account_id),
        })),
        payouts: payouts.map(({ account_id, payout_id }) => ({
          payoutId: payout_id,
          accountId: accountId(account_id),
        })),
      };
    },
  };
}
