import type { RepeatableCall } from "@propgate/base";
import { type AccountId, accountId } from "@propgate/core";
import type { AccountPayout, PayoutStore } from "../storage/stores/payout-store.ts";
import type { AccountOperations, ChangeResult, PayoutToRecord } from "./account-operations.ts";

/** Finds a payout for an operator, and records the progress of its payment. */
export interface PayoutDesk {
  /** The payout; null when none has the id. */
  find(id: string): Promise<AccountPayout | null>;
  /**
   * Records the progress of the payout's payment; null when the payout does not exist. Refused with `payoutSettled`
   * when the payout is already paid, and with `paidAmountDiffers` when the paid amount is not that of the payout.
   */
  record(
    id: string,
    record: Omit<PayoutToRecord, "payoutId">,
    act?: RepeatableCall | null,
  ): Promise<ChangeResult>;
}

/** The form of a payout's id. The id contains the id of the payout's account. */
const PAYOUT_ID = /^po_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_\d{1,16}$/;

/** Creates the payout desk. @rule D7.payment */
export function createPayoutDesk(options: {
  readonly store: PayoutStore;
  readonly accounts: Pick<AccountOperations, "recordPayout">;
}): PayoutDesk {
  const { store, accounts } = options;
  const find: PayoutDesk["find"] = async (id) => {
    const owner = accountOfPayoutId(id);
    return owner === null ? null : store.find(owner, id);
  };
  return {
    find,
    async record(id, record, act = null) {
      const found = await find(id);
      if (found === null) return null;
      const payout = { ...record, payoutId: found.payout.id };
      return accounts.recordPayout(found.accountId, payout, { act });
    },
  };
}

/** The account in a payout's id; null when the text is not a payout's id. */
export function accountOfPayoutId(id: string): AccountId | null {
  const account = PAYOUT_ID.exec(id)?.[1];
  return account === undefined ? null : accountId(account);
}
