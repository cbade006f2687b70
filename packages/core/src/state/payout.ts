import type { Brand } from "../brand.ts";
import type { AccountId } from "../ids.ts";
import type { MicroUsd, Ratio, UnixMs } from "../units.ts";

/** The id of a payout: `po_<account>_<end of the period in ms>`. Neither part ever changes. */
export type PayoutId = Brand<string, "PayoutId">;

export type PayoutStatus = "pending" | "processing" | "paid" | "failed";

/** The payout of a closed cycle. Only its payment changes later. @rule S2.5.items */
export interface Payout {
  readonly id: PayoutId;
  readonly periodStartMs: UnixMs;
  readonly periodEndMs: UnixMs;
  /** The trader's share after split and scale, plus the withheld shares of earlier cycles that this cycle releases. */
  readonly amount: MicroUsd;
  readonly split: Ratio;
  readonly createdAtMs: UnixMs;
  readonly payment: Payment;
}

/** The state of the payment of a payout, as the operator recorded it. */
export interface Payment {
  readonly status: PayoutStatus;
  /** The means of payment, such as `bank`. */
  readonly rail: string;
  /** The payment provider, such as `stripe`. */
  readonly provider: string;
  /** The payer's own reference for the payment; null when there is none. */
  readonly reference: string | null;
  /** When the payment first had another status than `pending`; null before that. */
  readonly requestedAtMs: UnixMs | null;
  readonly paidAtMs: UnixMs | null;
  /** The amount that was paid, in whole cents; null when none was recorded. */
  readonly paidAmount: MicroUsd | null;
}

/** The payment of a new payout, which is pending. */
export const NEW_PAYMENT: Payment = {
  status: "pending",
  rail: "manual",
  provider: "manual",
  reference: null,
  requestedAtMs: null,
  paidAtMs: null,
  paidAmount: null,
};

/** The id of the payout of the cycle that ends at this time. */
export function payoutId(account: AccountId, periodEndMs: UnixMs): PayoutId {
  return `po_${account}_${periodEndMs}` as PayoutId;
}
