// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { DrawdownRules, Elimination } from "./drawdown-rules.ts";
import type { ArmedSwitch } from "./order-result.ts";
import type { ProTrack } from "./pro-track.ts";

/** A snapshot of the account. */
export interface Account<Unsent extends Linked = never> {
  /** The account that the key is bound to. */
  readonly accountId: string;
  /** The markets that the account may trade. */
  readonly assetClass:
    | "crypto"
    | "forex"
    | "indices"
    | "equities"
    | "commodities"
    | "all_markets"
    | "hl_all";
  /** `assetClass` for display. */
  readonly marketName:
    | "Crypto"
    | "Forex"
    | "Indices"
    | "Equities"
    | "Commodities"
    | "All Markets"
    | "Hyperliquid";
  /** The standard account size that was sold, USD. */
  readonly accountSize: number;
  /** `accountSize` for display, such as `$100,000`. */
  readonly formattedAccountSize: string;
  /** The program of the account, its status and its size. */
  readonly evaluation: {
    /** Title for display: program kind, size and phase, such as `Classic $100K Evaluation`. */
    readonly title: string;
    /**
     * `provisioning`: it cannot trade yet. `evaluation`: it is in a challenge. `funded`: it has
     * passed. `eliminated`: it has ended.
     */
    readonly status: "provisioning" | "evaluation" | "funded" | "eliminated";
    /** True after the account was eliminated. */
    readonly isEliminated: boolean;
    /** The standard account size that was sold, for display, such as `$100,000`. */
    readonly accountSize: string;
    /** `accountSize` as a number, USD. */
    readonly accountSizeNumeric: number;
    /**
     * The owner's open accounts and their maximum, such as `1/5`. Without a maximum, or above it,
     * the number of accounts is shown twice. A placeholder while `activeAccountsCount` is null.
     */
    readonly activeAccounts: string;
    /**
     * Number of the owner's open accounts; null when it could not be read, and `meta.stale` is then
     * true.
     */
    readonly activeAccountsCount: number | null;
    /**
     * Maximum number of the owner's open accounts; null without a maximum, and when it could not be
     * read.
     */
    readonly activeAccountsMax: number | null;
    /**
     * The account size of the current phase, USD: the pro size in pro challenge and pro funded,
     * otherwise the standard size.
     */
    readonly effectiveAccountSizeNumeric: number;
  };
  /**
   * Balances, profit and loss, and leverage now. "Account size" means
   * `effectiveAccountSizeNumeric`, and PnL counts since the account last started at that size.
   */
  readonly account: {
    /** Account size plus realized PnL, minus fees, USD. */
    readonly currentBalance: number | Unsent;
    /** Balance plus unrealized PnL of all open positions, USD. */
    readonly currentEquity: number | Unsent;
    /** Balance minus account size, USD; negative for a loss. */
    readonly balanceChange: number | Unsent;
    /** `balanceChange` as a percent of the account size. */
    readonly balanceChangePercent: number | Unsent;
    /** Equity minus account size, USD; negative for a loss. */
    readonly totalPnL: number | Unsent;
    /** `totalPnL` as a percent of the account size. */
    readonly totalPnLPercent: number | Unsent;
    /** Unrealized PnL of all open positions, USD; negative for a loss. */
    readonly openPnL: number | Unsent;
    /** `openPnL` as a percent of the account size. */
    readonly openPnLPercent: number | Unsent;
    /**
     * Equity minus the equity at the start of the account's day, USD, fees included; payouts do not
     * change it. A day starts at 00:00 UTC. On the first day, and on a day on which the account
     * restarts at a size, that size is the start. Null before the account may trade, and after it
     * has ended.
     */
    readonly todayPnl: number | null;
    /**
     * `todayPnl` as a percent of the equity at the start of the day; null when that equity is not
     * above 0, or `todayPnl` is null.
     */
    readonly todayPnlPct: number | null;
    /** Number of open positions. */
    readonly openPositions: number;
    /** Balance times the portfolio leverage cap, USD. */
    readonly portfolioBalance: number | Unsent;
    /**
     * Change of `portfolioBalance`, as a percent of the account size times the portfolio leverage
     * cap.
     */
    readonly portfolioBalanceChangePercent: number | Unsent;
    /** The figures from which the portfolio balance and leverage are computed. */
    readonly portfolioBalanceBreakdown: {
      /** Balance, USD, as `currentBalance` of the account. */
      readonly currentBalance: number | Unsent;
      /** The portfolio leverage cap, as a multiple of the balance. */
      readonly marginLeverage: number | Unsent;
      /** Sum of the absolute values of all open positions at their mark prices, USD. */
      readonly sumPositionValue: number | Unsent;
    };
    /** Current and maximum leverage for display, such as `Current - 0.4529x / Max - 15x`. */
    readonly leverage: string;
    /**
     * Sum of the absolute values of all open positions at their mark prices, as a multiple of the
     * balance.
     */
    readonly currentLeverage: number | Unsent;
    /** The portfolio leverage cap, as a multiple of the balance. */
    readonly maxLeverage: number | Unsent;
    /**
     * Position value that can still be opened under the portfolio leverage cap, USD, at least 0.
     */
    readonly buyingPower: number | Unsent;
    /** Buying power divided by the portfolio leverage cap, USD, at least 0. */
    readonly availableMargin: number | Unsent;
    /** Value of all open positions at their entry prices, USD. */
    readonly capitalUsed: number | Unsent;
    /** Realized PnL before fees, USD; negative for a loss. */
    readonly totalRealizedPnl: number | Unsent;
    /** True in the phases after a passed challenge; false in a challenge or pro challenge. */
    readonly isPassed: boolean | Unsent;
  };
  /** Progress of the evaluation. "Account size" means `effectiveAccountSizeNumeric`. */
  readonly challenge: {
    /** The kind of the program that applies to the account now. */
    readonly variant: "classic" | "pro";
    /** The network's category of the account: its status and phase in one word. */
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
     * `static`: the maximum loss is measured from the starting balance. `trailing`: from a
     * high-water mark.
     */
    readonly drawdownCriteria: "trailing" | "static";
    /** Profit that passes the current phase, USD; 0 when the phase has no profit target. */
    readonly profitTarget: number | Unsent;
    /** `profitTarget` as a percent of the account size. */
    readonly profitTargetPercent: number | Unsent;
    /**
     * Profit that is still missing to the profit target, USD, at least 0. The profit is the lesser
     * of balance and equity, minus the account size.
     */
    readonly remaining: number | Unsent;
    /** The portfolio leverage cap for display, such as `15x`. */
    readonly maxLeverage: string;
    /** `maxLeverage` as a number, a multiple of the balance. */
    readonly maxLeverageNumeric: number | Unsent;
    /** The maximum loss limit, in percent of its anchor equity. Equal to `maxDrawdown`. */
    readonly trailingDrawdownPercent: number | Unsent;
    /** The maximum loss limit, in percent of its anchor equity. */
    readonly maxDrawdown: number | Unsent;
    /** Always 0: there is no time limit. */
    readonly daysRemaining: number;
    /** Always 0: there is no time limit. */
    readonly totalDays: number;
    /** The maximum loss limit of `drawdownRules.maxLoss` in USD. */
    readonly drawdownBreakdown: {
      /**
       * Equity from which the loss is measured, USD. `static`: the starting balance. `trailing`:
       * the highest equity at any 00:00 UTC of the phase, at least the account size.
       */
      readonly highWaterMark: number | Unsent;
      /** Loss that the limit allows below `highWaterMark`, USD. */
      readonly allowedDrawdown: number | Unsent;
      /**
       * Loss below `highWaterMark`, USD, at least 0. For `trailing` it is measured with the equity
       * of the last 00:00 UTC.
       */
      readonly currentDrawdown: number | Unsent;
      /** Allowed loss minus current loss, USD, at least 0. */
      readonly remainingDrawdown: number | Unsent;
      /** `remainingDrawdown` as a percent of `highWaterMark`. */
      readonly remainingDrawdownPercentHWM: number | Unsent;
    };
  };
  /** Statistics over the closed trades of all phases. */
  readonly performance: {
    /** Number of closed trades and open positions together. */
    readonly totalTrades: number;
    /** `totalWins` as a percent of the closed trades; 0 before the first closed trade. */
    readonly winRate: number | Unsent;
    /** Number of closed trades with a profit after fees. */
    readonly totalWins: number;
    /** Average PnL of the closed trades after fees, USD; 0 before the first closed trade. */
    readonly avgTradePnL: number | Unsent;
    /**
     * Average holding time of the closed trades for display, such as `5h 07m`; `--` before the
     * first closed trade.
     */
    readonly tradeDuration: string;
    /** `tradeDuration` in milliseconds; null before the first closed trade. */
    readonly tradeDurationMs: number | null;
    /** Start of the current phase, Unix milliseconds. */
    readonly challengeStartMs: number | Unsent;
    /**
     * One item for each UTC day that has ended, oldest first. The account's last day ends when the
     * account ends.
     */
    readonly dailyReturns: readonly {
      /** The UTC day, such as `2026-01-05`. */
      readonly date: string;
      /**
       * Change of equity from the start to the end of the day, as a percent of the equity at its
       * start.
       */
      readonly value: number;
    }[];
  };
  /** Details of this answer. */
  readonly meta: {
    /** When the answer was made. */
    readonly generatedAtMs: number;
    /**
     * True when a secondary data source failed and its fields hold placeholders or null. Retry the
     * request.
     */
    readonly stale: boolean;
  };
  /** The account's progress on the pro track; null for accounts that are not on it. */
  readonly proTrack: ProTrack<Unsent> | null;
  /** The loss limits of the account; null when there is no drawdown data. */
  readonly drawdownRules: DrawdownRules<Unsent> | null;
  /** How the account was eliminated; null for an account that was not eliminated. */
  readonly elimination: Elimination | null;
  /** True in the pro challenge and pro funded phases. */
  readonly isPro: boolean;
  /** The armed dead man's switch; null while none is armed. */
  readonly cancelAllAfter: ArmedSwitch | null;
  /**
   * Number of full trading days that the network has tracked; 0 in the transition. Null for
   * accounts that are not on the pro track, and when the network sent no statistics.
   */
  readonly tradingDays: number | null;
}
