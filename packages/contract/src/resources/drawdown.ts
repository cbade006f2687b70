import { boolean, nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { DRAWDOWN_CRITERIA, MAX_LOSS_RULES } from "../words.ts";

/** Additive, of either limit. @rule D4.outlook */
const AHEAD = {
  remaining: number("What is left of the allowed loss, USD, at least 0; gains do not add to it."),
  nextCheckMs: nullable(
    time("When the limit is next checked; null: at every price, or never once the account ended."),
  ),
  breachPrice: nullable(
    number(
      "Price of the one open position at which the limit is met; beyond it (LONG below, at the bid; SHORT above, at the ask) it is passed, with `eod_trailing` if the price stands there at `nextCheckMs`. Fees and carry to come are not counted. Null with none or several positions, or where no price leads there.",
    ),
  ),
};

/** The two limits that end an account. @rule S2.1.2 */
export const DRAWDOWN_RULES = object("The two loss limits; null when there is no drawdown data.", {
  criteria: word(DRAWDOWN_CRITERIA, "Which set of limits binds the account."),
  dailyLoss: object("Equity against the equity at the start of the UTC day.", {
    usedPct: number("Percent of the day's start equity that is lost, at least 0."),
    limitPct: number("Percent that must not be passed."),
    dayStartEquity: number("Equity at 00:00 UTC, USD."),
    ...AHEAD,
  }),
  maxLoss: object("The account's other limit.", {
    rule: word(
      MAX_LOSS_RULES,
      "`static`: live equity against the starting balance. `eod_trailing`: end-of-day equity against the end-of-day high-water mark, checked at 00:00 UTC.",
    ),
    usedPct: number("Percent of the anchor that is lost, at least 0."),
    limitPct: number("Percent that must not be passed."),
    anchorEquity: number("What the limit is measured against, USD."),
    measuredEquity: number("The equity compared with it, USD."),
    ...AHEAD,
  }),
  currentBalance: number("Balance, USD."),
});
export type DrawdownRules = Wire<typeof DRAWDOWN_RULES>;

/** @rule S2.1.3 */
export const ELIMINATION = object("How the account ended; null while it has not.", {
  reason: nullable(string("Reason code, or an operator's own text; null when none is recorded.")),
  atMs: nullable(time("When the network ended the account; null when unknown.")),
  drawdownPct: nullable(
    number("Drawdown at that moment as a percent; null when none is recorded."),
  ),
  forInactivity: boolean("True when the account ended because nothing was traded."),
});
export type EliminationWire = Wire<typeof ELIMINATION>;
