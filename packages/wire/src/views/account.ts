import { type Account, MARKET_NAMES } from "@propgate/contract";
import {
  type AccountSnapshot,
  dollars,
  type MicroUsd,
  maxLossOf,
  roundUsd,
  subtractUsd,
} from "@propgate/core";
import type { AccountReading, OwnerAccounts } from "@propgate/ledger";
import { ASSET_CLASS_WORDS, bucketWord, evaluationWord } from "../wire.ts";
import { armedSwitchView } from "./armed-switch.ts";
import { drawdownBreakdown, drawdownRules, eliminationView } from "./drawdown.ts";
import { accountLeverageText, capText, durationText, shortSizeText, sizeText } from "./format.ts";
import { isProRunning, proTrackView, tradingDays } from "./pro-track.ts";
import { usdOrNull } from "./usd-or-null.ts";

/**
 * The account snapshot in the API's form, with every field of the specification, from one reading.
 * @rule D3.words D4.changes @rule S2.1 decides
 */
export function accountView(reading: AccountReading): Account {
  const { snapshot } = reading;
  return {
    accountId: snapshot.accountId,
    assetClass: ASSET_CLASS_WORDS[snapshot.assetClass],
    marketName: MARKET_NAMES[ASSET_CLASS_WORDS[snapshot.assetClass]],
    accountSize: dollars(snapshot.size),
    formattedAccountSize: sizeText(snapshot.size),
    evaluation: evaluationFields(reading),
    account: accountFigures(snapshot),
    challenge: challengeFields(snapshot),
    performance: performanceFields(reading),
    meta: { generatedAtMs: reading.generatedAtMs, stale: reading.stale },
    proTrack: proTrackView(snapshot.proTrack),
    drawdownRules: drawdownRules(snapshot),
    elimination: eliminationView(snapshot.elimination),
    isPro: isProRunning(snapshot.proTrack),
    cancelAllAfter: snapshot.armedSwitch === null ? null : armedSwitchView(snapshot.armedSwitch),
    tradingDays: tradingDays(snapshot.proTrack),
  };
}

function evaluationFields({ snapshot, ownerAccounts }: AccountReading): Account["evaluation"] {
  return {
    title: evaluationTitle(snapshot),
    status: evaluationWord(snapshot.status, snapshot.phase),
    isEliminated: snapshot.elimination !== null,
    accountSize: sizeText(snapshot.size),
    accountSizeNumeric: dollars(snapshot.size),
    activeAccounts: activeAccountsText(ownerAccounts ?? THIS_ACCOUNT),
    activeAccountsCount: ownerAccounts?.active ?? null,
    activeAccountsMax: ownerAccounts?.max ?? null,
    effectiveAccountSizeNumeric: dollars(snapshot.effectiveSize),
  };
}

/** Used when the owner's accounts could not be counted, because the specified text is never null. */
const THIS_ACCOUNT: OwnerAccounts = { active: 1, max: null };

/**
 * `n/m`: the open accounts, and the greater of their number and their maximum.
 * @rule D13.activeAccounts decides
 */
function activeAccountsText({ active, max }: OwnerAccounts): string {
  return `${active}/${Math.max(active, max ?? 0)}`;
}

/**
 * The title of an evaluation, such as `Classic $100K Evaluation`: the variant, the size and the phase. The transition
 * has a title of its own. @rule D3.title decides
 */
export function evaluationTitle({
  phase,
  effectiveSize,
}: Pick<AccountSnapshot, "phase" | "effectiveSize">): string {
  switch (phase) {
    case "challenge":
      return `Classic ${shortSizeText(effectiveSize)} Evaluation`;
    case "funded":
      return `Classic ${shortSizeText(effectiveSize)} Funded`;
    case "proTransition":
      return "Pro Transition";
    case "proChallengeDirect":
    case "proChallengeFromStandard":
      return `Pro ${shortSizeText(effectiveSize)} Challenge`;
    case "proFunded":
      return `Pro ${shortSizeText(effectiveSize)} Funded`;
  }
}

/**
 * The figures of `account`. All changes except today's are measured from the effective size, which is the pro size in
 * the pro challenge and pro funded phases, and their percents are percents of it.
 * @rule D4.changes D4.portfolioBalance decides
 */
function accountFigures(snapshot: AccountSnapshot): Account["account"] {
  const { balance, equity, effectiveSize: size, maxLeverage } = snapshot;
  const ofSize = (amount: number): number => (amount * 100) / size;
  return {
    currentBalance: dollars(balance),
    currentEquity: dollars(equity),
    balanceChange: usdDifference(balance, size),
    balanceChangePercent: ofSize(balance - size),
    totalPnL: usdDifference(equity, size),
    totalPnLPercent: ofSize(equity - size),
    openPnL: dollars(snapshot.openPnl),
    openPnLPercent: ofSize(snapshot.openPnl),
    todayPnl: usdOrNull(snapshot.today?.pnl ?? null),
    todayPnlPct: snapshot.today?.pct ?? null,
    openPositions: snapshot.openPositions,
    portfolioBalance: dollars(roundUsd(dollars(balance) * maxLeverage)),
    portfolioBalanceChangePercent: ofSize(balance - size),
    portfolioBalanceBreakdown: {
      currentBalance: dollars(balance),
      marginLeverage: maxLeverage,
      sumPositionValue: dollars(snapshot.positionValue),
    },
    leverage: accountLeverageText(snapshot.currentLeverage, maxLeverage),
    currentLeverage: snapshot.currentLeverage,
    maxLeverage,
    buyingPower: dollars(snapshot.buyingPower),
    availableMargin: dollars(snapshot.availableMargin),
    capitalUsed: dollars(snapshot.capitalUsed),
    totalRealizedPnl: dollars(snapshot.realizedPnl),
    isPassed: snapshot.isPassed,
  };
}

function challengeFields(snapshot: AccountSnapshot): Account["challenge"] {
  const { drawdown, status, phase } = snapshot;
  const maxLoss = maxLossOf(drawdown);
  return {
    variant: snapshot.variant,
    bucket: bucketWord(status, phase),
    // An account on the pro track has the trailing limit in addition to the daily one. @rule S3.criteria decides
    drawdownCriteria: drawdown.criteria === "pro" ? "trailing" : drawdown.criteria,
    profitTarget: dollars(snapshot.profitTarget),
    profitTargetPercent: snapshot.profitTargetPct,
    remaining: dollars(snapshot.profitRemaining),
    maxLeverage: capText(snapshot.maxLeverage),
    maxLeverageNumeric: snapshot.maxLeverage,
    trailingDrawdownPercent: maxLoss.limitPct,
    maxDrawdown: maxLoss.limitPct,
    daysRemaining: 0,
    totalDays: 0,
    drawdownBreakdown: drawdownBreakdown(maxLoss),
  };
}

function performanceFields({ snapshot, dailyReturns }: AccountReading): Account["performance"] {
  const { performance: figure } = snapshot;
  return {
    totalTrades: figure.totalTrades,
    winRate: figure.winRatePct,
    totalWins: figure.wins,
    avgTradePnL: dollars(figure.averageTradePnl),
    tradeDuration: durationText(figure.averageHeldMs),
    tradeDurationMs: figure.averageHeldMs,
    challengeStartMs: figure.challengeStartMs,
    dailyReturns: dailyReturns.map(({ dayStartMs, percent }) => ({
      date: new Date(dayStartMs).toISOString().slice(0, "YYYY-MM-DD".length),
      value: percent,
    })),
  };
}

/** The difference in USD. It is computed in whole micro dollars, so no cent is lost to binary fractions. */
function usdDifference(from: MicroUsd, amount: MicroUsd): number {
  return dollars(subtractUsd(from, amount));
}
