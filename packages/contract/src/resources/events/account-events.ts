import {
  boolean,
  ifSent,
  literal,
  nullable,
  number,
  object,
  optional,
  string,
  time,
  type Wire,
  word,
} from "../../schema.ts";
import { ASSET_CLASSES, DRAWDOWN_CRITERIA, PAYOUT_STATUSES, VARIANTS } from "../../words.ts";
import { eventOf } from "./event-parts.ts";

/** A payout in an event. @rule D9.eventViews */
export const EVENT_PAYOUT = object("A payout, as it is after the event.", {
  id: string("The payout's id; it never changes."),
  periodStartMs: time("Start of the payout cycle."),
  periodEndMs: time("End of the payout cycle."),
  amount: number(
    "The trader's share after the profit split, including released shares of earlier held weeks, USD.",
  ),
  profitSplit: number("The profit split as a fraction: 0.8 is 80 %."),
  status: ifSent(word(PAYOUT_STATUSES, "The status of the payment.")),
  rail: ifSent(string("The payment rail, such as `manual`.")),
  provider: ifSent(string("The payment provider, such as `manual`.")),
  reference: nullable(string("The payer's reference of the payment; null without one.")),
  requestedAtMs: nullable(time("When the payment was requested; null before that.")),
  paidAtMs: nullable(time("When the payment was made; null before that.")),
  paidAmount: nullable(
    number("The amount that was paid, USD in whole cents; null when none was recorded."),
  ),
  createdAtMs: ifSent(time("When the payout cycle was closed.")),
});
export type EventPayout = Wire<typeof EVENT_PAYOUT>;

const programId = ifSent(string("The id of the program."));
const programVersion = ifSent(number("The version of the program."));
const size = number("The account size, USD.");

/** Events of the account and its payouts. @rule D9.eventViews */
export const ACCOUNT_EVENTS = {
  "account.opened": eventOf(
    "account.opened",
    "The account was opened on a program. For an account at a validator: it was linked.",
    {
      programId,
      programVersion,
      variant: ifSent(word(VARIANTS, "The kind of the program.")),
      assetClass: word(ASSET_CLASSES, "The markets that the account may trade."),
      size,
      drawdownCriteria: ifSent(
        word(
          DRAWDOWN_CRITERIA,
          "How the maximum loss is measured: from the starting balance, or from a high-water mark.",
        ),
      ),
      provisioned: boolean("True when the account may trade from its opening on."),
    },
  ),
  "account.provisioned": eventOf("account.provisioned", "The account may trade from now on.", {
    status: literal("active", "The status of the account from this event on."),
  }),
  "account.eliminated": eventOf(
    "account.eliminated",
    "The account was eliminated. The fills and cancellations that its end caused precede this event.",
    {
      reason: ifSent(
        string(
          "A reason code as in `elimination.reason` of GET account, or the operator's own text.",
        ),
      ),
      drawdownPct: nullable(
        number(
          "Share of the breached limit's anchor that was lost, in percent; null when no limit was breached.",
        ),
      ),
    },
  ),
  "account.closed": eventOf("account.closed", "The account was closed by the operator.", {
    status: literal("closed", "The status of the account from this event on."),
    forfeited: optional(
      number(
        "The trader's share of the cycle in progress that was forfeited, USD; absent when none was.",
      ),
    ),
  }),
  "payout.cycle_closed": eventOf("payout.cycle_closed", "A payout cycle was closed.", {
    periodStartMs: time("Start of the cycle."),
    periodEndMs: time("End of the cycle."),
    profit: ifSent(
      number(
        "Profit at the end of the cycle, USD: the lesser of balance and equity, minus the account size. Negative for a loss.",
      ),
    ),
    gross: ifSent(
      number(
        "The part of `profit` above the highest profit of any earlier cycle, USD, at least 0.",
      ),
    ),
    share: ifSent(number("The trader's share of `gross` after the profit split, USD.")),
    released: ifSent(
      number("Shares that were held in earlier weeks and are paid with this cycle, USD."),
    ),
    isHeld: ifSent(boolean("True when the share of this cycle is held and not paid now.")),
    payout: nullable(EVENT_PAYOUT),
  }),
  "payout.updated": eventOf("payout.updated", "The operator recorded the status of a payment.", {
    payout: EVENT_PAYOUT,
  }),
  "payout.forfeited": eventOf(
    "payout.forfeited",
    "The account was eliminated or closed while rewards were held. They are forfeited.",
    { amount: number("The forfeited amount, USD.") },
  ),
};
