import { ifSent, nullable, number, string, time, word } from "../../schema.ts";
import { ACCOUNT_BUCKETS, LOSS_RULES } from "../../words.ts";
import { eventOf } from "./event-parts.ts";

const programId = ifSent(string("The id of the program."));
const programVersion = ifSent(number("The version of the program."));
const size = ifSent(number("The account size, USD."));
/** The cause of a phase's end: the account reached its target, or the operator decided it. */
const byTarget = ifSent(
  word(
    ["target", "operator"],
    "`target`: the profit target was reached. `operator`: the operator decided it.",
  ),
);

/** Events of the phases of an account. @rule D9.eventViews */
export const PROGRAM_EVENTS = {
  "challenge.passed": eventOf(
    "challenge.passed",
    "The challenge was passed. The funded account starts at its size.",
    { by: byTarget, equity: ifSent(number("Equity after all positions were closed, USD.")) },
  ),
  "pro.offered": eventOf(
    "pro.offered",
    "A pro account was offered. The funded account winds down until the pro account starts.",
    {
      programId,
      programVersion,
      size,
      transitionEndsAtMs: ifSent(time("When the pro account starts.")),
    },
  ),
  "pro.started": eventOf("pro.started", "The pro account started at its size.", {
    bucket: word(ACCOUNT_BUCKETS, "The phase that begins, as `challenge.bucket` of GET account."),
    programId,
    programVersion,
    size,
    startMs: ifSent(time("When the pro account was due to start.")),
    equity: ifSent(number("Equity of the standard account after all positions were closed, USD.")),
  }),
  "pro.promoted": eventOf(
    "pro.promoted",
    "The pro account was promoted to funded. Rewards for later profit are paid in full.",
    {
      by: ifSent(
        word(
          ["objectives", "operator"],
          "`objectives`: all objectives are met. `operator`: the operator decided it.",
        ),
      ),
      profit: ifSent(number("Profit at the promotion, USD. Only profit above it earns rewards.")),
      promotedMs: ifSent(time("When the objectives were met, or the operator decided.")),
    },
  ),
  "pro.soft_breached": eventOf(
    "pro.soft_breached",
    "A day of a funded pro account ended beyond a target, so the reward of its week is held.",
    { dayStartMs: ifSent(time("Start of that day.")) },
  ),
  "drawdown.deepened": eventOf("drawdown.deepened", "The pro account has a new maximum drawdown.", {
    maxDrawdown: number("Maximum drawdown as a fraction: 0.0125 is 1.25 %."),
  }),
  "limit.neared": eventOf(
    "limit.neared",
    "The account has used up a recorded level of a loss limit, such as half of the allowed loss.",
    {
      rule: word(LOSS_RULES, "The loss limit, as `rule` of `drawdownRules.limits`."),
      level: number("The highest level that was reached, in percent of the allowed loss."),
      equity: number(
        "The equity that the limit measures, USD: live equity, or for `eod_trailing` the equity of the last 00:00 UTC.",
      ),
      floor: number("The lowest equity that is not a breach, USD."),
      tradePair: nullable(
        string(
          "The pair of the open position with the largest loss; null without an open position.",
        ),
      ),
      price: nullable(
        number(
          "The mark price of that position: the bid for a LONG, the ask for a SHORT; null without an open position.",
        ),
      ),
    },
  ),
};
