import type { RecordPayout } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { UnixMs } from "../units.ts";
import type { Payment } from "./payout.ts";

/**
 * Writes down how far a payment is. It may go back and forth until it is paid; that is final. An
 * account that has ended is still owed what its closed cycles earned.
 * @rule D7.payment
 */
export function recordPayout(draft: Draft, command: RecordPayout): Result<null, Refusal> {
  const { payoutId } = command;
  const payout = draft.state.unpaid.find(({ id }) => id === payoutId);
  if (payout === undefined) return refuse({ code: "payoutSettled", payoutId });
  const payment = recorded(payout.payment, command, draft.moment.now);
  draft.record({ type: "payoutRecorded", payout: { ...payout, payment } });
  return ok(null);
}

function recorded(before: Payment, command: RecordPayout, now: UnixMs): Payment {
  const { status } = command;
  return {
    status,
    rail: command.rail ?? before.rail,
    provider: command.provider ?? before.provider,
    reference: command.reference ?? before.reference,
    requestedAtMs: before.requestedAtMs ?? (status === "pending" ? null : now),
    paidAtMs: status === "paid" ? now : null,
  };
}
