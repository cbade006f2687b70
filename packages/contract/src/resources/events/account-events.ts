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
export const EVENT_PAYOUT = object("A payout after the event.", {
  id: string("The payout's id; it never changes."),
  periodStartMs: time("Start of its cycle."),
  periodEndMs: time("End of its cycle."),
  amount: number(
    "The trader's share after the split, including held shares of earlier weeks, USD.",
  ),
  profitSplit: number("The split as a share of one: 0.8 is 80 %."),
  status: ifSent(word(PAYOUT_STATUSES, "Status of the payment.")),
  rail: ifSent(string("How it is paid, such as `manual`.")),
  provider: ifSent(string("The payment provider, such as `manual`.")),
  reference: nullable(string("The payer's own number for the payment; null without one.")),
  requestedAtMs: nullable(time("When the payment was requested; null before.")),
  paidAtMs: nullable(time("When it was paid; null before.")),
  paidAmount: nullable(
    number("The amount that was paid, USD in whole cents; null when none was recorded."),
  ),
  createdAtMs: ifSent(time("When the cycle closed.")),
});
export type EventPayout = Wire<typeof EVENT_PAYOUT>;

const programId = ifSent(string("The program's id."));
const programVersion = ifSent(number("The version of the program that the account keeps."));
const size = number("Account size, USD.");

/** Events of the account and its payouts. @rule D9.eventViews */
export const ACCOUNT_EVENTS = {
  "account.opened": eventOf("account.opened", "The account was opened on a program.", {
    programId,
    programVersion,
    variant: ifSent(word(VARIANTS, "The kind of program.")),
    assetClass: word(ASSET_CLASSES, "The markets of the account."),
    size,
    drawdownCriteria: ifSent(word(DRAWDOWN_CRITERIA, "The kind of its second loss limit.")),
    provisioned: boolean("True when it may trade from the start."),
  }),
  "account.provisioned": eventOf("account.provisioned", "The account may trade.", {
    status: literal("active", "Its status from now on."),
  }),
  "account.eliminated": eventOf(
    "account.eliminated",
    "The account is eliminated. Follows the fills and cancellations that ended it.",
    {
      reason: ifSent(string("A reason code as in GET account, or the operator's own text.")),
      drawdownPct: nullable(
        number(
          "Percent of the breached limit's anchor that was lost; null when no limit was breached.",
        ),
      ),
    },
  ),
  "account.closed": eventOf("account.closed", "The account was closed by the operator.", {
    status: literal("closed", "Its status from now on."),
    forfeited: optional(number("Reward of the cycle in progress that the operator dropped, USD.")),
  }),
  "payout.cycle_closed": eventOf("payout.cycle_closed", "A payout cycle is closed.", {
    periodStartMs: time("Start of the cycle."),
    periodEndMs: time("End of the cycle."),
    profit: ifSent(number("Realized less fees, less open losses, since earning began, USD.")),
    gross: ifSent(number("The part of `profit` above the mark of earlier cycles, USD.")),
    share: ifSent(number("The trader's share of `gross`, USD.")),
    released: ifSent(number("Withheld in earlier weeks and paid with this one, USD.")),
    isHeld: ifSent(boolean("True when the share is withheld.")),
    payout: nullable(EVENT_PAYOUT),
  }),
  "payout.updated": eventOf("payout.updated", "The operator recorded the state of a payment.", {
    payout: EVENT_PAYOUT,
  }),
  "payout.forfeited": eventOf(
    "payout.forfeited",
    "The account left the pro track with withheld rewards, which are lost.",
    { amount: number("USD.") },
  ),
};
