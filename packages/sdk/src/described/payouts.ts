// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A closed payout cycle that paid something. */
export interface PayoutItem<Unsent extends Linked = never> {
  /** The payout's id; it never changes. */
  readonly id: string;
  /** Monday 00:00 UTC; the first cycle starts when earning began. */
  readonly periodStartMs: number;
  /** The next Monday 00:00 UTC. */
  readonly periodEndMs: number;
  /** The trader's share after the split, including held shares of earlier weeks, USD. */
  readonly amount: number;
  /** `USD`. */
  readonly currency: string;
  /** Percent label, `80%`; may exceed 100%. */
  readonly profitSplit: string;
  /** The same as a plain percent. */
  readonly profitSplitPercent: number;
  /** Status of the payment. */
  readonly status: "pending" | "processing" | "paid" | "failed" | Unsent;
  /** How it is paid, such as `manual` or `onchain`. */
  readonly rail: string | Unsent;
  /** The payment provider, such as `manual` or `base-usdc`. */
  readonly provider: string | Unsent;
  /** The payer's own number for the payment; null without one. */
  readonly reference: string | null;
  /** Always null here. */
  readonly alphaAmount: number | null;
  /** Always null here. */
  readonly alphaDestination: string | null;
  /** When the payment was requested; null before. */
  readonly requestedAtMs: number | null;
  /** When it was paid; null before. */
  readonly paidAtMs: number | null;
  /** The amount that was paid, USD in whole cents; null when none was recorded. */
  readonly paidAmount: number | null;
  /** When the cycle closed. */
  readonly createdAtMs: number;
}

/**
 * Live estimate for the cycle in progress; null after page one, and while the account cannot be
 * read.
 */
export interface AccrualItem<Unsent extends Linked = never> {
  /** Payout if the cycle closed now, USD; null unless `accrualStatus` is `ok`. */
  readonly estimatedAmount: number | null;
  /** Start of the cycle in progress; null while the account earns nothing. */
  readonly windowStartMs: number | null;
  /** Time of the estimate. */
  readonly asOfMs: number;
  /** Amount of closed cycles that are not paid, USD. */
  readonly priorUnpaidAmount: number | Unsent;
  /** Start of the oldest unpaid cycle; null when all are paid. */
  readonly earliestUnpaidPeriodStartMs: number | null;
  /** Amount that soft-breach weeks withhold, USD; null when nothing is withheld. */
  readonly deferredBalance: number | null;
}

/** A page of payout cycles. */
export interface Payouts<Unsent extends Linked = never> {
  /** Closed cycles, newest first; zero and held weeks are not listed. */
  readonly items: readonly PayoutItem<Unsent>[];
  /** Pass it back as `cursor`; null on the last page. */
  readonly nextCursor: string | null;
  /** State of `accrual`. */
  readonly accrualStatus: "ok" | "not_applicable" | "unavailable" | "omitted";
  /**
   * Live estimate for the cycle in progress; null after page one, and while the account cannot be
   * read.
   */
  readonly accrual: AccrualItem<Unsent> | null;
}
