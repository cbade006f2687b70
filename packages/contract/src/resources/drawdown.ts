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
const NEXT_CHECK_FIGURES = {
  remaining: ifSent(
    number(
      "The part of the allowed loss that is not used up at `measuredEquity`, USD, from 0 to the whole allowed loss. Equity above the anchor does not raise it further.",
    ),
  ),
  nextCheckMs: nullable(
    time(
      "When the limit is checked next; null for a limit that is checked at every price, and when the account is not active.",
    ),
  ),
  breachPrice: nullable(
    number(
      "The mark price of the only open position at which equity equals the floor. A LONG breaches the limit at a bid below it, a SHORT at an ask above it. An `end_of_day` limit is breached only by the price at `nextCheckMs`. Future fees and holding costs are not included. Null without exactly one open position, and when no price breaches the limit.",
    ),
  ),
};

/** Additive figures of the limit as if it were checked now, even when its next check is later. @rule D12.limitNow */
const FIGURES_NOW = {
  equityNow: ifSent(number("Live equity of the account, USD.")),
  usedPctNow: ifSent(
    number(
      "Share of the anchor that is lost at live equity, in percent, at least 0: (`anchorEquity` − `equityNow`) ÷ `anchorEquity`.",
    ),
  ),
  remainingNow: ifSent(
    number(
      "Live equity above the floor, USD: `equityNow` − `floor`. Profit raises it. It is negative when equity is below the floor of an `end_of_day` limit.",
    ),
  ),
};

/** Additive: one loss limit, of any rule. @rule D4.limits */
const LOSS_LIMIT = object("A loss limit that applies to the account.", {
  rule: word(
    LOSS_RULES,
    "`dailyLoss`: live equity against the equity at the start of the day. `static`: live equity against the starting balance. `eod_trailing`: equity at 00:00 UTC against the highest equity at any 00:00 UTC of the phase.",
  ),
  checked: word(
    LIMIT_CHECKS,
    "`live`: at every price. `end_of_day`: once a day, with the equity at 00:00 UTC.",
  ),
  usedPct: ifSent(
    number("Share of the anchor that is lost at `measuredEquity`, in percent, at least 0."),
  ),
  limitPct: ifSent(
    number(
      "The limit in percent of the anchor. A greater loss is a breach; exactly this loss is not.",
    ),
  ),
  anchorEquity: ifSent(number("The anchor: the equity from which the loss is measured, USD.")),
  measuredEquity: ifSent(
    number(
      "The equity that is compared with the anchor, USD: live equity, or for `end_of_day` the equity of the last check.",
    ),
  ),
  allowed: ifSent(number("The loss that the limit allows, USD: `limitPct` of the anchor.")),
  floor: ifSent(number("The floor: the lowest equity that is not a breach, USD.")),
  ...FIGURES_NOW,
  ...NEXT_CHECK_FIGURES,
  // The figure assumes that all positions move against the account at the same time. @rule D12.breachMove
  breachMovePct: nullable(
    number(
      "The adverse move of all open positions at which equity equals the floor, in percent of each price: 4.97 is 4.97 %. Every LONG falls by it, at most to 0, and every SHORT rises by it. Conversion rates stay unchanged, except that a pair that converts at its own price moves with it. A larger move breaches the limit. Null for an `end_of_day` limit, without an open position, and when no move breaches the limit.",
    ),
  ),
});
export type LossLimitItem<Unsent extends Linked = never> = Wire<typeof LOSS_LIMIT, Unsent>;

/** `drawdownRules` of GET account: the limits that can end an account. @rule S2.1.2 D4.limits */
export const DRAWDOWN_RULES = object(
  "The loss limits of the account; null when there is no drawdown data.",
  {
    criteria: word(DRAWDOWN_CRITERIA, "The set of loss limits that applies to the account."),
    dailyLoss: object(
      "The daily loss limit: live equity against the equity at the start of the day.",
      {
        usedPct: ifSent(
          number("Share of `dayStartEquity` that is lost now, in percent, at least 0."),
        ),
        limitPct: ifSent(
          number(
            "The limit in percent of `dayStartEquity`. A greater loss is a breach; exactly this loss is not.",
          ),
        ),
        dayStartEquity: ifSent(
          number(
            "Equity at 00:00 UTC, USD. On the first day, and on a day on which the account restarts at a size, it is that size.",
          ),
        ),
        ...NEXT_CHECK_FIGURES,
      },
    ),
    maxLoss: object("The maximum loss limit of the account.", {
      rule: word(
        MAX_LOSS_RULES,
        "`static`: live equity against the starting balance, checked at every price. `eod_trailing`: equity at 00:00 UTC against the highest equity at any 00:00 UTC of the phase, checked at 00:00 UTC.",
      ),
      usedPct: ifSent(
        number("Share of the anchor that is lost at `measuredEquity`, in percent, at least 0."),
      ),
      limitPct: ifSent(
        number(
          "The limit in percent of the anchor. A greater loss is a breach; exactly this loss is not.",
        ),
      ),
      anchorEquity: ifSent(number("The anchor: the equity from which the loss is measured, USD.")),
      measuredEquity: ifSent(
        number(
          "The equity that is compared with the anchor, USD: live equity for `static`, the equity of the last 00:00 UTC for `eod_trailing`.",
        ),
      ),
      ...NEXT_CHECK_FIGURES,
    }),
    currentBalance: ifSent(number("Balance of the account, USD.")),
    limits: list(
      LOSS_LIMIT,
      "Every loss limit that applies to the account, in order of precedence: when one price breaches several, the first one is named. `dailyLoss` and `maxLoss` are two of them.",
    ),
  },
);
export type DrawdownRules<Unsent extends Linked = never> = Wire<typeof DRAWDOWN_RULES, Unsent>;

/** `elimination` of GET account. @rule S2.1.3 */
export const ELIMINATION = object(
  "How the account was eliminated; null for an account that was not eliminated.",
  {
    reason: nullable(
      string("A reason code, or the operator's own text; null when no reason is recorded."),
    ),
    atMs: nullable(time("When the network eliminated the account; null when unknown.")),
    drawdownPct: nullable(
      number(
        "Share of the breached limit's anchor that was lost at the elimination, in percent; null when none is recorded.",
      ),
    ),
    forInactivity: boolean(
      "True when the account was eliminated because it did not trade for too long.",
    ),
  },
);
export type EliminationWire = Wire<typeof ELIMINATION>;
