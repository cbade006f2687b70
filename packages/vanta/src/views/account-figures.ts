import { type Account, fixedText, type Linked } from "@propgate/contract";
import { type MicroUsd, microUsd, statisticRatio } from "@propgate/core";
import { capText, roundedPercent, usdOrNull } from "@propgate/wire";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import {
  gainUsd,
  type MaybeUnknown,
  magnitudeUsd,
  multiplyUsd,
  percentOfUsd,
  subtractUsd,
  sumUsd,
} from "./exact-usd.ts";
import { withoutNoise } from "./fills.ts";
import { effectiveSize, isEliminated, phaseOf } from "./phase.ts";

const UNKNOWN = "--";
const LEVERAGE_DECIMALS = 4;

/** The balance in the network's ledger; null when it was not sent. */
export function linkedBalance({ ledger }: LinkedReadings): MaybeUnknown<MicroUsd> {
  return ledger?.balance ?? null;
}

/** The equity as sent, or else the sum of balance and open PnL; null when one of the two is not known. */
export function linkedEquity(readings: LinkedReadings): MaybeUnknown<MicroUsd> {
  return readings.ledger?.equity ?? sumUsd([linkedBalance(readings), linkedOpenPnl(readings)]);
}

/**
 * The open PnL as sent, or else the sum over the open positions; null when a position has no PnL, and when no open PnL
 * was sent and there are no positions.
 */
function linkedOpenPnl({ ledger, positions }: LinkedReadings): MaybeUnknown<MicroUsd> {
  const open = Object.values(positions).map(({ unrealizedPnl }) => unrealizedPnl);
  return ledger?.unrealizedPnl ?? (open.length === 0 ? null : sumUsd(open));
}

/** The lesser of balance and equity, minus the size: the profit that counts towards a target. */
function linkedProfit(readings: LinkedReadings): MaybeUnknown<MicroUsd> {
  const [balance, equity] = [linkedBalance(readings), linkedEquity(readings)];
  if (balance === null || equity === null) return null;
  return subtractUsd(microUsd(Math.min(balance, equity)), effectiveSize(readings));
}

/** The profit of `linkedProfit` as a ratio of the size. */
export function linkedReturn(readings: LinkedReadings): MaybeUnknown<number> {
  const profit = linkedProfit(readings);
  return profit === null ? null : statisticRatio(profit / effectiveSize(readings));
}

/** The account's money and leverage. @rule S2.1 D4.changes D4.portfolioBalance */
export function linkedFigures(readings: LinkedReadings): Account<Linked>["account"] {
  const { ledger } = readings;
  const size = effectiveSize(readings);
  const [balance, equity, openPnl] = [
    linkedBalance(readings),
    linkedEquity(readings),
    linkedOpenPnl(readings),
  ];
  const cap = linkedCap(readings);
  const change = subtractUsd(balance, size);
  const total = subtractUsd(equity, size);
  const buyingPower = gainUsd(ledger?.buyingPower ?? null);
  return {
    currentBalance: usdOrNull(balance),
    currentEquity: usdOrNull(equity),
    balanceChange: usdOrNull(change),
    balanceChangePercent: percentOfUsd(change, size),
    totalPnL: usdOrNull(total),
    totalPnLPercent: percentOfUsd(total, size),
    openPnL: usdOrNull(openPnl),
    openPnLPercent: percentOfUsd(openPnl, size),
    ...linkedToday(readings),
    openPositions: Object.keys(readings.positions).length,
    portfolioBalance: usdOrNull(multiplyUsd(balance, cap)),
    portfolioBalanceChangePercent: cap === null ? null : percentOfUsd(change, size),
    ...leverageFigures(readings),
    buyingPower: usdOrNull(buyingPower),
    availableMargin: usdOrNull(cap === null ? null : multiplyUsd(buyingPower, 1 / cap)),
    capitalUsed: usdOrNull(ledger?.capitalUsed ?? null),
    totalRealizedPnl: usdOrNull(ledger?.realizedPnl ?? null),
    isPassed: isPassed(readings),
  };
}

/**
 * The result of the day, by the equities with which the network judges the account. Null for an eliminated account, and
 * when the network did not send the figures. @rule D13.todayPnl
 */
function linkedToday(
  readings: LinkedReadings,
): Pick<Account<Linked>["account"], "todayPnl" | "todayPnlPct"> {
  const { drawdown } = readings;
  if (drawdown === null || isEliminated(readings)) return { todayPnl: null, todayPnlPct: null };
  const size = effectiveSize(readings);
  const start = multiplyUsd(size, drawdown.dayStartEquity);
  const pnl = subtractUsd(multiplyUsd(size, drawdown.equity), start);
  return {
    todayPnl: usdOrNull(pnl),
    todayPnlPct: start === null || start <= 0 ? null : percentOfUsd(pnl, start),
  };
}

/** The portfolio's cap, a multiple of the balance; null when it is not known. */
export function linkedCap({ limits }: LinkedReadings): MaybeUnknown<number> {
  const cap = limits?.portfolioCap ?? null;
  return cap !== null && cap > 0 ? cap : null;
}

/** The cap as text, such as `15x`; `--` when it is not known. */
export function linkedCapText(readings: LinkedReadings): string {
  const cap = linkedCap(readings);
  return cap === null ? UNKNOWN : capText(cap);
}

type LeverageFigures = Pick<
  Account<Linked>["account"],
  "portfolioBalanceBreakdown" | "leverage" | "currentLeverage" | "maxLeverage"
>;

/**
 * The leverage of the account, and the figures from which it is computed. A position counts with the value that it had
 * at its last order, because the network sends only that value.
 */
function leverageFigures(readings: LinkedReadings): LeverageFigures {
  const balance = linkedBalance(readings);
  const value = sumUsd(
    Object.values(readings.positions).map(({ netValue }) => magnitudeUsd(netValue)),
  );
  const current =
    value === null || balance === null || balance <= 0 ? null : withoutNoise(value / balance);
  const currentText = current === null ? UNKNOWN : `${fixedText(current, LEVERAGE_DECIMALS)}x`;
  return {
    portfolioBalanceBreakdown: {
      currentBalance: usdOrNull(balance),
      marginLeverage: linkedCap(readings),
      sumPositionValue: usdOrNull(value),
    },
    leverage: `Current - ${currentText} / Max - ${linkedCapText(readings)}`,
    currentLeverage: current,
    maxLeverage: linkedCap(readings),
  };
}

/** Whether the challenge is passed; null when the phase is unknown. */
function isPassed(readings: LinkedReadings): boolean | null {
  switch (phaseOf(readings)) {
    case null:
      return null;
    case "challenge":
    case "proChallengeDirect":
    case "proChallengeFromStandard":
      return false;
    case "funded":
    case "proTransition":
    case "proFunded":
      return true;
  }
}

const TARGET_RATIO = 0.1;
const TARGET_RATIO_FOREX = 0.08;

/**
 * The profit that passes the phase, as a ratio of the size; 0 for a phase without a target, null when it is unknown.
 */
function targetRatio(readings: LinkedReadings): MaybeUnknown<number> {
  switch (phaseOf(readings)) {
    case null:
      return null;
    case "challenge":
      return readings.info.assetClass === "forex" ? TARGET_RATIO_FOREX : TARGET_RATIO;
    case "proChallengeDirect":
    case "proChallengeFromStandard":
      return readings.pro?.returnThreshold ?? null;
    case "funded":
    case "proTransition":
    case "proFunded":
      return 0;
  }
}

/** The profit target, and the profit that is still missing; null where they are not known. @rule D4.remaining */
export function linkedTarget(
  readings: LinkedReadings,
): Pick<Account<Linked>["challenge"], "profitTarget" | "profitTargetPercent" | "remaining"> {
  const ratio = targetRatio(readings);
  const target = multiplyUsd(effectiveSize(readings), ratio);
  const missing = target === 0 ? target : gainUsd(subtractUsd(target, linkedProfit(readings)));
  return {
    profitTarget: usdOrNull(target),
    profitTargetPercent: ratio === null ? null : roundedPercent(ratio),
    remaining: usdOrNull(missing),
  };
}
