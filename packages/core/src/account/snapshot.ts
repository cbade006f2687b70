import type { AccountId } from "../ids.ts";
import type { AccountClass } from "../market/instrument.ts";
import type { Position } from "../positions/position.ts";
import type { Objective } from "../pro/objectives.ts";
import type { ProStatistics } from "../pro/track.ts";
import type { DrawdownCriteria } from "../rules/terms.ts";
import type { Leverage, MicroUsd, Percent, Price, Ratio, UnixMs } from "../units.ts";
import type { AccountStatus, Elimination, Phase } from "./account.ts";

/** Every figure of one account at one moment. Wire names and formats are the service's matter. @rule S2.1 */
export interface AccountSnapshot {
  readonly accountId: AccountId;
  readonly assetClass: AccountClass;
  readonly status: AccountStatus;
  readonly phase: Phase;
  readonly variant: "classic" | "pro";
  /** The standard size the account was sold. */
  readonly size: MicroUsd;
  /** The size the network runs now. */
  readonly effectiveSize: MicroUsd;
  readonly balance: MicroUsd;
  readonly equity: MicroUsd;
  readonly openPnl: MicroUsd;
  readonly openPositions: number;
  /** Σ |net value| of what is open, at the mark. */
  readonly positionValue: MicroUsd;
  /** positionValue over balance. */
  readonly currentLeverage: Leverage;
  /** The portfolio cap. */
  readonly maxLeverage: Leverage;
  readonly buyingPower: MicroUsd;
  readonly availableMargin: MicroUsd;
  /** Σ entry value of what is open. */
  readonly capitalUsed: MicroUsd;
  readonly realizedPnl: MicroUsd;
  readonly isPassed: boolean;
  readonly profitTarget: MicroUsd;
  readonly profitTargetPct: Percent;
  readonly profitRemaining: MicroUsd;
  readonly drawdown: DrawdownFigures;
  readonly outlook: DrawdownOutlook;
  readonly performance: {
    /** Closed trades and open positions together. */
    readonly totalTrades: number;
    readonly closedTrades: number;
    readonly wins: number;
    readonly winRatePct: Percent;
    readonly averageTradePnl: MicroUsd;
    /** Mean time held of closed trades; null while there is none. */
    readonly averageHeldMs: number | null;
    /** When the running phase began. */
    readonly challengeStartMs: UnixMs;
  };
  /** Null for an account that is not on the pro track. */
  readonly proTrack: ProTrackFigures | null;
  readonly elimination: Elimination | null;
}

/** @rule S2.1.1.phase */
export interface ProTrackFigures {
  readonly phase: "transition" | "challenge" | "funded";
  /** Null outside the transition. */
  readonly transitionEndsAtMs: UnixMs | null;
  readonly standardSize: MicroUsd;
  readonly proSize: MicroUsd;
  /** Null until the pro account has started. */
  readonly statistics: ProStatistics | null;
  readonly objectives: readonly Objective[];
  readonly softBreachApplies: boolean;
  /** True while the cycle in progress is held. */
  readonly softBreach: boolean;
}

/** One limit: what it is measured against, how much is used and what is left. */
export interface LimitFigures {
  readonly rule: "dailyLoss" | "staticLoss" | "endOfDayTrailing";
  readonly usedPct: Percent;
  readonly limitPct: Percent;
  readonly anchor: MicroUsd;
  readonly measured: MicroUsd;
  /** anchor × limitPct. */
  readonly allowed: MicroUsd;
  /** anchor − measured, never below zero. */
  readonly used: MicroUsd;
  /** allowed − used, never below zero. */
  readonly remaining: MicroUsd;
  /** The least equity that is not beyond the limit. */
  readonly floor: MicroUsd;
}

/** @rule S2.1.2 */
export interface DrawdownFigures {
  readonly criteria: DrawdownCriteria | "pro";
  readonly dailyLoss: LimitFigures;
  readonly maxLoss: LimitFigures;
}

/** Where a limit would be passed, and when. */
export interface LimitOutlook {
  /** Null: at every price; of an account that has ended, never. */
  readonly nextCheckMs: UnixMs | null;
  /**
   * The mark of the one open position at which equity stands on the floor: a long breaches below
   * it, a short above. Null with none or several open, and where no price leads there.
   */
  readonly breachPrice: Price | null;
}

/** @rule D4.outlook */
export interface DrawdownOutlook {
  readonly dailyLoss: LimitOutlook;
  readonly maxLoss: LimitOutlook;
}

/** An open position with what only the mark can tell; null while no quote was ever seen. */
export interface PositionReading {
  readonly position: Position;
  readonly mark: Price | null;
  readonly unrealizedPnl: MicroUsd | null;
  /** Signed value at the mark. */
  readonly netValue: MicroUsd | null;
  /** netValue over balance. */
  readonly netLeverage: Leverage | null;
  /** 1 + (realized + unrealized) / size. */
  readonly currentReturn: Ratio | null;
  /** Of its nearest legs; null without any. */
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
}
