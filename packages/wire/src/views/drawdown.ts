import type { Account, DrawdownRules, EliminationWire, LossLimitItem } from "@propgate/contract";
import {
  type AccountSnapshot,
  assert,
  type DrawdownOutlook,
  dailyLossOf,
  dollars,
  type Elimination,
  type LimitFigures,
  type LimitOutlook,
  LOSS_LIMITS,
  limitFiguresNow,
  maxLossOf,
} from "@propgate/core";
import { eliminationReason, isInactivity, LIMIT_CHECK_WORDS, LOSS_LIMIT_WORDS } from "../wire.ts";

/**
 * The limits of an account. `limits` has all of them; the two that the specification names also have fields of their
 * own.
 * @rule S2.1.2 D4.limits D4.drawdown D4.outlook
 */
export function drawdownRules(snapshot: AccountSnapshot): DrawdownRules {
  const { drawdown, outlook, balance } = snapshot;
  const dailyLoss = dailyLossOf(drawdown);
  const maxLoss = maxLossOf(drawdown);
  return {
    criteria: drawdown.criteria,
    dailyLoss: {
      usedPct: dailyLoss.usedPct,
      limitPct: dailyLoss.limitPct,
      dayStartEquity: dollars(dailyLoss.anchor),
      ...outlookFields(dailyLoss, outlook),
    },
    maxLoss: {
      rule: LOSS_LIMIT_WORDS[maxLoss.rule].rule,
      usedPct: maxLoss.usedPct,
      limitPct: maxLoss.limitPct,
      anchorEquity: dollars(maxLoss.anchor),
      measuredEquity: dollars(maxLoss.measured),
      ...outlookFields(maxLoss, outlook),
    },
    currentBalance: dollars(balance),
    limits: drawdown.limits.map((limit) => lossLimit(limit, snapshot)),
  };
}

/** One loss limit in the API's form: as it was last measured, and at the present equity. @rule D4.limits */
function lossLimit(
  limit: LimitFigures,
  { equity, outlook }: Pick<AccountSnapshot, "equity" | "outlook">,
): LossLimitItem {
  const now = limitFiguresNow(limit, equity);
  return {
    rule: LOSS_LIMIT_WORDS[limit.rule].rule,
    checked: LIMIT_CHECK_WORDS[LOSS_LIMITS[limit.rule].checked],
    usedPct: limit.usedPct,
    limitPct: limit.limitPct,
    anchorEquity: dollars(limit.anchor),
    measuredEquity: dollars(limit.measured),
    allowed: dollars(limit.allowed),
    floor: dollars(limit.floor),
    equityNow: dollars(now.equityNow),
    usedPctNow: now.usedPctNow,
    remainingNow: dollars(now.remainingNow),
    ...outlookFields(limit, outlook),
    breachMovePct: outlookOf(limit, outlook).breachMovePct,
  };
}

type Ahead = Pick<LossLimitItem, "remaining" | "nextCheckMs" | "breachPrice">;

function outlookFields(limit: LimitFigures, outlook: DrawdownOutlook): Ahead {
  const { nextCheckMs, breachPrice } = outlookOf(limit, outlook);
  return { remaining: dollars(limit.remaining), nextCheckMs, breachPrice };
}

function outlookOf({ rule }: LimitFigures, outlook: DrawdownOutlook): LimitOutlook {
  const own = outlook.find((one) => one.rule === rule);
  assert(own !== undefined, `an outlook of ${rule}`);
  return own;
}

/**
 * The dollar figures of the static or trailing limit. `highWaterMark` is its anchor: the starting balance, or the
 * highest end-of-day equity. @rule D4.drawdown @rule S2.1.breakdown decides
 */
export function drawdownBreakdown(limit: LimitFigures): Account["challenge"]["drawdownBreakdown"] {
  return {
    highWaterMark: dollars(limit.anchor),
    allowedDrawdown: dollars(limit.allowed),
    currentDrawdown: dollars(limit.used),
    remainingDrawdown: dollars(limit.remaining),
    remainingDrawdownPercentHWM: (limit.remaining * 100) / limit.anchor,
  };
}

/** The elimination in the API's form; null for an account that was not eliminated. @rule S2.1.3 */
export function eliminationView(elimination: Elimination | null): EliminationWire | null {
  return elimination === null
    ? null
    : {
        reason: eliminationReason(elimination.cause),
        atMs: elimination.atMs,
        drawdownPct: elimination.drawdownPct,
        forInactivity: isInactivity(elimination.cause),
      };
}
