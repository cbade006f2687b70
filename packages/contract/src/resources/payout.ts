import {
  id,
  ifSent,
  type Linked,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { ACCRUAL_STATUSES, PAYOUT_STATUSES } from "../words.ts";

/** The fields of a payout. The payout of the operator's interface also has the fields of its account. */
export const PAYOUT_FIELDS = {
  id: id("The payout's id; it never changes."),
  periodStartMs: time("Monday 00:00 UTC; the first cycle starts when earning began."),
  periodEndMs: time("The next Monday 00:00 UTC."),
  amount: number(
    "The trader's share after the split, including held shares of earlier weeks, USD.",
  ),
  currency: string("`USD`."),
  profitSplit: string("Percent label, `80%`; may exceed 100%."),
  profitSplitPercent: number("The same as a plain percent."),
  status: ifSent(word(PAYOUT_STATUSES, "Status of the payment.")),
  rail: ifSent(string("How it is paid, such as `manual` or `onchain`.")),
  provider: ifSent(string("The payment provider, such as `manual` or `base-usdc`.")),
  reference: nullable(string("The payer's own number for the payment; null without one.")),
  alphaAmount: nullable(number("Always null here.")),
  alphaDestination: nullable(string("Always null here.")),
  requestedAtMs: nullable(time("When the payment was requested; null before.")),
  paidAtMs: nullable(time("When it was paid; null before.")),
  paidAmount: nullable(
    number("The amount that was paid, USD in whole cents; null when none was recorded."),
  ),
  createdAtMs: time("When the cycle closed."),
};
export const PAYOUT = object("A closed payout cycle that paid something.", PAYOUT_FIELDS);
export type PayoutItem<Unsent extends Linked = never> = Wire<typeof PAYOUT, Unsent>;

const ACCRUAL = object(
  "Live estimate for the cycle in progress; null after page one, and while the account cannot be read.",
  {
    estimatedAmount: nullable(
      number("Payout if the cycle closed now, USD; null unless `accrualStatus` is `ok`."),
    ),
    windowStartMs: nullable(
      time("Start of the cycle in progress; null while the account earns nothing."),
    ),
    asOfMs: time("Time of the estimate."),
    priorUnpaidAmount: ifSent(number("Amount of closed cycles that are not paid, USD.")),
    earliestUnpaidPeriodStartMs: nullable(
      time("Start of the oldest unpaid cycle; null when all are paid."),
    ),
    deferredBalance: nullable(
      number("Amount that soft-breach weeks withhold, USD; null when nothing is withheld."),
    ),
  },
);
export type AccrualItem<Unsent extends Linked = never> = Wire<typeof ACCRUAL, Unsent>;

/** `data` of GET payouts. @rule S2.5 */
export const PAYOUTS = object("A page of payout cycles.", {
  items: list(PAYOUT, "Closed cycles, newest first; zero and held weeks are not listed."),
  nextCursor: nullable(string("Pass it back as `cursor`; null on the last page.")),
  accrualStatus: word(ACCRUAL_STATUSES, "State of `accrual`."),
  accrual: nullable(ACCRUAL),
});
export type Payouts<Unsent extends Linked = never> = Wire<typeof PAYOUTS, Unsent>;
