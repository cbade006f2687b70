import type {
  Account,
  DrawdownRules,
  EliminationWire,
  Linked,
  LossLimitItem,
} from "@propgate/contract";
import { INACTIVITY_REASON } from "@propgate/contract";
import {
  LOSS_LIMITS,
  type LossRule,
  type MicroUsd,
  nextUtcMidnight,
  type UnixMs,
} from "@propgate/core";
import { LIMIT_CHECK_WORDS, LOSS_LIMIT_WORDS, usdOrNull } from "@propgate/wire";
import type { LinkedDrawdown, LinkedReadings } from "../dashboard/linked-readings.ts";
import { gainUsd, type MaybeUnknown, multiplyUsd, percentOfUsd, subtractUsd } from "./exact-usd.ts";
import { effectiveSize, isEliminated, isLinkedPro } from "./phase.ts";

/** A loss limit in money and percent; a figure that the network did not send is null. */
interface LimitFigures {
  readonly rule: LossRule;
  readonly usedPct: MaybeUnknown<number>;
  readonly limitPct: MaybeUnknown<number>;
  readonly anchor: MaybeUnknown<MicroUsd>;
  readonly measured: MaybeUnknown<MicroUsd>;
  readonly allowed: MaybeUnknown<MicroUsd>;
  readonly used: MaybeUnknown<MicroUsd>;
  readonly remaining: MaybeUnknown<MicroUsd>;
}

/**
 * The drawdown criteria of the account: always `trailing` for a pro account; null when the network did not send them.
 */
export function linkedCriteria(readings: LinkedReadings): "trailing" | "static" | null {
  if (isLinkedPro(readings)) return "trailing";
  return readings.info.drawdownCriteria ?? readings.drawdown?.criteria ?? null;
}

/** The loss limits of a linked account in the API's form. */
export interface LinkedLimitsView {
  readonly rules: DrawdownRules<Linked>;
  readonly breakdown: Account<Linked>["challenge"]["drawdownBreakdown"];
  readonly maxLossPct: MaybeUnknown<number>;
}

/**
 * The loss limits that bind the account; null when the network sent no drawdown data.
 * @rule S2.1.2 D4.limits S2.1.breakdown
 */
export function linkedLossLimits(readings: LinkedReadings, now: UnixMs): LinkedLimitsView | null {
  const { drawdown, ledger } = readings;
  if (drawdown === null) return null;
  const size = effectiveSize(readings);
  const dailyLoss = dailyLossOf(drawdown, size);
  const criteria = linkedCriteria(readings);
  const maxLoss = maxLossOf(criteria, drawdown, size);
  const checkedAfter = isEliminated(readings) || criteria === null ? null : now;
  const ahead = (limit: LimitFigures): NextCheck => remainingAndNextCheck(limit, checkedAfter);
  return {
    maxLossPct: maxLoss.limitPct,
    breakdown: breakdownOf(maxLoss),
    rules: {
      criteria: isLinkedPro(readings) ? "pro" : (criteria ?? "trailing"),
      dailyLoss: {
        usedPct: dailyLoss.usedPct,
        limitPct: dailyLoss.limitPct,
        dayStartEquity: usdOrNull(dailyLoss.anchor),
        ...ahead(dailyLoss),
      },
      maxLoss: {
        rule: maxLoss.rule === "staticLoss" ? "static" : "eod_trailing",
        usedPct: maxLoss.usedPct,
        limitPct: maxLoss.limitPct,
        anchorEquity: usdOrNull(maxLoss.anchor),
        measuredEquity: usdOrNull(maxLoss.measured),
        ...ahead(maxLoss),
      },
      currentBalance: usdOrNull(ledger?.balance ?? multiplyUsd(size, drawdown.balance)),
      limits: (criteria === null ? [dailyLoss] : [dailyLoss, maxLoss]).map((limit) => ({
        ...limitItem(limit),
        ...limitNow(limit, multiplyUsd(size, drawdown.equity)),
        ...ahead(limit),
        breachMovePct: null,
      })),
    },
  };
}

/** The breakdown without drawdown data: every figure is null. */
export const UNKNOWN_BREAKDOWN: LinkedLimitsView["breakdown"] = {
  highWaterMark: null,
  allowedDrawdown: null,
  currentDrawdown: null,
  remainingDrawdown: null,
  remainingDrawdownPercentHWM: null,
};

function dailyLossOf(drawdown: LinkedDrawdown, size: MicroUsd): LimitFigures {
  return limitFigures("dailyLoss", {
    usedPct: drawdown.dailyLossPct,
    limitPct: drawdown.dailyLossLimitPct,
    anchor: multiplyUsd(size, drawdown.dayStartEquity),
    measured: multiplyUsd(size, drawdown.equity),
  });
}

/**
 * The maximum loss limit. Without criteria it is not known which limit binds: the figures are null, and the answer is
 * stale.
 */
function maxLossOf(
  criteria: "trailing" | "static" | null,
  drawdown: LinkedDrawdown,
  size: MicroUsd,
): LimitFigures {
  if (criteria === "static") return staticLossOf(drawdown, size);
  if (criteria === "trailing") return endOfDayLossOf(drawdown, size);
  return limitFigures("endOfDayTrailing", {
    usedPct: null,
    limitPct: null,
    anchor: null,
    measured: null,
  });
}

function staticLossOf(drawdown: LinkedDrawdown, size: MicroUsd): LimitFigures {
  return limitFigures("staticLoss", {
    usedPct: drawdown.staticLossPct,
    limitPct: drawdown.staticLossLimitPct,
    anchor: size,
    measured: multiplyUsd(size, drawdown.equity),
  });
}

function endOfDayLossOf(drawdown: LinkedDrawdown, size: MicroUsd): LimitFigures {
  return limitFigures("endOfDayTrailing", {
    usedPct: drawdown.endOfDayLossPct ?? drawdown.trailingLossPct,
    limitPct: drawdown.endOfDayLossLimitPct,
    anchor: multiplyUsd(size, drawdown.endOfDayHighWaterMark),
    measured: multiplyUsd(size, drawdown.lastEndOfDayEquity),
  });
}

/**
 * The figures of a limit. The network's used percent is negative while the account is in profit, and becomes 0 here.
 */
function limitFigures(
  rule: LossRule,
  sent: Pick<LimitFigures, "usedPct" | "limitPct" | "anchor" | "measured">,
): LimitFigures {
  const { usedPct, limitPct, anchor, measured } = sent;
  const allowed = multiplyUsd(anchor, limitPct === null ? null : limitPct / 100);
  const used = gainUsd(subtractUsd(anchor, measured));
  return {
    ...sent,
    rule,
    usedPct: usedPct === null ? null : Math.max(0, usedPct),
    allowed,
    used,
    remaining: gainUsd(subtractUsd(allowed, used)),
  };
}

type FiguresNow = Pick<LossLimitItem<Linked>, "equityNow" | "usedPctNow" | "remainingNow">;

function limitItem(
  limit: LimitFigures,
): Omit<LossLimitItem<Linked>, keyof NextCheck | keyof FiguresNow | "breachMovePct"> {
  return {
    rule: LOSS_LIMIT_WORDS[limit.rule].rule,
    checked: LIMIT_CHECK_WORDS[LOSS_LIMITS[limit.rule].checked],
    usedPct: limit.usedPct,
    limitPct: limit.limitPct,
    anchorEquity: usdOrNull(limit.anchor),
    measuredEquity: usdOrNull(limit.measured),
    allowed: usdOrNull(limit.allowed),
    floor: usdOrNull(floorOf(limit)),
  };
}

function floorOf({ anchor, allowed }: LimitFigures): MaybeUnknown<MicroUsd> {
  return subtractUsd(anchor, allowed);
}

/** The present figures of a limit, by the equity that the network judges. @rule D12.limitNow */
function limitNow(limit: LimitFigures, equity: MaybeUnknown<MicroUsd>): FiguresNow {
  return {
    equityNow: usdOrNull(equity),
    usedPctNow: percentOfUsd(gainUsd(subtractUsd(limit.anchor, equity)), limit.anchor),
    remainingNow: usdOrNull(subtractUsd(equity, floorOf(limit))),
  };
}

type NextCheck = Pick<LossLimitItem<Linked>, "remaining" | "nextCheckMs" | "breachPrice">;

/**
 * The remaining loss of a limit and its next check. `now` is null when no check follows, or when it is not known which
 * limit binds. The network sends no prices, so no breach price is known.
 */
function remainingAndNextCheck({ rule, remaining }: LimitFigures, now: UnixMs | null): NextCheck {
  const isLive = LOSS_LIMITS[rule].checked === "live";
  return {
    remaining: usdOrNull(remaining),
    nextCheckMs: isLive || now === null ? null : nextUtcMidnight(now),
    breachPrice: null,
  };
}

function breakdownOf(limit: LimitFigures): LinkedLimitsView["breakdown"] {
  return {
    highWaterMark: usdOrNull(limit.anchor),
    allowedDrawdown: usdOrNull(limit.allowed),
    currentDrawdown: usdOrNull(limit.used),
    remainingDrawdown: usdOrNull(limit.remaining),
    remainingDrawdownPercentHWM: percentOfUsd(limit.remaining, limit.anchor),
  };
}

/** @rule S2.1.3 */
export function linkedElimination(readings: LinkedReadings): EliminationWire | null {
  if (!isEliminated(readings)) return null;
  const { elimination, info } = readings;
  const reason = elimination?.reason ?? null;
  return {
    reason,
    atMs: elimination?.atMs ?? info.eliminatedAtMs,
    drawdownPct: elimination?.drawdownPct ?? null,
    forInactivity: reason === INACTIVITY_REASON,
  };
}
