import type { AccountClass, AssetClass, LeverageTier } from "../market/instrument.ts";
import type { Leverage, MicroUsd, Percent, Ratio } from "../units.ts";

export type DrawdownCriteria = "trailing" | "static";

/** The profit target and the loss limits of a phase. */
export interface PhaseTerms {
  /** The profit target in percent of the size; null when the phase has none. */
  readonly profitTargetPct: Percent | null;
  readonly dailyLossPct: Percent;
  readonly maxLossPct: Percent;
}

/** The terms of an account: its own copy of a version of a program. Later versions do not change it. @rule D7.terms */
export interface Terms {
  readonly programId: string;
  readonly programVersion: number;
  readonly variant: "classic" | "pro";
  readonly assetClass: AccountClass;
  readonly size: MicroUsd;
  readonly criteria: DrawdownCriteria;
  readonly tier: LeverageTier;
  readonly challenge: PhaseTerms;
  readonly funded: PhaseTerms;
  readonly classCaps: Readonly<Record<AssetClass, Leverage>>;
  readonly portfolioCap: Leverage;
  /**
   * The caps of exposure groups, by kind of group: the word before the colon in `currency:USD`. A kind that is missing
   * has no cap.
   */
  readonly groupCaps: Readonly<Record<string, Leverage>>;
  /** The trader's share of the profit: 0.8 is 80 %, and it may exceed 1. */
  readonly profitSplit: Ratio;
  readonly inactivityMs: number;
  /**
   * Minimum time between two orders on one pair; 0 for none. A MARKET, LIMIT or STOP_LIMIT order that comes before this
   * time has passed is refused.
   */
  readonly cooldownMs: number;
  readonly mostRestingOrders: number;
  /**
   * The levels of each loss limit that are recorded, in percent of its allowed loss, ascending; absent when none is.
   * @rule D9.limitNeared
   */
  readonly nearLevels?: readonly Percent[];
}

/**
 * The objectives of a pro program. All four have to be met for the promotion to pro funded. Afterwards, a day that
 * misses the target of the Calmar ratio or of the consistency withholds the share of its cycle. @rule S2.1.1.objectives
 */
export interface ProObjectives {
  /** Minimum return on the pro size. */
  readonly returnRatio: Ratio;
  /** Minimum ratio of the realized return to the maximum drawdown. */
  readonly calmar: Ratio;
  /** Maximum share of the best day in the sum of the returns of all full days. */
  readonly consistency: Ratio;
  /** Minimum number of full days: ended UTC days that began at or after the first trade. */
  readonly tradingDays: number;
  /** The largest gain of one day that counts for the consistency; a larger gain counts as this value. */
  readonly countedDayGain: Ratio;
  /** The smallest drawdown with which the Calmar ratio is computed; a smaller one counts as this value. */
  readonly leastDrawdown: Ratio;
}

/** The terms of a pro program, as it was offered. */
export interface ProTerms extends Terms {
  readonly objectives: ProObjectives;
  /**
   * The scale of the payouts in a pro challenge that follows a funded account: it reduces the payouts of the larger
   * account to those of the standard account. @rule D7.scale
   */
  readonly challengePayoutScale: Ratio;
}
