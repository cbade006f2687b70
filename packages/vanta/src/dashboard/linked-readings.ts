import type {
  AssetClassWord,
  Bucket,
  OrderTypeWord,
  PositionType,
  StopCondition,
} from "@propgate/contract";
import { RESTING_EXECUTION_TYPES } from "@propgate/contract";
import type { MicroUsd, Percent, Ratio } from "@propgate/core";
import type { DashboardCursors } from "../upstream/port.ts";

/*
 * The stored state of a linked account: plain JSON data in the units of this service. Money is in
 * 0.000001 USD, percents are plain percents, and a figure that the network did not send is null.
 */

/** The state of a linked account after its last reading. */
export interface LinkedReadings {
  readonly info: SubaccountInfo;
  readonly challenge: ChallengePeriod | null;
  readonly drawdown: LinkedDrawdown | null;
  readonly pro: ProStatistics | null;
  readonly elimination: LinkedElimination | null;
  readonly ledger: LedgerFigures | null;
  /** Open positions by uuid. */
  readonly positions: Readonly<Record<string, LinkedPosition>>;
  /** Pending orders by uuid; legs of a position are also in its `legs`. */
  readonly orders: Readonly<Record<string, LinkedOrder>>;
  /** The answer of the limits call; null until it was read. */
  readonly limits: LinkedLimits | null;
  /**
   * The cursors of the next read. The cursor of positions is before the last fill of every open position, so that the
   * network sends the open PnL of these positions again. All cursors are null after a partial answer has shown a change
   * of the phase, so that the next read is a full one.
   */
  readonly cursors: DashboardCursors;
  /**
   * The newest cursors that the network has sent. They never go back, but become null when all of `cursors` become
   * null.
   */
  readonly newest: DashboardCursors;
}

export const SUBACCOUNT_STATUSES = [
  "pending",
  "active",
  "eliminated",
  "failed",
  "unknown",
] as const;
export type SubaccountStatus = (typeof SUBACCOUNT_STATUSES)[number];

/** The subaccount as the network describes it. */
export interface SubaccountInfo {
  /** The id of the subaccount on the network, in the form `<entity's hotkey>_<number>`. */
  readonly hotkey: string;
  readonly subaccountId: number;
  readonly subaccountUuid: string | null;
  readonly assetClass: AssetClassWord;
  readonly size: MicroUsd;
  readonly standardSize: MicroUsd | null;
  /** The size of the pro account; null until the pro account is offered. */
  readonly proSize: MicroUsd | null;
  readonly drawdownCriteria: "trailing" | "static" | null;
  readonly accountType: "standard" | "pro" | null;
  readonly status: SubaccountStatus;
  readonly createdAtMs: number | null;
  readonly eliminatedAtMs: number | null;
  /** The leverage tier; negative for an account that keeps older limits. */
  readonly leverageTier: number | null;
}

/** The phase of a linked account, which the network calls its bucket. */
export interface ChallengePeriod {
  readonly bucket: Bucket;
  readonly startMs: number | null;
  readonly bucketStartMs: number | null;
}

/** The drawdown of a linked account. Equities are ratios of the account size. */
export interface LinkedDrawdown {
  readonly criteria: "trailing" | "static" | null;
  readonly equity: Ratio | null;
  readonly balance: Ratio | null;
  /** The equity at the start of the day; null before the account's first midnight. */
  readonly dayStartEquity: Ratio | null;
  readonly endOfDayHighWaterMark: Ratio | null;
  readonly lastEndOfDayEquity: Ratio | null;
  readonly lastEndOfDayMs: number | null;
  readonly currentReturn: Ratio | null;
  /** This percent and the next three are of the loss, so they are negative while the account is in profit. */
  readonly dailyLossPct: Percent | null;
  readonly endOfDayLossPct: Percent | null;
  readonly trailingLossPct: Percent | null;
  readonly staticLossPct: Percent | null;
  readonly dailyLossLimitPct: Percent | null;
  readonly endOfDayLossLimitPct: Percent | null;
  readonly staticLossLimitPct: Percent | null;
}

/** The figures of the pro track, and the thresholds of its objectives. */
export interface ProStatistics {
  readonly calmar: number | null;
  readonly consistency: Ratio | null;
  /** 1 minus the deepest drawdown as a ratio: 0.976 is a drawdown of 2.4 %. */
  readonly oneMinusMaxDrawdown: Ratio | null;
  readonly tradingDays: number | null;
  readonly calmarThreshold: number | null;
  readonly consistencyThreshold: Ratio | null;
  readonly returnThreshold: Ratio | null;
  readonly daysThreshold: number | null;
  readonly softBreachApplies: boolean | null;
  readonly softBreach: boolean | null;
}

/** The network's record of an elimination. */
export interface LinkedElimination {
  readonly atMs: number | null;
  readonly reason: string | null;
  readonly drawdownPct: Percent | null;
}

/** The account's figures in the network's ledger. */
export interface LedgerFigures {
  readonly size: MicroUsd | null;
  readonly balance: MicroUsd | null;
  readonly equity: MicroUsd | null;
  readonly unrealizedPnl: MicroUsd | null;
  readonly realizedPnl: MicroUsd | null;
  readonly fees: MicroUsd | null;
  readonly capitalUsed: MicroUsd | null;
  readonly buyingPower: MicroUsd | null;
  readonly borrowed: MicroUsd | null;
}

/** A position of a linked account, open or closed, as the network describes it. */
export interface LinkedPosition {
  readonly uuid: string;
  /** The display form of the position's pair, because the network sends no id of the pair here. */
  readonly pairDisplay: string;
  /** The direction of the position's first fill, because the network calls a closed position FLAT. */
  readonly direction: PositionType;
  readonly openMs: number;
  readonly closeMs: number | null;
  /** A multiplier on the account size: 1.0123 is +1.23 %. */
  readonly currentReturn: Ratio | null;
  readonly returnAtClose: Ratio | null;
  readonly averageEntryPrice: number | null;
  readonly realizedPnl: MicroUsd | null;
  readonly unrealizedPnl: MicroUsd | null;
  /** The leverage of the position as of its last order, as the network computed it. */
  readonly netLeverage: number | null;
  /** The value of the position as of its last order, as the network computed it. */
  readonly netValue: MicroUsd | null;
  /** The fills in the order of their times; null when they were not sent. */
  readonly fills: readonly LinkedOrder[] | null;
  /** The unfilled legs of the position. */
  readonly legs: readonly LinkedOrder[];
  /** The sum of the fee history; null when that was not sent. */
  readonly fees: MicroUsd | null;
  /** The fees in the order of their times; null when they were not sent, or when one has no time that can be read. */
  readonly feeHistory: readonly LinkedFee[] | null;
}

export const FEE_KINDS = [
  "transaction",
  "carry",
  "interest",
  "borrow",
  "hl_funding",
  "dividend_liability",
] as const;
export type FeeKind = (typeof FEE_KINDS)[number];

/** A fee of a position. `kind` is null for a kind that is not known here. */
export interface LinkedFee {
  readonly atMs: number;
  readonly kind: FeeKind | null;
  readonly amount: MicroUsd;
}

export const LINKED_EXECUTION_TYPES = [...RESTING_EXECUTION_TYPES, "MARKET", "FLAT_ALL"] as const;
export type LinkedExecutionType = (typeof LINKED_EXECUTION_TYPES)[number];

/** A fill of a position, a pending order or a leg. Sizes are as sent: those of a SHORT can be negative. */
export interface LinkedOrder {
  readonly uuid: string;
  /** The display form of the order's pair; null for an order within a position. */
  readonly pairDisplay: string | null;
  readonly type: OrderTypeWord | null;
  readonly executionType: LinkedExecutionType | null;
  readonly processedMs: number | null;
  readonly value: MicroUsd | null;
  readonly leverage: number | null;
  readonly quantity: number | null;
  readonly bracketPct: Ratio | null;
  readonly price: number | null;
  /** The network's code of the cause, or the slippage as a ratio: the network's versions differ. */
  readonly sourceOrSlippage: number | null;
  readonly limitPrice: number | null;
  readonly stopPrice: number | null;
  readonly stopCondition: StopCondition | null;
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailingPercent: Ratio | null;
  readonly trailingValue: number | null;
  readonly legs: readonly LinkedOrder[];
}

/** The caps of a linked account, from the answer of the limits call. */
export interface LinkedLimits {
  /** The portfolio's cap, a multiple of the balance. */
  readonly portfolioCap: number | null;
  readonly maxPortfolio: MicroUsd | null;
  readonly maxPerClass: Readonly<Record<string, MicroUsd>>;
  /** The cap of each pair by its id, a multiple of the balance. */
  readonly pairCaps: Readonly<Record<string, number>>;
}

/** A checkpoint of the network's ledger, for 12 hours. It is the body of a stored record. */
export interface LinkedCheckpoint {
  readonly atMs: number;
  /** The PnL that was realized in the 12 hours. */
  readonly realizedPnl: MicroUsd;
  /** The open PnL at the end of the 12 hours. */
  readonly unrealizedPnl: MicroUsd;
}

/** The return of one day. It is the body of a stored record. */
export interface LinkedDailyReturn {
  /** The day in UTC, such as `2026-01-05`. */
  readonly date: string;
  readonly percent: Percent;
}

/** One answer of the dashboard, decoded but not yet merged. A section that is null was not sent. */
export interface DashboardPart {
  readonly info: SubaccountInfo;
  readonly challenge: ChallengePeriod | null;
  readonly drawdown: LinkedDrawdown | null;
  readonly pro: ProStatistics | null;
  readonly elimination: LinkedElimination | null;
  readonly ledger: LedgerFigures | null;
  readonly positions: {
    readonly items: readonly LinkedPosition[];
    readonly cursorMs: number | null;
  } | null;
  readonly orders: {
    readonly open: readonly LinkedOrder[];
    readonly closed: readonly string[];
    readonly cursorMs: number | null;
  } | null;
  readonly checkpoints: {
    readonly items: readonly LinkedCheckpoint[];
    readonly cursorMs: number | null;
  } | null;
  readonly dailyReturns: {
    readonly items: readonly LinkedDailyReturn[];
    readonly cursorMs: number | null;
  } | null;
}
