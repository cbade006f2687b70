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

/** The program as it was sold; an account keeps its own copy for life. @rule D7.terms */
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
  /** Of each exposure group of an instrument; null: groups do not bind. */
  readonly groupCap: Leverage | null;
  /** Share of the profit the trader is paid: 1 is 100 %, and it may exceed 1. */
  readonly profitSplit: Ratio;
  readonly inactivityMs: number;
  /** Between two orders of the account on one pair; 0: none. */
  readonly cooldownMs: number;
  readonly mostRestingOrders: number;
}
