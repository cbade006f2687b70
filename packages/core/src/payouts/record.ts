import { ok, type Result, refuse } from "../result.ts";
import type { RecordPayout } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Payment } from "../state/payout.ts";
import type { Refusal } from "../state/refusal.ts";
import type { MicroUsd, UnixMs } from "../units.ts";

/**
 * Records the state of a payment. The state may change in any direction until it is `paid`, which is final. An account
 * that has ended still receives the payouts of its closed cycles. Refused when the account has no unpaid payout with
 * this id, and when the paid amount is not that of the payout. @rule D7.payment decides
 */
export function recordPayout(draft: Draft, command: RecordPayout): Result<null, Refusal> {
  const { payoutId } = command;
  const payout = draft.state.unpaid.find(({ id }) => id === payoutId);
  if (payout === undefined) return refuse({ code: "payoutSettled", payoutId });
  const { paidAmount } = command;
  if (paidAmount !== null && !matchesExactAmount(payout.amount, paidAmount)) {
    return refuse({ code: "paidAmountDiffers", amount: payout.amount });
  }
  const payment = paymentAfter(payout.payment, command, draft.moment.now);
  draft.record({ type: "payoutRecorded", payout: { ...payout, payment } });
  return ok(null);
}

const CENT = 10_000;

/**
 * Whether `paidAmount` can be the payment of the exact amount. Payments have whole cents, so it may differ by at most
 * one cent. @rule D7.paidAmount decides
 */
export function matchesExactAmount(amount: MicroUsd, paidAmount: MicroUsd): boolean {
  return Math.abs(paidAmount - amount) <= CENT;
}

function paymentAfter(before: Payment, command: RecordPayout, now: UnixMs): Payment {
  const { status } = command;
  return {
    status,
    rail: command.rail ?? before.rail,
    provider: command.provider ?? before.provider,
    reference: command.reference ?? before.reference,
    requestedAtMs: before.requestedAtMs ?? (status === "pending" ? null : now),
    paidAtMs: status === "paid" ? now : null,
    // Sums add up the paid amounts, so a payment that was not made has none. @rule D7.paidAmount
    paidAmount: status === "paid" ? command.paidAmount : null,
  };
}
