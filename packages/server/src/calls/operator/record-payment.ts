import type { RepeatableCall } from "@propgate/base";
import { dollars, matchesExactAmount, type Payout, type Refusal } from "@propgate/core";
import type { AccountPayout, PayoutDesk } from "@propgate/ledger";
import { describeRefusal } from "./describe-refusal.ts";

/** The new state of a payout's payment, as the operator records it. */
export type PaymentRecord = Parameters<PayoutDesk["record"]>[1];

/** The reason why a payment was not recorded, and the field whose value is wrong. */
export interface RefusedPayment {
  readonly refused: string;
  readonly field: keyof PaymentRecord | null;
}

/** The refusal that a record of this payment would get at present; null when the payment would be recorded. */
export function paymentRefusal(
  { id: payoutId, amount, payment }: Payout,
  { paidAmount }: PaymentRecord,
): RefusedPayment | null {
  if (payment.status === "paid") return refusedPayment({ code: "payoutSettled", payoutId });
  const isRight = paidAmount === null || matchesExactAmount(amount, paidAmount);
  return isRight ? null : refusedPayment({ code: "paidAmountDiffers", amount });
}

function refusedPayment(refusal: Refusal): RefusedPayment {
  if (refusal.code !== "paidAmountDiffers") {
    return { refused: describeRefusal(refusal), field: null };
  }
  const refused = `paidAmount: must be at most a cent from ${dollars(refusal.amount)}`;
  return { refused, field: "paidAmount" };
}

/** Records a payment and returns the payout; `missing` when no stored payout has the id. @rule D7.payment */
export async function recordPayment(
  payouts: Pick<PayoutDesk, "find" | "record">,
  { id, act = null }: { readonly id: string; readonly act?: RepeatableCall | null },
  record: PaymentRecord,
): Promise<AccountPayout | "missing" | RefusedPayment> {
  const change = await payouts.record(id, record, act);
  if (change === null) return "missing";
  if (!change.ok) return refusedPayment(change.refusal);
  return (await payouts.find(id)) ?? "missing";
}
