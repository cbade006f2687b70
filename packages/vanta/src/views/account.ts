import { ACCOUNT, type Account, hasUnsent, type Linked, MARKET_NAMES } from "@propgate/contract";
import { type AccountId, dollars, type MicroUsd, type UnixMs } from "@propgate/core";
import { evaluationTitle, evaluationWord, shortSizeText, sizeText } from "@propgate/wire";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import {
  linkedCap,
  linkedCapText,
  linkedFigures,
  linkedReturn,
  linkedTarget,
} from "./account-figures.ts";
import {
  linkedCriteria,
  linkedElimination,
  linkedLossLimits,
  UNKNOWN_BREAKDOWN,
} from "./loss-limits.ts";
import { type LinkedHistory, linkedPerformance } from "./performance.ts";
import { effectiveSize, isEliminated, isLinkedPro, linkedStatus, phaseOf } from "./phase.ts";
import { linkedProTrack, linkedTradingDays } from "./pro-track.ts";

export interface LinkedAccountReading extends LinkedHistory {
  readonly accountId: AccountId;
  readonly readings: LinkedReadings;
  /** The pairs of the network; null when they could not be read. */
  readonly pairs: LinkedPairs | null;
  /** The owner's accounts that are neither eliminated nor closed, and how many are allowed. */
  readonly ownerAccounts: { readonly active: number; readonly max: number | null };
  readonly generatedAtMs: UnixMs;
  /** True when the newest reading failed and `readings` are older. */
  readonly stale: boolean;
}

/**
 * The account snapshot in the API's form. A figure that the network did not send is null. `meta.stale` is true when
 * such a figure is missing, when a word that cannot be null is a placeholder, when the result of a trade is unknown,
 * and when the reading is stale. @rule S2.1 D13.types
 */
export function linkedAccountView(reading: LinkedAccountReading): Account<Linked> {
  const { readings, generatedAtMs: now } = reading;
  const { info } = readings;
  const soldSize = info.standardSize ?? info.size;
  const performance = linkedPerformance(readings, reading, reading.pairs);
  const limits = linkedLossLimits(readings, now);
  const isStale = reading.stale || performance.isPartial || hasPlaceholder(readings);
  const view: Account<Linked> = {
    accountId: reading.accountId,
    assetClass: info.assetClass,
    marketName: MARKET_NAMES[info.assetClass],
    accountSize: dollars(soldSize),
    formattedAccountSize: sizeText(soldSize),
    evaluation: evaluation(reading, soldSize),
    account: linkedFigures(readings),
    challenge: {
      variant: isLinkedPro(readings) ? "pro" : "classic",
      bucket: isEliminated(readings) ? "ELIMINATED" : (readings.challenge?.bucket ?? "unknown"),
      drawdownCriteria: linkedCriteria(readings) ?? "trailing",
      ...linkedTarget(readings),
      maxLeverage: linkedCapText(readings),
      maxLeverageNumeric: linkedCap(readings),
      trailingDrawdownPercent: limits?.maxLossPct ?? null,
      maxDrawdown: limits?.maxLossPct ?? null,
      daysRemaining: 0,
      totalDays: 0,
      drawdownBreakdown: limits?.breakdown ?? UNKNOWN_BREAKDOWN,
    },
    performance: performance.view,
    meta: {
      generatedAtMs: now,
      stale: isStale,
    },
    proTrack: linkedProTrack(readings, linkedReturn(readings), now),
    drawdownRules: limits?.rules ?? null,
    elimination: linkedElimination(readings),
    isPro: isLinkedPro(readings),
    cancelAllAfter: null,
    tradingDays: linkedTradingDays(readings),
  };
  return hasUnsent(ACCOUNT.json, view) ? { ...view, meta: { ...view.meta, stale: true } } : view;
}

function evaluation(
  { readings, ownerAccounts }: LinkedAccountReading,
  soldSize: MicroUsd,
): Account<Linked>["evaluation"] {
  const size = effectiveSize(readings);
  return {
    title: linkedTitle(readings),
    // Without a phase the word is a placeholder, and the answer is stale.
    status: evaluationWord(linkedStatus(readings), phaseOf(readings) ?? "challenge"),
    isEliminated: isEliminated(readings),
    accountSize: sizeText(soldSize),
    accountSizeNumeric: dollars(soldSize),
    activeAccounts: `${ownerAccounts.active}/${Math.max(ownerAccounts.active, ownerAccounts.max ?? 0)}`,
    activeAccountsCount: ownerAccounts.active,
    activeAccountsMax: ownerAccounts.max,
    effectiveAccountSizeNumeric: dollars(size),
  };
}

/**
 * The title of the account, such as `Classic $100K Evaluation`; `$100K Account` while the phase is unknown.
 * @rule D3.title
 */
export function linkedTitle(readings: LinkedReadings): string {
  const phase = phaseOf(readings);
  const size = effectiveSize(readings);
  return phase === null
    ? `${shortSizeText(size)} Account`
    : evaluationTitle({ phase, effectiveSize: size });
}

/** Whether the answer has a placeholder for a word or size that cannot be null, and that the network did not send. */
function hasPlaceholder(readings: LinkedReadings): boolean {
  const { info } = readings;
  return (
    linkedCriteria(readings) === null ||
    (phaseOf(readings) === null && !isEliminated(readings)) ||
    (isLinkedPro(readings) && info.standardSize === null)
  );
}
