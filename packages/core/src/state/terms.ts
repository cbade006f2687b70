import type { AccountClass, AssetClass, LeverageTier } from "../market/instrument.ts";
import type { Leverage, MicroUsd, Percent, Ratio } from "../units.ts";

export type DrawdownCriteria = "trailing" | "static";

/** The target and the limits of a phase. */
export interface PhaseTerms {
  /** Null when the phase has no target. */
  readonly profitTargetPct: Percent | null;
  readonly dailyLossPct: Percent;
  readonly maxLossPct: Percent;
}

/** The program version of an account, which keeps its own copy for life. @rule D7.terms */
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
  /** By kind of group, the word before the colon in `currency:USD`; a missing kind has no cap. */
  readonly groupCaps: Readonly<Record<string, Leverage>>;
  /** The trader's share of the profit: 0.8 is 80 %, and it may exceed 1. */
  readonly profitSplit: Ratio;
  readonly inactivityMs: number;
  /** Minimum time between two orders on one pair; 0 for none. */
  readonly cooldownMs: number;
  readonly mostRestingOrders: number;
  /** Used percents of each loss limit that are recorded, ascending; absent when none is. @rule D9.limitNeared */
  readonly nearLevels?: readonly Percent[];
}

/** The objectives of a pro program: to be funded, and each week afterwards. @rule S2.1.1.objectives */
export interface ProObjectives {
  /** Minimum return on the pro size. */
  readonly returnRatio: Ratio;
  /** Minimum return over maximum drawdown. */
  readonly calmar: Ratio;
  /** Maximum share of the best day in the sum of all days. */
  readonly consistency: Ratio;
  /** Full UTC days since the first trade. */
  readonly tradingDays: number;
  /** Cap of a day's gain for consistency. */
  readonly countedDayGain: Ratio;
  /** Minimum drawdown in the Calmar ratio. */
  readonly leastDrawdown: Ratio;
}

/** A pro program as it was offered. */
export interface ProTerms extends Terms {
  readonly objectives: ProObjectives;
  /**
   * Scale of the payouts in the pro challenge of a funded trader, so that the larger account pays no
   * more than the standard one did. @rule D7.scale
   */
  readonly challengePayoutScale: Ratio;
}
