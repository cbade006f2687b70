import type { AccrualItem, CycleView, Linked, PayoutItem } from "@propgate/contract";
import { sumUsd } from "../../format/exact.ts";
import { payableUsd } from "./cycle-formula.ts";

/** A closed week with its payment. The payment is null when the week has no payout. */
export interface PayoutWeek {
  readonly cycle: CycleView;
  readonly payout: PayoutItem<Linked> | null;
}

/**
 * Closed weeks with their payments, newest first. While older payments are not loaded, the weeks before the oldest
 * loaded payment are left out, because their payment is unknown.
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

/** Totals of closed weeks in USD. A total is null when it is unknown. */
export interface PayoutTotals {
  /** The payouts of all closed weeks. */
  readonly earned: number;
  /** The part of `earned` that is not paid yet. */
  readonly unpaid: number | null;
  readonly paid: number | null;
}

/** The totals. `paid` is `earned` minus `unpaid`, so that the three figures always agree. */
export function payoutTotals(
  cycles: readonly CycleView[],
  accrual: AccrualItem<Linked> | null,
): PayoutTotals {
  const earned = sumUsd(cycles.map(payableUsd));
  const unpaid = accrual?.priorUnpaidAmount ?? null;
  return { earned, unpaid, paid: unpaid === null ? null : sumUsd([earned, -unpaid]) };
}
