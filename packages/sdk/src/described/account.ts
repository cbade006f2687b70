// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { DrawdownRules, Elimination } from "./drawdown-rules.ts";
import type { ArmedSwitch } from "./order-result.ts";
import type { ProTrack } from "./pro-track.ts";

/** The account at this moment. */
export interface Account<Unsent extends Linked = never> {
  /** The account that the key is bound to. */
  readonly accountId: string;
  /** Markets that the account may trade. */
  readonly assetClass:
    | "crypto"
    | "forex"
    | "indices"
    | "equities"
    | "commodities"
    | "all_markets"
    | "hl_all";
  /** The same for display. */
  readonly marketName:
    | "Crypto"
    | "Forex"
    | "Indices"
    | "Equities"
    | "Commodities"
    | "All Markets"
    | "Hyperliquid";
  /** The standard size that was sold, USD. */
  readonly accountSize: number;
  /** The same for display, `$100,000`. */
  readonly formattedAccountSize: string;
  /** The program of the account and its status. */
  readonly evaluation: {
    /** Such as `Classic $100K Evaluation`. */
    readonly title: string;
    /** The account's status. */
    readonly status: "provisioning" | "evaluation" | "funded" | "eliminated";
    /** True after the account's elimination. */
    readonly isEliminated: boolean;
    /** The account's size as displayed, `$100,000`. */
    readonly accountSize: string;
    /** The same, USD. */
    readonly accountSizeNumeric: number;
    /**
     * The owner's active accounts and the maximum, `1/5`; the first number twice without a maximum,
     * or past it. A placeholder while `activeAccountsCount` is null.
     */
    readonly activeAccounts: string;
    /**
     * The first number of `activeAccounts`; null when it could not be read: `meta.stale` is true.
     */
    readonly activeAccountsCount: number | null;
    /** The maximum of the owner's accounts; null without one, and when it could not be read. */
    readonly activeAccountsMax: number | null;
    /**
     * The current size, USD: the standard size, or the pro size in the pro challenge and funded
     * phases.
     */
    readonly effectiveAccountSizeNumeric: number;
  };
  /** Money and leverage at this moment. */
  readonly account: {
    /** Size plus realized PnL less fees, USD. */
    readonly currentBalance: number | Unsent;
    /** Balance plus open PnL, USD. */
    readonly currentEquity: number | Unsent;
    /** Balance less size, USD. */
    readonly balanceChange: number | Unsent;
    /** The same as a percent of the size. */
    readonly balanceChangePercent: number | Unsent;
    /** Equity less size, USD. */
    readonly totalPnL: number | Unsent;
    /** The same as a percent of the size. */
    readonly totalPnLPercent: number | Unsent;
    /** Unrealized PnL of all open positions, USD. */
    readonly openPnL: number | Unsent;
    /** The same as a percent of the size. */
    readonly openPnLPercent: number | Unsent;
    /**
     * Additive. Equity less the equity at the start of the account's day, USD, costs included. The
     * day starts at 00:00 UTC; on the first day, and after a restart at a size, from that size.
     * Payouts do not change it. Null for an account that has ended.
     */
    readonly todayPnl: number | null;
    /**
     * Additive. The same as a percent of the equity at the day's start; null when that equity is
     * not above 0.
     */
    readonly todayPnlPct: number | null;
    /** Number of open positions. */
    readonly openPositions: number;
    /** Balance times the portfolio's leverage cap, USD. */
    readonly portfolioBalance: number | Unsent;
    /** Its change as a percent of the size times the same cap. */
    readonly portfolioBalanceChangePercent: number | Unsent;
    /** The parts of the portfolio balance. */
    readonly portfolioBalanceBreakdown: {
      /** Balance, USD. */
      readonly currentBalance: number | Unsent;
      /** The portfolio's leverage cap, a multiple of the balance. */
      readonly marginLeverage: number | Unsent;
      /** Sum of the absolute values of all open positions at the mark, USD. */
      readonly sumPositionValue: number | Unsent;
    };
    /** `Current - 0.4529x / Max - 15x`. */
    readonly leverage: string;
    /** Value of all open positions as a multiple of the balance. */
    readonly currentLeverage: number | Unsent;
    /** The portfolio's leverage cap, a multiple of the balance. */
    readonly maxLeverage: number | Unsent;
    /** Value that can still be opened under the portfolio cap, USD, at least 0. */
    readonly buyingPower: number | Unsent;
    /** Buying power divided by the portfolio cap, USD. */
    readonly availableMargin: number | Unsent;
    /** Entry value of all open positions, USD. */
    readonly capitalUsed: number | Unsent;
    /** Realized PnL before fees, USD. */
    readonly totalRealizedPnl: number | Unsent;
    /** True after the evaluation is passed. */
    readonly isPassed: boolean | Unsent;
  };
  /** Progress of the evaluation. */
  readonly challenge: {
    /** The program's kind. */
    readonly variant: "classic" | "pro";
    /** The network's category of the account. */
    readonly bucket:
      | "SUBACCOUNT_CHALLENGE"
      | "SUBACCOUNT_FUNDED"
      | "SUBACCOUNT_ALPHA"
      | "PRO_CHALLENGE_TRANSITION"
      | "PRO_CHALLENGE_FROM_STANDARD"
      | "PRO_CHALLENGE_DIRECT"
      | "PRO_FUNDED"
      | "ELIMINATED"
      | "unknown";
    /**
     * `static`: limits measured against the starting balance; `trailing`: against a high-water
     * mark.
     */
    readonly drawdownCriteria: "trailing" | "static";
    /** Profit that passes the phase, USD; 0 without a target. */
    readonly profitTarget: number | Unsent;
    /** The same as a percent of the size. */
    readonly profitTargetPercent: number | Unsent;
    /** Profit still missing to the target, by the lesser of balance and equity, USD, at least 0. */
    readonly remaining: number | Unsent;
    /** The portfolio's leverage cap as displayed, `15x`. */
    readonly maxLeverage: string;
    /** The same, a multiple of the balance. */
    readonly maxLeverageNumeric: number | Unsent;
    /** The maximum loss limit in percent. */
    readonly trailingDrawdownPercent: number | Unsent;
    /** The maximum loss limit in percent. */
    readonly maxDrawdown: number | Unsent;
    /** Always 0: there is no time limit. */
    readonly daysRemaining: number;
    /** Always 0: there is no time limit. */
    readonly totalDays: number;
    /** The maximum loss limit in money. */
    readonly drawdownBreakdown: {
      /** Equity that the limit is measured against, USD; the starting balance if static. */
      readonly highWaterMark: number | Unsent;
      /** Allowed loss below it, USD. */
      readonly allowedDrawdown: number | Unsent;
      /** Present loss below it, USD, at least 0. */
      readonly currentDrawdown: number | Unsent;
      /** Remaining loss, USD, at least 0. */
      readonly remainingDrawdown: number | Unsent;
      /** The same as a percent of `highWaterMark`. */
      readonly remainingDrawdownPercentHWM: number | Unsent;
    };
  };
  /** Statistics over closed trades. */
  readonly performance: {
    /** Number of closed trades and open positions. */
    readonly totalTrades: number;
    /** Wins as a percent of closed trades; 0 before the first closed trade. */
    readonly winRate: number | Unsent;
    /** Closed trades with a profit after fees. */
    readonly totalWins: number;
    /** Average PnL of closed trades after fees, USD; 0 before the first closed trade. */
    readonly avgTradePnL: number | Unsent;
    /** Average holding time of closed trades, `5h 07m`; `--` when unknown. */
    readonly tradeDuration: string;
    /** The same in milliseconds; null when unknown. */
    readonly tradeDurationMs: number | null;
    /** Start of the current phase. */
    readonly challengeStartMs: number | Unsent;
    /**
     * One item for each UTC day that has ended, oldest first. The last day of an account ends with
     * it.
     */
    readonly dailyReturns: readonly {
      /** The day, `2026-01-05`. */
      readonly date: string;
      /** Percent, from midnight equity to midnight equity. */
      readonly value: number;
    }[];
  };
  /** Details of this answer. */
  readonly meta: {
    /** Time of the answer. */
    readonly generatedAtMs: number;
    /** True when a secondary source failed and its values are placeholders: retry. */
    readonly stale: boolean;
  };
  /** The pro track; null for accounts that are not on it. */
  readonly proTrack: ProTrack<Unsent> | null;
  /** The loss limits; null when there is no drawdown data. */
  readonly drawdownRules: DrawdownRules<Unsent> | null;
  /** How the account ended; null while it has not. */
  readonly elimination: Elimination | null;
  /** True in the pro challenge and funded phases. */
  readonly isPro: boolean;
  /** The armed dead man's switch. */
  readonly cancelAllAfter: ArmedSwitch | null;
  /**
   * Full trading days tracked by the network, 0 in the transition; null for accounts not on the pro
   * track, or when the network sent no statistics.
   */
  readonly tradingDays: number | null;
}
