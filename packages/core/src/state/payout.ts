import type { Brand } from "../brand.ts";
import type { AccountId } from "../ids.ts";
import type { MicroUsd, Ratio, UnixMs } from "../units.ts";

/** `po_<account>_<end of the period>`: both parts are fixed, so the id is too. */
export type PayoutId = Brand<string, "PayoutId">;

export type PayoutStatus = "pending" | "processing" | "paid" | "failed";

/** The payout of a closed cycle. Written once; only the payment changes. @rule S2.5.items */
export interface Payout {
  readonly id: PayoutId;
  readonly periodStartMs: UnixMs;
  readonly periodEndMs: UnixMs;
  /** After split and scale, including released amounts of held weeks. */
  readonly amount: MicroUsd;
  readonly split: Ratio;
  readonly createdAtMs: UnixMs;
  readonly payment: Payment;
}

/** The state of the payment, as the operator recorded it. */
export interface Payment {
  readonly status: PayoutStatus;
  /** How it is paid, such as `bank`. */
  readonly rail: string;
  /** The payment provider, such as `stripe`. */
  readonly provider: string;
  /** The payer's own reference; null when there is none. */
  readonly reference: string | null;
  /** When processing first started; null before that. */
  readonly requestedAtMs: UnixMs | null;
  readonly paidAtMs: UnixMs | null;
  /** The amount that was paid, in whole cents; null when none was recorded. */
  readonly paidAmount: MicroUsd | null;
}

/** The payment of a new payout. */
export const NEW_PAYMENT: Payment = {
  status: "pending",
  rail: "manual",
  provider: "manual",
  reference: null,
  requestedAtMs: null,
  paidAtMs: null,
  paidAmount: null,
};

export function payoutId(account: AccountId, periodEndMs: UnixMs): PayoutId {
  return `po_${account}_${periodEndMs}` as PayoutId;
}
