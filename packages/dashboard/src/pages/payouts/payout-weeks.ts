import type { AccrualItem, CycleView, PayoutItem } from "@propgate/contract";
import { sumUsd } from "../../format/exact.ts";
import { payable } from "./cycle-formula.ts";

/** A closed week with what became of its payment; null: it pays nothing. */
export interface PayoutWeek {
  readonly cycle: CycleView;
  readonly payout: PayoutItem | null;
}

/**
 * Closed weeks with their payments, newest first. While older payments are still to be loaded, weeks
 * before the oldest one that is there are left out: their payment is not known yet.
 */
export function payoutWeeks(
  cycles: readonly CycleView[],
  payouts: readonly PayoutItem[],
  hasMore: boolean,
): readonly PayoutWeek[] {
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  const oldest = Math.min(...payouts.map(({ periodStartMs }) => periodStartMs));
  return cycles
    .filter(({ periodStartMs }) => !hasMore || periodStartMs >= oldest)
    .map((cycle) => ({ cycle, payout: byId.get(cycle.payoutId ?? "") ?? null }))
    .toSorted((one, other) => other.cycle.periodStartMs - one.cycle.periodStartMs);
}

/** USD; null: unknown. */
export interface PayoutTotals {
  /** Of all closed weeks together. */
  readonly earned: number;
  /** Of it not yet paid. */
  readonly unpaid: number | null;
  readonly paid: number | null;
}

/** What was paid is what was earned less what is owed: the three always agree. */
export function payoutTotals(
  cycles: readonly CycleView[],
  accrual: AccrualItem | null,
): PayoutTotals {
  const earned = sumUsd(cycles.map(payable));
  const unpaid = accrual?.priorUnpaidAmount ?? null;
  return { earned, unpaid, paid: unpaid === null ? null : sumUsd([earned, -unpaid]) };
}
