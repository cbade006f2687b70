import { list, nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { ACCRUAL_STATUSES, PAYOUT_STATUSES } from "../words.ts";

/** The operator reads the same fields, and one more. */
export const PAYOUT_FIELDS = {
  id: string("Never changes."),
  periodStartMs: time("Monday 00:00 UTC; the first cycle starts when earning began."),
  periodEndMs: time("The Monday 00:00 UTC after it."),
  amount: number("The trader's share after the split, earlier weeks rolled in, USD."),
  currency: string("`USD`."),
  profitSplit: string("Percent label, `80%`; may exceed 100%."),
  profitSplitPercent: number("The same as a plain percent."),
  status: word(PAYOUT_STATUSES, "How far the payment is."),
  rail: string("How it is paid, such as `manual` or `onchain`."),
  provider: string("Who pays it, such as `manual` or `base-usdc`."),
  reference: nullable(string("The payer's own number for the payment; null without one.")),
  alphaAmount: nullable(number("Always null here.")),
  alphaDestination: nullable(string("Always null here.")),
  requestedAtMs: nullable(time("Null: not yet requested.")),
  paidAtMs: nullable(time("Null: not yet paid.")),
  createdAtMs: time("When the cycle was closed."),
};
export const PAYOUT = object("A closed payout cycle that paid something.", PAYOUT_FIELDS);
export type PayoutItem = Wire<typeof PAYOUT>;

const ACCRUAL = object("Live estimate for the cycle in progress; null after page one.", {
  estimatedAmount: nullable(
    number("What the cycle would pay now, USD; null unless `accrualStatus` is `ok`."),
  ),
  windowStartMs: nullable(time("Start of the cycle in progress; null while nothing is earned.")),
  asOfMs: time("When the estimate was made."),
  priorUnpaidAmount: number("Closed cycles not yet paid, USD."),
  earliestUnpaidPeriodStartMs: nullable(time("Start of the oldest of them; null without any.")),
  deferredBalance: nullable(
    number("Withheld by soft-breach weeks, USD; null when there is nothing withheld."),
  ),
});
export type AccrualItem = Wire<typeof ACCRUAL>;

/** `data` of GET payouts. @rule S2.5 */
export const PAYOUTS = object("A page of payout cycles.", {
  items: list(PAYOUT, "Closed cycles, newest first; zero and held weeks are not listed."),
  nextCursor: nullable(string("Pass it back as `cursor`; null on the last page.")),
  accrualStatus: word(ACCRUAL_STATUSES, "What `accrual` is worth."),
  accrual: nullable(ACCRUAL),
});
export type Payouts = Wire<typeof PAYOUTS>;
