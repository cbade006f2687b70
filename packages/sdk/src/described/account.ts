// Made from the schemas of the contract by `npm run docs`.

import type { DrawdownRules, Elimination } from "./drawdown-rules.ts";
import type { ProTrack } from "./pro-track.ts";

/** The account at this moment. */
export interface Account {
  /** The account that the key is bound to. */
  readonly accountId: string;
  /** What the account may trade. */
  readonly assetClass: "crypto" | "forex" | "indices" | "equities" | "commodities" | "all_markets";
  /** The same for display. */
  readonly marketName: "Crypto" | "Forex" | "Indices" | "Equities" | "Commodities" | "All Markets";
  /** The standard size that was sold, USD. */
  readonly accountSize: number;
  /** The same for display, `$100,000`. */
  readonly formattedAccountSize: string;
  /** What the account was sold as and where it stands. */
  readonly evaluation: {
    /** Such as `Classic $100K Evaluation`. */
    readonly title: string;
    /** Where the account stands. */
    readonly status: "provisioning" | "evaluation" | "funded" | "eliminated";
    /** True once the account has ended by a rule. */
    readonly isEliminated: boolean;
    /** The account's size as displayed, `$100,000`. */
    readonly accountSize: string;
    /** The same, USD. */
    readonly accountSizeNumeric: number;
    /** The owner's active accounts of the most there may be, `1/5`. */
    readonly activeAccounts: string;
    /** The first number of `activeAccounts`. */
    readonly activeAccountsCount: number;
    /** The second number of `activeAccounts`. */
    readonly activeAccountsMax: number;
    /**
     * The size the network runs now, USD: standard, or pro in the pro challenge and funded phases.
     */
    readonly effectiveAccountSizeNumeric: number;
  };
  /** Money and leverage at this moment. */
  readonly account: {
    /** Size plus realized PnL less fees, USD. */
    readonly currentBalance: number;
    /** Balance plus open PnL, USD. */
    readonly currentEquity: number;
    /** Balance less size, USD. */
    readonly balanceChange: number;
    /** The same as a percent of the size. */
    readonly balanceChangePercent: number;
    /** Equity less size, USD. */
    readonly totalPnL: number;
    /** The same as a percent of the size. */
    readonly totalPnLPercent: number;
    /** Unrealized PnL of everything open, USD. */
    readonly openPnL: number;
    /** The same as a percent of the size. */
    readonly openPnLPercent: number;
    /** Positions open now. */
    readonly openPositions: number;
    /** Balance times the portfolio's leverage cap, USD. */
    readonly portfolioBalance: number;
    /** Its change as a percent of the size times the same cap. */
    readonly portfolioBalanceChangePercent: number;
    /** What the portfolio balance is made of. */
    readonly portfolioBalanceBreakdown: {
      /** Balance, USD. */
      readonly currentBalance: number;
      /** The portfolio's leverage cap, a multiple of the balance. */
      readonly marginLeverage: number;
      /** Value of everything open at the mark, magnitudes added, USD. */
      readonly sumPositionValue: number;
    };
    /** `Current - 0.4529x / Max - 15x`. */
    readonly leverage: string;
    /** Value of everything open as a multiple of the balance. */
    readonly currentLeverage: number;
    /** The portfolio's leverage cap, a multiple of the balance. */
    readonly maxLeverage: number;
    /** Value that can still be opened under the portfolio cap, USD, at least 0. */
    readonly buyingPower: number;
    /** Buying power divided by the portfolio cap, USD. */
    readonly availableMargin: number;
    /** Value at entry of everything open, USD. */
    readonly capitalUsed: number;
    /** Realized PnL before fees, USD. */
    readonly totalRealizedPnl: number;
    /** True once the evaluation has been passed. */
    readonly isPassed: boolean;
  };
  /** Progress of the evaluation. */
  readonly challenge: {
    /** The program's kind. */
    readonly variant: "classic" | "pro";
    /** Where the network files the account. */
    readonly bucket:
      | "SUBACCOUNT_CHALLENGE"
      | "SUBACCOUNT_FUNDED"
      | "PRO_CHALLENGE_TRANSITION"
      | "PRO_CHALLENGE_FROM_STANDARD"
      | "PRO_CHALLENGE_DIRECT"
      | "PRO_FUNDED"
      | "ELIMINATED";
    /**
     * `static`: limits measured against the starting balance; `trailing`: against a high-water
     * mark.
     */
    readonly drawdownCriteria: "trailing" | "static";
    /** Profit that passes, USD; 0 where there is none. */
    readonly profitTarget: number;
    /** The same as a percent of the size. */
    readonly profitTargetPercent: number;
    /** Profit still missing, by the lesser of balance and equity, USD, at least 0. */
    readonly remaining: number;
    /** The portfolio's leverage cap as displayed, `15x`. */
    readonly maxLeverage: string;
    /** The same, a multiple of the balance. */
    readonly maxLeverageNumeric: number;
    /** Percent of the account's other limit. */
    readonly trailingDrawdownPercent: number;
    /** Percent of the account's other limit. */
    readonly maxDrawdown: number;
    /** 0: there is no time limit. */
    readonly daysRemaining: number;
    /** 0: there is no time limit. */
    readonly totalDays: number;
    /** The account's other limit in money. */
    readonly drawdownBreakdown: {
      /** What the limit is measured against, USD; static: the starting balance. */
      readonly highWaterMark: number;
      /** How far below it the account may fall, USD. */
      readonly allowedDrawdown: number;
      /** How far below it the account is, USD, at least 0. */
      readonly currentDrawdown: number;
      /** What is left of it, USD, at least 0. */
      readonly remainingDrawdown: number;
      /** The same as a percent of `highWaterMark`. */
      readonly remainingDrawdownPercentHWM: number;
    };
  };
  /** Statistics over closed trades. */
  readonly performance: {
    /** Closed trades and open positions together. */
    readonly totalTrades: number;
    /** Wins as a percent of closed trades; 0 while there is none. */
    readonly winRate: number;
    /** Closed trades with a profit after fees. */
    readonly totalWins: number;
    /** Mean PnL of closed trades after fees, USD; 0 while there is none. */
    readonly avgTradePnL: number;
    /** Mean time held of closed trades, `5h 07m`; `--` when unknown. */
    readonly tradeDuration: string;
    /** The same in milliseconds; null when unknown. */
    readonly tradeDurationMs: number | null;
    /** When the running phase began. */
    readonly challengeStartMs: number;
    /** One item for each full UTC day, oldest first. */
    readonly dailyReturns: readonly {
      /** The day, `2026-01-05`. */
      readonly date: string;
      /** Percent, from midnight equity to midnight equity. */
      readonly value: number;
    }[];
  };
  /** About this answer. */
  readonly meta: {
    /** When it was made. */
    readonly generatedAtMs: number;
    /** True when a secondary source failed and its values are placeholders: retry. */
    readonly stale: boolean;
  };
  /** The pro track; null for accounts that are not on it. */
  readonly proTrack: ProTrack | null;
  /** The loss limits; null when there is no drawdown data. */
  readonly drawdownRules: DrawdownRules | null;
  /** How the account ended; null while it has not. */
  readonly elimination: Elimination | null;
  /** True in the pro challenge and funded phases. */
  readonly isPro: boolean;
  /**
   * Full trading days tracked by the network, 0 in the transition; null for accounts not on the pro
   * track, or when the network sent no statistics.
   */
  readonly tradingDays: number | null;
}
