import { ifSent, nullable, number, string, time, word } from "../../schema.ts";
import { ACCOUNT_BUCKETS, LOSS_RULES } from "../../words.ts";
import { eventOf } from "./event-parts.ts";

const programId = ifSent(string("The program's id."));
const programVersion = ifSent(number("The version of the program that the account keeps."));
const size = ifSent(number("Account size, USD."));
/** The cause of a phase's end: the account reached its target, or the operator decided it. */
const byTarget = ifSent(
  word(["target", "operator"], "`target`: reached it. `operator`: decided it."),
);

/** Events of the phases of an account. @rule D9.eventViews */
export const PROGRAM_EVENTS = {
  "challenge.passed": eventOf(
    "challenge.passed",
    "The challenge is passed: the funded account starts at its size.",
    { by: byTarget, equity: ifSent(number("Equity after everything was closed, USD.")) },
  ),
  "pro.offered": eventOf(
    "pro.offered",
    "A pro account is offered; the funded account winds down for it.",
    {
      programId,
      programVersion,
      size,
      transitionEndsAtMs: ifSent(time("When the pro account starts.")),
    },
  ),
  "pro.started": eventOf("pro.started", "The pro account starts at its size.", {
    bucket: word(ACCOUNT_BUCKETS, "The phase that begins, as `bucket` of GET account."),
    programId,
    programVersion,
    size,
    startMs: ifSent(time("When it was due to start.")),
    equity: ifSent(number("Equity after everything was closed, USD.")),
  }),
  "pro.promoted": eventOf(
    "pro.promoted",
    "The pro account is funded: later profit is paid in full.",
    {
      by: ifSent(
        word(["objectives", "operator"], "`objectives`: all are met. `operator`: decided it."),
      ),
      profit: ifSent(number("Profit at that time, USD; only profit above it earns.")),
      promotedMs: ifSent(time("When the objectives were met, or the operator decided.")),
    },
  ),
  "pro.soft_breached": eventOf(
    "pro.soft_breached",
    "A day of a funded pro account ended beyond a target; its week is withheld.",
    { dayStartMs: ifSent(time("Start of the day.")) },
  ),
  "drawdown.deepened": eventOf("drawdown.deepened", "The pro account has a new maximum drawdown.", {
    maxDrawdown: number("As a share of one: 0.0125 is 1.25 %."),
  }),
  "limit.neared": eventOf(
    "limit.neared",
    "The account has used up a level of a loss limit, such as half of the allowed loss.",
    {
      rule: word(LOSS_RULES, "The limit: `rule` as in `drawdownRules.limits`."),
      level: number("Percent of the allowed loss; the highest level that was reached."),
      equity: number(
        "The equity that the limit measures, USD: live equity, or for `eod_trailing` that of the last 00:00 UTC.",
      ),
      floor: number("The lowest equity that is no breach, USD."),
      tradePair: nullable(
        string("The pair of the open position that loses most; null without one."),
      ),
      price: nullable(
        number("Its price: the bid for a LONG, the ask for a SHORT; null without one."),
      ),
    },
  ),
};
