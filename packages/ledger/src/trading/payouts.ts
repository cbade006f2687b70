import type { Act } from "@propgate/base";
import { type AccountId, accountId } from "@propgate/core";
import type {
  AccountPayout,
  PayoutStore,
  UnpaidPosition,
  UnpaidStatus,
} from "../storage/stores/payout-store.ts";
import type { Accounts, Change, PayoutToRecord } from "./accounts.ts";

export interface UnpaidPage {
  readonly items: readonly AccountPayout[];
  /** Where the next page starts; null on the last one. */
  readonly next: UnpaidPosition | null;
}

/** Lets an operator find unpaid payouts and record the progress of their payment. */
export interface PayoutDesk {
  /** Null when no payout has the id. */
  find(id: string): Promise<AccountPayout | null>;
  /** Unpaid payouts of all accounts, oldest first; with `status` null, of every status. */
  list(page: {
    readonly status: UnpaidStatus | null;
    readonly after: UnpaidPosition | null;
    readonly limit: number;
  }): Promise<UnpaidPage>;
  /** Null when the payout does not exist. Refused with `payoutSettled` when it is paid already. */
  record(id: string, record: Omit<PayoutToRecord, "payoutId">, act?: Act | null): Promise<Change>;
}

/** A payout's id contains the id of its account. */
const PAYOUT_ID = /^po_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_\d{1,16}$/;

/** @rule D7.payment */
export function createPayoutDesk(options: {
  readonly store: PayoutStore;
  readonly accounts: Pick<Accounts, "recordPayout">;
}): PayoutDesk {
  const { store, accounts } = options;
  const find: PayoutDesk["find"] = async (id) => {
    const owner = payoutAccount(id);
    return owner === null ? null : store.find(owner, id);
  };
  return {
    find,
    async list({ limit, ...page }) {
      const found = await store.unpaid({ ...page, limit: limit + 1 });
      const items = found.slice(0, limit);
      return { items, next: found.length > limit ? positionOf(items.at(-1)) : null };
    },
    async record(id, record, act = null) {
      const found = await find(id);
      if (found === null) return null;
      const { accountId: account, payout, restored } = found;
      const change = await accounts.recordPayout(
        account,
        { ...record, payoutId: payout.id },
        { act },
      );
      if (change?.ok === true && restored) await store.recorded(account, payout.id);
      return change;
    },
  };
}

/** The account in a payout's id; null for another text. */
export function payoutAccount(id: string): AccountId | null {
  const account = PAYOUT_ID.exec(id)?.[1];
  return account === undefined ? null : accountId(account);
}

function positionOf(last: AccountPayout | undefined): UnpaidPosition | null {
  return last === undefined ? null : { periodEndMs: last.payout.periodEndMs, id: last.payout.id };
}
