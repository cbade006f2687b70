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
  periodStartMs: time(
    "Start of the payout cycle: Monday 00:00 UTC, or the time at which the account began to earn in its phase.",
  ),
  periodEndMs: time(
    "End of the payout cycle: the next Monday 00:00 UTC, or the earlier time at which the phase ended or the account was closed.",
  ),
  amount: number(
    "The trader's share after the profit split, including released shares of earlier held weeks, USD.",
  ),
  currency: string("Always `USD`."),
  profitSplit: string(
    "The profit split as a percent for display, such as `80%`. It may exceed 100 %.",
  ),
  profitSplitPercent: number("`profitSplit` as a number: 80 is 80 %."),
  status: ifSent(word(PAYOUT_STATUSES, "The status of the payment.")),
  rail: ifSent(string("The payment rail, such as `manual` or `onchain`.")),
  provider: ifSent(string("The payment provider, such as `manual` or `base-usdc`.")),
  reference: nullable(string("The payer's reference of the payment; null without one.")),
  alphaAmount: nullable(number("Always null.")),
  alphaDestination: nullable(string("Always null.")),
  requestedAtMs: nullable(time("When the payment was requested; null before that.")),
  paidAtMs: nullable(time("When the payment was made; null before that.")),
  paidAmount: nullable(
    number("The amount that was paid, USD in whole cents; null when none was recorded."),
  ),
  createdAtMs: time("When the payout cycle was closed."),
};
export const PAYOUT = object("A closed payout cycle with a payout.", PAYOUT_FIELDS);
export type PayoutItem<Unsent extends Linked = never> = Wire<typeof PAYOUT, Unsent>;

const ACCRUAL = object(
  "Live estimate for the cycle in progress. Null on every page after the first, and while the account cannot be read.",
  {
    estimatedAmount: nullable(
      number(
        "The payout if the cycle closed now, USD. Null unless `accrualStatus` is `ok`, and while the cycle has no fill, no open position and nothing to release.",
      ),
    ),
    windowStartMs: nullable(
      time("Start of the cycle in progress; null while the account earns no payouts."),
    ),
    asOfMs: time("Time of the estimate."),
    priorUnpaidAmount: ifSent(
      number("Sum of the payouts of closed cycles that are not paid yet, USD."),
    ),
    earliestUnpaidPeriodStartMs: nullable(
      time("Start of the oldest closed cycle whose payout is not paid; null when all are paid."),
    ),
    deferredBalance: nullable(
      number(
        "Sum of the shares that are held because of soft breaches, USD; null when none is held.",
      ),
    ),
  },
);
export type AccrualItem<Unsent extends Linked = never> = Wire<typeof ACCRUAL, Unsent>;

/** `data` of GET payouts. @rule S2.5 */
export const PAYOUTS = object("A page of payout cycles.", {
  items: list(
    PAYOUT,
    "Closed cycles, newest first. Cycles without a payout are not listed: those without profit, and held ones.",
  ),
  nextCursor: nullable(string("Pass it back as `cursor`; null on the last page.")),
  accrualStatus: word(
    ACCRUAL_STATUSES,
    "`ok`: `accrual` has the estimate. `not_applicable`: the account earns no payouts now. `unavailable`: the estimate cannot be made now, retry. `omitted`: every page after the first.",
  ),
  accrual: nullable(ACCRUAL),
});
export type Payouts<Unsent extends Linked = never> = Wire<typeof PAYOUTS, Unsent>;
