// Made from the schemas of the contract by `npm run docs`.

/** A closed payout cycle that paid something. */
export interface PayoutItem {
  /** Never changes. */
  readonly id: string;
  /** Monday 00:00 UTC; the first cycle starts when earning began. */
  readonly periodStartMs: number;
  /** The Monday 00:00 UTC after it. */
  readonly periodEndMs: number;
  /** The trader's share after the split, earlier weeks rolled in, USD. */
  readonly amount: number;
  /** `USD`. */
  readonly currency: string;
  /** Percent label, `80%`; may exceed 100%. */
  readonly profitSplit: string;
  /** The same as a plain percent. */
  readonly profitSplitPercent: number;
  /** How far the payment is. */
  readonly status: "pending" | "processing" | "paid" | "failed";
  /** How it is paid, such as `manual` or `onchain`. */
  readonly rail: string;
  /** Who pays it, such as `manual` or `base-usdc`. */
  readonly provider: string;
  /** The payer's own number for the payment; null without one. */
  readonly reference: string | null;
  /** Always null here. */
  readonly alphaAmount: number | null;
  /** Always null here. */
  readonly alphaDestination: string | null;
  /** Null: not yet requested. */
  readonly requestedAtMs: number | null;
  /** Null: not yet paid. */
  readonly paidAtMs: number | null;
  /** When the cycle was closed. */
  readonly createdAtMs: number;
}

/** Live estimate for the cycle in progress; null after page one. */
export interface AccrualItem {
  /** What the cycle would pay now, USD; null unless `accrualStatus` is `ok`. */
  readonly estimatedAmount: number | null;
  /** Start of the cycle in progress; null while nothing is earned. */
  readonly windowStartMs: number | null;
  /** When the estimate was made. */
  readonly asOfMs: number;
  /** Closed cycles not yet paid, USD. */
  readonly priorUnpaidAmount: number;
  /** Start of the oldest of them; null without any. */
  readonly earliestUnpaidPeriodStartMs: number | null;
  /** Withheld by soft-breach weeks, USD; null when there is nothing withheld. */
  readonly deferredBalance: number | null;
}

/** A page of payout cycles. */
export interface Payouts {
  /** Closed cycles, newest first; zero and held weeks are not listed. */
  readonly items: readonly PayoutItem[];
  /** Pass it back as `cursor`; null on the last page. */
  readonly nextCursor: string | null;
  /** What `accrual` is worth. */
  readonly accrualStatus: "ok" | "not_applicable" | "unavailable" | "omitted";
  /** Live estimate for the cycle in progress; null after page one. */
  readonly accrual: AccrualItem | null;
}
