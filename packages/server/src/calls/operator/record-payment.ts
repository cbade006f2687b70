import type { Act } from "@propgate/base";
import type { AccountPayout, PayoutDesk } from "@propgate/ledger";
import { describeRefusal } from "./describe-refusal.ts";

export type PaymentRecord = Parameters<PayoutDesk["record"]>[1];

/** Records a payment and returns the payout; `missing` when the id is unknown. @rule D7.payment */
export async function recordPayment(
  payouts: Pick<PayoutDesk, "find" | "record">,
  { id, act = null }: { readonly id: string; readonly act?: Act | null },
  record: PaymentRecord,
): Promise<AccountPayout | "missing" | { readonly refused: string }> {
  const change = await payouts.record(id, record, act);
  if (change === null) return "missing";
  if (!change.ok) return { refused: describeRefusal(change.refusal) };
  return (await payouts.find(id)) ?? "missing";
}
