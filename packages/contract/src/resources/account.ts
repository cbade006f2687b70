import { ARMED_SWITCH } from "../dead-mans-switch/switch-result.ts";
import {
  boolean,
  count,
  ifSent,
  type Linked,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import {
  ACCOUNT_BUCKETS,
  ASSET_CLASSES,
  CHALLENGE_CRITERIA,
  EVALUATION_STATUSES,
  MARKET_NAMES,
  VARIANTS,
} from "../words.ts";
import { DRAWDOWN_RULES, ELIMINATION } from "./drawdown.ts";
import { PRO_TRACK } from "./pro-track.ts";

const EVALUATION = object("The program of the account and its status.", {
  title: string("Such as `Classic $100K Evaluation`."),
  status: word(EVALUATION_STATUSES, "The account's status."),
  isEliminated: boolean("True after the account's elimination."),
  accountSize: string("The account's size as displayed, `$100,000`."),
  accountSizeNumeric: number("The same, USD."),
  activeAccounts: string(
    "The owner's active accounts and the maximum, `1/5`; the first number twice without a maximum, or past it. A placeholder while `activeAccountsCount` is null.",
  ),
  activeAccountsCount: nullable(
    count(
      "The first number of `activeAccounts`; null when it could not be read: `meta.stale` is true.",
    ),
  ),
  activeAccountsMax: nullable(
    count("The maximum of the owner's accounts; null without one, and when it could not be read."),
  ),
  effectiveAccountSizeNumeric: number(
    "The current size, USD: the standard size, or the pro size in the pro challenge and funded phases.",
  ),
});

const FIGURES = object("Money and leverage at this moment.", {
  currentBalance: ifSent(number("Size plus realized PnL less fees, USD.")),
  currentEquity: ifSent(number("Balance plus open PnL, USD.")),
  balanceChange: ifSent(number("Balance less size, USD.")),
  balanceChangePercent: ifSent(number("The same as a percent of the size.")),
  totalPnL: ifSent(number("Equity less size, USD.")),
  totalPnLPercent: ifSent(number("The same as a percent of the size.")),
  openPnL: ifSent(number("Unrealized PnL of all open positions, USD.")),
  openPnLPercent: ifSent(number("The same as a percent of the size.")),
  // When the account restarts at a size, its day also restarts, with that size as the equity at the day's start.
  // @rule D13.todayPnl
  todayPnl: nullable(
    number(
      "Additive. Equity less the equity at the start of the account's day, USD, costs included. The day starts at 00:00 UTC; on the first day, and after a restart at a size, from that size. Payouts do not change it. Null for an account that has ended.",
    ),
  ),
  todayPnlPct: nullable(
    number(
      "Additive. The same as a percent of the equity at the day's start; null when that equity is not above 0.",
    ),
  ),
  openPositions: count("Number of open positions."),
  portfolioBalance: ifSent(number("Balance times the portfolio's leverage cap, USD.")),
  portfolioBalanceChangePercent: ifSent(
    number("Its change as a percent of the size times the same cap."),
  ),
  portfolioBalanceBreakdown: object("The parts of the portfolio balance.", {
    currentBalance: ifSent(number("Balance, USD.")),
    marginLeverage: ifSent(number("The portfolio's leverage cap, a multiple of the balance.")),
    sumPositionValue: ifSent(
      number("Sum of the absolute values of all open positions at the mark, USD."),
    ),
  }),
  leverage: string("`Current - 0.4529x / Max - 15x`."),
  currentLeverage: ifSent(number("Value of all open positions as a multiple of the balance.")),
  maxLeverage: ifSent(number("The portfolio's leverage cap, a multiple of the balance.")),
  buyingPower: ifSent(
    number("Value that can still be opened under the portfolio cap, USD, at least 0."),
  ),
  availableMargin: ifSent(number("Buying power divided by the portfolio cap, USD.")),
  capitalUsed: ifSent(number("Entry value of all open positions, USD.")),
  totalRealizedPnl: ifSent(number("Realized PnL before fees, USD.")),
  isPassed: ifSent(boolean("True after the evaluation is passed.")),
});

const CHALLENGE = object("Progress of the evaluation.", {
  variant: word(VARIANTS, "The program's kind."),
  bucket: word(ACCOUNT_BUCKETS, "The network's category of the account."),
  drawdownCriteria: word(
    CHALLENGE_CRITERIA,
    "`static`: limits measured against the starting balance; `trailing`: against a high-water mark.",
  ),
  profitTarget: ifSent(number("Profit that passes the phase, USD; 0 without a target.")),
  profitTargetPercent: ifSent(number("The same as a percent of the size.")),
  remaining: ifSent(
    number(
      "Profit still missing to the target, by the lesser of balance and equity, USD, at least 0.",
    ),
  ),
  maxLeverage: string("The portfolio's leverage cap as displayed, `15x`."),
  maxLeverageNumeric: ifSent(number("The same, a multiple of the balance.")),
  trailingDrawdownPercent: ifSent(number("The maximum loss limit in percent.")),
  maxDrawdown: ifSent(number("The maximum loss limit in percent.")),
  daysRemaining: number("Always 0: there is no time limit."),
  totalDays: number("Always 0: there is no time limit."),
  drawdownBreakdown: object("The maximum loss limit in money.", {
    highWaterMark: ifSent(
      number("Equity that the limit is measured against, USD; the starting balance if static."),
    ),
    allowedDrawdown: ifSent(number("Allowed loss below it, USD.")),
    currentDrawdown: ifSent(number("Present loss below it, USD, at least 0.")),
    remainingDrawdown: ifSent(number("Remaining loss, USD, at least 0.")),
    remainingDrawdownPercentHWM: ifSent(number("The same as a percent of `highWaterMark`.")),
  }),
});

const PERFORMANCE = object("Statistics over closed trades.", {
  totalTrades: count("Number of closed trades and open positions."),
  winRate: ifSent(number("Wins as a percent of closed trades; 0 before the first closed trade.")),
  totalWins: count("Closed trades with a profit after fees."),
  avgTradePnL: ifSent(
    number("Average PnL of closed trades after fees, USD; 0 before the first closed trade."),
  ),
  tradeDuration: string("Average holding time of closed trades, `5h 07m`; `--` when unknown."),
  tradeDurationMs: nullable(number("The same in milliseconds; null when unknown.")),
  challengeStartMs: ifSent(time("Start of the current phase.")),
  dailyReturns: list(
    object("One UTC day.", {
      date: string("The day, `2026-01-05`.", { format: "date" }),
      value: number("Percent, from midnight equity to midnight equity."),
    }),
    "One item for each UTC day that has ended, oldest first. The last day of an account ends with it.",
  ),
});

/** `data` of GET account. @rule S2.1 */
export const ACCOUNT = object("The account at this moment.", {
  accountId: string("The account that the key is bound to.", { format: "uuid" }),
  assetClass: word(ASSET_CLASSES, "Markets that the account may trade."),
  marketName: word(Object.values(MARKET_NAMES), "The same for display."),
  accountSize: number("The standard size that was sold, USD."),
  formattedAccountSize: string("The same for display, `$100,000`."),
  evaluation: EVALUATION,
  account: FIGURES,
  challenge: CHALLENGE,
  performance: PERFORMANCE,
  meta: object("Details of this answer.", {
    generatedAtMs: time("Time of the answer."),
    stale: boolean("True when a secondary source failed and its values are placeholders: retry."),
  }),
  proTrack: nullable(PRO_TRACK),
  drawdownRules: nullable(DRAWDOWN_RULES),
  elimination: nullable(ELIMINATION),
  isPro: boolean("True in the pro challenge and funded phases."),
  cancelAllAfter: nullable(ARMED_SWITCH),
  tradingDays: nullable(
    count(
      "Full trading days tracked by the network, 0 in the transition; null for accounts not on the pro track, or when the network sent no statistics.",
    ),
  ),
});
export type Account<Unsent extends Linked = never> = Wire<typeof ACCOUNT, Unsent>;
