import type { Brand } from "../brand.ts";
import type { AccountId } from "../ids.ts";
import type { MicroUsd, Ratio, UnixMs } from "../units.ts";

/** `po_<account>_<end of the period>`: made from what never changes, so it never does. */
export type PayoutId = Brand<string, "PayoutId">;

export type PayoutStatus = "pending" | "processing" | "paid" | "failed";

/** A closed cycle that pays something. Written once; only the payment moves on. @rule S2.5.items */
export interface Payout {
  readonly id: PayoutId;
  readonly periodStartMs: UnixMs;
  readonly periodEndMs: UnixMs;
  /** After split and scale, with what earlier held weeks released. */
  readonly amount: MicroUsd;
  readonly split: Ratio;
  readonly createdAtMs: UnixMs;
  readonly payment: Payment;
}

/** How far the payment is, as the operator recorded it. */
export interface Payment {
  readonly status: PayoutStatus;
  /** How it is paid, such as `bank`. */
  readonly rail: string;
  /** Who pays it, such as `stripe`. */
  readonly provider: string;
  /** The payer's own number for it; null without one. */
  readonly reference: string | null;
  /** When it was first taken up; null while it waits. */
  readonly requestedAtMs: UnixMs | null;
  readonly paidAtMs: UnixMs | null;
}

/** A payout that nobody has taken up. */
export const WAITING: Payment = {
  status: "pending",
  rail: "manual",
  provider: "manual",
  reference: null,
  requestedAtMs: null,
  paidAtMs: null,
};

export function payoutId(account: AccountId, periodEndMs: UnixMs): PayoutId {
  return `po_${account}_${periodEndMs}` as PayoutId;
}
