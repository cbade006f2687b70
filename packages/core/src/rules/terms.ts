import type { AccountClass, AssetClass, LeverageTier } from "../market/instrument.ts";
import type { Leverage, MicroUsd, Percent, Ratio } from "../units.ts";

export type DrawdownCriteria = "trailing" | "static";

/** What a phase of a program asks and allows. */
export interface PhaseTerms {
  /** Null: the phase has no target. */
  readonly profitTargetPct: Percent | null;
  readonly dailyLossPct: Percent;
  readonly maxLossPct: Percent;
}

/** The version of a program under which an account runs; it keeps its own copy for life. @rule D7.terms */
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
  /** By the kind of group, the word before the colon of `currency:USD`; a kind that is missing does not bind. */
  readonly groupCaps: Readonly<Record<string, Leverage>>;
  /** Share of the profit the trader is paid: 1 is 100 %, and it may exceed 1. */
  readonly profitSplit: Ratio;
  readonly inactivityMs: number;
  /** Between two orders of the account on one pair; 0: none. */
  readonly cooldownMs: number;
  readonly mostRestingOrders: number;
}

/** What a pro program asks before it funds an account, and of a funded one each week. @rule S2.1.1.objectives */
export interface ProObjectives {
  /** Least return on the pro size. */
  readonly returnRatio: Ratio;
  /** Least return over maximum drawdown. */
  readonly calmar: Ratio;
  /** Greatest share of the best day in all days together. */
  readonly consistency: Ratio;
  /** Full UTC days since the first trade. */
  readonly tradingDays: number;
  /** A day's gain counts for consistency up to this return. */
  readonly countedDayGain: Ratio;
  /** Drawdown below this counts as this in the Calmar ratio. */
  readonly leastDrawdown: Ratio;
}

/** A pro program as it was offered. */
export interface ProTerms extends Terms {
  readonly objectives: ProObjectives;
  /**
   * What the challenge of a funded trader pays out of its profit, so that the greater account does
   * not pay more than the standard one did. @rule D7.scale
   */
  readonly challengePayoutScale: Ratio;
}
