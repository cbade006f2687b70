import {
  type AccountId,
  accountId,
  type MicroUsd,
  microUsd,
  type Payout,
  type UnixMs,
} from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** A payout with the account that earned it. */
export interface AccountPayout {
  readonly accountId: AccountId;
  readonly payout: Payout;
  /** True when a restore left the payout unpaid and it was not recorded as paid since. @rule D13.restoredPayouts */
  readonly restored: boolean;
}

/** The number and the sum of payouts that are not paid. */
export interface UnpaidPayouts {
  readonly count: number;
  readonly amount: MicroUsd;
}

/** The payouts of a database's accounts. */
export interface PayoutStore {
  /**
   * The first `limit` payouts of an account after `after`, newest first. Only payouts from journal lines up to
   * `version` are included, so that they agree with the state of that version.
   */
  page(
    account: { readonly accountId: AccountId; readonly version: number },
    page: {
      readonly after: { readonly periodStartMs: UnixMs; readonly id: string } | null;
      readonly limit: number;
    },
  ): Promise<readonly Payout[]>;
  find(account: AccountId, id: string): Promise<AccountPayout | null>;
  /** Counts and sums the unpaid payouts of all accounts of this database. */
  unpaid(): Promise<UnpaidPayouts>;
}

interface PayoutRow {
  readonly account_id: string;
  readonly payout: string;
}

interface MarkedRow extends PayoutRow {
  readonly restored: boolean;
}

/**
 * SQL that is true for a payout `p` that a restore left unpaid. Until it is recorded as paid, it may have been paid
 * after the backup. @rule D13.restoredPayouts decides
 */
export const IS_RESTORED_SQL = `(p.status <> 'paid' and exists (
  select from restored_payouts r where r.account_id = p.account_id and r.payout_id = p.payout_id))`;

export function createPayoutStore(database: Queryable): PayoutStore {
  return {
    async page({ accountId: account, version }, { after, limit }) {
      const rows = await database.query<PayoutRow>(
        `select account_id, payout from payouts
         where account_id = $1 and seq <= $2
           and ($3::bigint is null or (period_start_ms, payout_id) < ($3, $4))
         order by period_start_ms desc, payout_id desc limit $5`,
        [account, version, after?.periodStartMs ?? null, after?.id ?? null, limit],
      );
      return rows.map(({ payout }) => parsePayout(payout));
    },
    async find(account, id) {
      const rows = await database.query<MarkedRow>(
        `select p.account_id, p.payout, ${IS_RESTORED_SQL} as restored from payouts p
         where p.account_id = $1 and p.payout_id = $2`,
        [account, id],
      );
      return rows.map(accountPayout)[0] ?? null;
    },
    async unpaid() {
      const [row] = await database.query<{ readonly count: number; readonly amount: string }>(
        `select count(*)::int as count, coalesce(sum((payout::json ->> 'amount')::bigint), 0) as amount
         from payouts where status <> 'paid'`,
        [],
      );
      return { count: row?.count ?? 0, amount: microUsd(Number(row?.amount ?? 0)) };
    },
  };
}

function accountPayout({ account_id, payout, restored }: MarkedRow): AccountPayout {
  return { accountId: accountId(account_id), payout: parsePayout(payout), restored };
}

/** Only the executor and a rebuild write this column, always from a `Payout`. */
function parsePayout(text: string): Payout {
  return JSON.parse(text) as Payout;
}
