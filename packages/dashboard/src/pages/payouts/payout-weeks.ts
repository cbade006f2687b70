import type { AccrualItem, CycleView, Linked, PayoutItem } from "@propgate/contract";
import { sumUsd } from "../../format/exact.ts";
import { payable } from "./cycle-formula.ts";

/** A closed week with its payment; the payment is null when the week pays nothing. */
export interface PayoutWeek {
  readonly cycle: CycleView;
  readonly payout: PayoutItem<Linked> | null;
}

/**
 * Closed weeks with their payments, newest first. While older payments are not loaded, weeks before
 * the oldest loaded one are left out, because their payment is unknown.
 */
export function payoutWeeks(
  cycles: readonly CycleView[],
  payouts: readonly PayoutItem<Linked>[],
  hasMore: boolean,
): readonly PayoutWeek[] {
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  const oldest = Math.min(...payouts.map(({ periodStartMs }) => periodStartMs));
  return cycles
    .filter(({ periodStartMs }) => !hasMore || periodStartMs >= oldest)
    .map((cycle) => ({ cycle, payout: byId.get(cycle.payoutId ?? "") ?? null }))
    .toSorted((one, other) => other.cycle.periodStartMs - one.cycle.periodStartMs);
}

/** USD; null when unknown. */
export interface PayoutTotals {
  /** Total of all closed weeks. */
  readonly earned: number;
  /** The unpaid part of `earned`. */
  readonly unpaid: number | null;
  readonly paid: number | null;
}

/** Paid = earned − owed, so the three figures always agree. */
export function payoutTotals(
  cycles: readonly CycleView[],
  accrual: AccrualItem<Linked> | null,
): PayoutTotals {
  const earned = sumUsd(cycles.map(payable));
  const unpaid = accrual?.priorUnpaidAmount ?? null;
  return { earned, unpaid, paid: unpaid === null ? null : sumUsd([earned, -unpaid]) };
}
