// Made from the schemas of the contract by `npm run docs`.

/** A closed payout cycle that paid something. */
export interface PayoutItem {
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
  /** Status of the payment; null when the network did not send it. */
  readonly status: "pending" | "processing" | "paid" | "failed" | null;
  /** How it is paid, such as `manual` or `onchain`; null when the network did not send it. */
  readonly rail: string | null;
  /**
   * The payment provider, such as `manual` or `base-usdc`; null when the network did not send it.
   */
  readonly provider: string | null;
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
  /** When the cycle closed. */
  readonly createdAtMs: number;
}

/** Live estimate for the cycle in progress; null after page one. */
export interface AccrualItem {
  /** Payout if the cycle closed now, USD; null unless `accrualStatus` is `ok`. */
  readonly estimatedAmount: number | null;
  /** Start of the cycle in progress; null while the account earns nothing. */
  readonly windowStartMs: number | null;
  /** Time of the estimate. */
  readonly asOfMs: number;
  /** Amount of closed cycles that are not paid, USD; null when the network did not send it. */
  readonly priorUnpaidAmount: number | null;
  /** Start of the oldest unpaid cycle; null when all are paid. */
  readonly earliestUnpaidPeriodStartMs: number | null;
  /** Amount that soft-breach weeks withhold, USD; null when nothing is withheld. */
  readonly deferredBalance: number | null;
}

/** A page of payout cycles. */
export interface Payouts {
  /** Closed cycles, newest first; zero and held weeks are not listed. */
  readonly items: readonly PayoutItem[];
  /** Pass it back as `cursor`; null on the last page. */
  readonly nextCursor: string | null;
  /** State of `accrual`. */
  readonly accrualStatus: "ok" | "not_applicable" | "unavailable" | "omitted";
  /** Live estimate for the cycle in progress; null after page one. */
  readonly accrual: AccrualItem | null;
}
