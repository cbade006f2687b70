// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A closed payout cycle with a payout. */
export interface PayoutItem<Unsent extends Linked = never> {
  /** The payout's id; it never changes. */
  readonly id: string;
  /**
   * Start of the payout cycle: Monday 00:00 UTC, or the time at which the account began to earn in
   * its phase.
   */
  readonly periodStartMs: number;
  /**
   * End of the payout cycle: the next Monday 00:00 UTC, or the earlier time at which the phase
   * ended or the account was closed.
   */
  readonly periodEndMs: number;
  /**
   * The trader's share after the profit split, including released shares of earlier held weeks,
   * USD.
   */
  readonly amount: number;
  /** Always `USD`. */
  readonly currency: string;
  /** The profit split as a percent for display, such as `80%`. It may exceed 100 %. */
  readonly profitSplit: string;
  /** `profitSplit` as a number: 80 is 80 %. */
  readonly profitSplitPercent: number;
  /** The status of the payment. */
  readonly status: "pending" | "processing" | "paid" | "failed" | Unsent;
  /** The payment rail, such as `manual` or `onchain`. */
  readonly rail: string | Unsent;
  /** The payment provider, such as `manual` or `base-usdc`. */
  readonly provider: string | Unsent;
  /** The payer's reference of the payment; null without one. */
  readonly reference: string | null;
  /** Always null. */
  readonly alphaAmount: number | null;
  /** Always null. */
  readonly alphaDestination: string | null;
  /** When the payment was requested; null before that. */
  readonly requestedAtMs: number | null;
  /** When the payment was made; null before that. */
  readonly paidAtMs: number | null;
  /** The amount that was paid, USD in whole cents; null when none was recorded. */
  readonly paidAmount: number | null;
  /** When the payout cycle was closed. */
  readonly createdAtMs: number;
}

/**
 * Live estimate for the cycle in progress. Null on every page after the first, and while the
 * account cannot be read.
 */
export interface AccrualItem<Unsent extends Linked = never> {
  /**
   * The payout if the cycle closed now, USD. Null unless `accrualStatus` is `ok`, and while the
   * cycle has no fill, no open position and nothing to release.
   */
  readonly estimatedAmount: number | null;
  /** Start of the cycle in progress; null while the account earns no payouts. */
  readonly windowStartMs: number | null;
  /** Time of the estimate. */
  readonly asOfMs: number;
  /** Sum of the payouts of closed cycles that are not paid yet, USD. */
  readonly priorUnpaidAmount: number | Unsent;
  /** Start of the oldest closed cycle whose payout is not paid; null when all are paid. */
  readonly earliestUnpaidPeriodStartMs: number | null;
  /** Sum of the shares that are held because of soft breaches, USD; null when none is held. */
  readonly deferredBalance: number | null;
}

/** A page of payout cycles. */
export interface Payouts<Unsent extends Linked = never> {
  /**
   * Closed cycles, newest first. Cycles without a payout are not listed: those without profit, and
   * held ones.
   */
  readonly items: readonly PayoutItem<Unsent>[];
  /** Pass it back as `cursor`; null on the last page. */
  readonly nextCursor: string | null;
  /**
   * `ok`: `accrual` has the estimate. `not_applicable`: the account earns no payouts now.
   * `unavailable`: the estimate cannot be made now, retry. `omitted`: every page after the first.
   */
  readonly accrualStatus: "ok" | "not_applicable" | "unavailable" | "omitted";
  /**
   * Live estimate for the cycle in progress. Null on every page after the first, and while the
   * account cannot be read.
   */
  readonly accrual: AccrualItem<Unsent> | null;
}
