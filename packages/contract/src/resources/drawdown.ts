import {
  boolean,
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
import { DRAWDOWN_CRITERIA, LIMIT_CHECKS, LOSS_RULES, MAX_LOSS_RULES } from "../words.ts";

/** Additive figures about the next check and the breach; every limit has them. @rule D4.outlook */
const AHEAD = {
  remaining: ifSent(
    number("The rest of the allowed loss, USD, at least 0. A gain does not increase it."),
  ),
  nextCheckMs: nullable(
    time(
      "The next check; null when the limit is checked at every price, or the account has ended.",
    ),
  ),
  breachPrice: nullable(
    number(
      "The price of the only open position at which equity is at the floor. Beyond it the limit is breached: a LONG below it, at the bid, and a SHORT above it, at the ask; an `end_of_day` limit only by the price at `nextCheckMs`. Later fees and carry are not included. Null without exactly one position, or when no price breaches.",
    ),
  ),
};

/** Additive figures of the limit as if it were checked now, even when its next check is later. @rule D12.limitNow */
const NOW = {
  equityNow: ifSent(number("Equity now, USD.")),
  usedPctNow: ifSent(
    number(
      "Percent of the anchor that is lost now, at least 0: `anchorEquity` − `equityNow` over `anchorEquity`.",
    ),
  ),
  remainingNow: ifSent(
    number(
      "The loss from now to the floor, USD: `equityNow` − `floor`. A gain increases it. It is negative below the floor of an `end_of_day` limit.",
    ),
  ),
};

/** Additive: one loss limit, of any rule. @rule D4.limits */
const LOSS_LIMIT = object("A loss limit that binds the account.", {
  rule: word(
    LOSS_RULES,
    "`dailyLoss`: equity against the equity at 00:00 UTC. `static`: equity against the starting balance. `eod_trailing`: end-of-day equity against the end-of-day high-water mark.",
  ),
  checked: word(LIMIT_CHECKS, "`live`: at every price. `end_of_day`: once a day at 00:00 UTC."),
  usedPct: ifSent(number("Percent of the anchor that is lost, at least 0.")),
  limitPct: ifSent(number("The limit: a loss above this percentage is a breach.")),
  anchorEquity: ifSent(number("The equity from which the loss is measured, USD.")),
  measuredEquity: ifSent(number("The equity that is compared with the anchor, USD.")),
  allowed: ifSent(number("The loss that the limit allows: `limitPct` of the anchor, USD.")),
  floor: ifSent(number("The lowest equity that is not a breach, USD.")),
  ...NOW,
  ...AHEAD,
  // The figure assumes that all positions move against the account at the same time. @rule D12.breachMove
  breachMovePct: nullable(
    number(
      "The move of all open positions at which equity is at the floor, in percent of each price: 4.97 is 4.97 %. Every LONG falls by it, at most to 0, and every SHORT rises by it; rates stay the same, but a pair that converts at its own price moves with it. Beyond it the limit is breached. Null for an `end_of_day` limit, without a position, and when no move breaches.",
    ),
  ),
});
export type LossLimitItem<Unsent extends Linked = never> = Wire<typeof LOSS_LIMIT, Unsent>;

/** `drawdownRules` of GET account: the limits that can end an account. @rule S2.1.2 D4.limits */
export const DRAWDOWN_RULES = object("The loss limits; null when there is no drawdown data.", {
  criteria: word(DRAWDOWN_CRITERIA, "The set of limits that binds the account."),
  dailyLoss: object("Equity against the equity at the start of the UTC day.", {
    usedPct: ifSent(number("Percent of the day's start equity that is lost, at least 0.")),
    limitPct: ifSent(number("The limit: a loss above this percentage is a breach.")),
    dayStartEquity: ifSent(number("Equity at 00:00 UTC, USD.")),
    ...AHEAD,
  }),
  maxLoss: object("The account's other limit.", {
    rule: word(
      MAX_LOSS_RULES,
      "`static`: live equity against the starting balance. `eod_trailing`: end-of-day equity against the end-of-day high-water mark, checked at 00:00 UTC.",
    ),
    usedPct: ifSent(number("Percent of the anchor that is lost, at least 0.")),
    limitPct: ifSent(number("The limit: a loss above this percentage is a breach.")),
    anchorEquity: ifSent(number("The equity from which the loss is measured, USD.")),
    measuredEquity: ifSent(number("The equity that is compared with the anchor, USD.")),
    ...AHEAD,
  }),
  currentBalance: ifSent(number("Balance, USD.")),
  limits: list(
    LOSS_LIMIT,
    "Every limit that binds the account, in the order of precedence: one price that breaches several is named after the first. `dailyLoss` and `maxLoss` are two of them.",
  ),
});
export type DrawdownRules<Unsent extends Linked = never> = Wire<typeof DRAWDOWN_RULES, Unsent>;

/** `elimination` of GET account. @rule S2.1.3 */
export const ELIMINATION = object("How the account ended; null while it has not.", {
  reason: nullable(string("Reason code, or an operator's own text; null when none is recorded.")),
  atMs: nullable(time("When the network ended the account; null when unknown.")),
  drawdownPct: nullable(
    number("Drawdown at that moment as a percent; null when none is recorded."),
  ),
  forInactivity: boolean("True when the account ended because nothing was traded."),
});
export type EliminationWire = Wire<typeof ELIMINATION>;
