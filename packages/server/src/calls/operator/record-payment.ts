import type { Act } from "@propgate/base";
import { dollars, isAmountPaid, type Payout, type Refusal } from "@propgate/core";
import type { AccountPayout, PayoutDesk } from "@propgate/ledger";
import { describeRefusal } from "./describe-refusal.ts";

export type PaymentRecord = Parameters<PayoutDesk["record"]>[1];

/** Why a payment was not recorded; with the field whose value is wrong. */
export interface RefusedPayment {
  readonly refused: string;
  readonly field: keyof PaymentRecord | null;
}

/** The refusal that a record of this payout would get now; null when it would act. */
export function paymentRefusal(
  { id: payoutId, amount, payment }: Payout,
  { paidAmount }: PaymentRecord,
): RefusedPayment | null {
  if (payment.status === "paid") return refusedPayment({ code: "payoutSettled", payoutId });
  const isRight = paidAmount === null || isAmountPaid(amount, paidAmount);
  return isRight ? null : refusedPayment({ code: "paidAmountDiffers", amount });
}

function refusedPayment(refusal: Refusal): RefusedPayment {
  if (refusal.code !== "paidAmountDiffers") {
    return { refused: describeRefusal(refusal), field: null };
  }
  const refused = `paidAmount: must be at most a cent from ${dollars(refusal.amount)}`;
  return { refused, field: "paidAmount" };
}

/** Records a payment and returns the payout; `missing` when the id is unknown. @rule D7.payment */
export async function recordPayment(
  payouts: Pick<PayoutDesk, "find" | "record">,
  { id, act = null }: { readonly id: string; readonly act?: Act | null },
  record: PaymentRecord,
): Promise<AccountPayout | "missing" | RefusedPayment> {
  const change = await payouts.record(id, record, act);
  if (change === null) return "missing";
  if (!change.ok) return refusedPayment(change.refusal);
  return (await payouts.find(id)) ?? "missing";
}
