import type { PayoutDesk } from "../network/payouts.ts";
import type { AccountPayout } from "../storage/stores/payout-store.ts";
import { describeRefusal } from "./describe-refusal.ts";

export type PaymentRecord = Parameters<PayoutDesk["record"]>[1];

/** The payout as it then is; `missing`: there is none with this id. @rule D7.payment */
export async function recordPayment(
  payouts: Pick<PayoutDesk, "find" | "record">,
  id: string,
  record: PaymentRecord,
): Promise<AccountPayout | "missing" | { readonly refused: string }> {
  const change = await payouts.record(id, record);
  if (change === null) return "missing";
  if (!change.ok) return { refused: describeRefusal(change.refusal) };
  return (await payouts.find(id)) ?? "missing";
}
