import {
  boolean,
  count,
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
  ASSET_CLASSES,
  BUCKETS,
  CHALLENGE_CRITERIA,
  EVALUATION_STATUSES,
  MARKET_NAMES,
  VARIANTS,
} from "../words.ts";
import { DRAWDOWN_RULES, ELIMINATION } from "./drawdown.ts";
import { PRO_TRACK } from "./pro-track.ts";

const EVALUATION = object("What the account was sold as and where it stands.", {
  title: string("Such as `Classic $100K Evaluation`."),
  status: word(EVALUATION_STATUSES, "Where the account stands."),
  isEliminated: boolean("True once the account has ended by a rule."),
  accountSize: string("The account's size as displayed, `$100,000`."),
  accountSizeNumeric: number("The same, USD."),
  activeAccounts: string("The owner's active accounts of the most there may be, `1/5`."),
  activeAccountsCount: count("The first number of `activeAccounts`."),
  activeAccountsMax: count("The second number of `activeAccounts`."),
  effectiveAccountSizeNumeric: number(
    "The size the network runs now, USD: standard, or pro in the pro challenge and funded phases.",
  ),
});

const FIGURES = object("Money and leverage at this moment.", {
  currentBalance: number("Size plus realized PnL less fees, USD."),
  currentEquity: number("Balance plus open PnL, USD."),
  balanceChange: number("Balance less size, USD."),
  balanceChangePercent: number("The same as a percent of the size."),
  totalPnL: number("Equity less size, USD."),
  totalPnLPercent: number("The same as a percent of the size."),
  openPnL: number("Unrealized PnL of everything open, USD."),
  openPnLPercent: number("The same as a percent of the size."),
  openPositions: count("Positions open now."),
  portfolioBalance: number("Balance times the portfolio's leverage cap, USD."),
  portfolioBalanceChangePercent: number("Its change as a percent of the size times the same cap."),
  portfolioBalanceBreakdown: object("What the portfolio balance is made of.", {
    currentBalance: number("Balance, USD."),
    marginLeverage: number("The portfolio's leverage cap, a multiple of the balance."),
    sumPositionValue: number("Value of everything open at the mark, magnitudes added, USD."),
  }),
  leverage: string("`Current - 0.4529x / Max - 15x`."),
  currentLeverage: number("Value of everything open as a multiple of the balance."),
  maxLeverage: number("The portfolio's leverage cap, a multiple of the balance."),
  buyingPower: number("Value that can still be opened under the portfolio cap, USD, at least 0."),
  availableMargin: number("Buying power divided by the portfolio cap, USD."),
  capitalUsed: number("Value at entry of everything open, USD."),
  totalRealizedPnl: number("Realized PnL before fees, USD."),
  isPassed: boolean("True once the evaluation has been passed."),
});

const CHALLENGE = object("Progress of the evaluation.", {
  variant: word(VARIANTS, "The program's kind."),
  bucket: word(BUCKETS, "Where the network files the account."),
  drawdownCriteria: word(
    CHALLENGE_CRITERIA,
    "`static`: limits measured against the starting balance; `trailing`: against a high-water mark.",
  ),
  profitTarget: number("Profit that passes, USD; 0 where there is none."),
  profitTargetPercent: number("The same as a percent of the size."),
  remaining: number("Profit still missing, by the lesser of balance and equity, USD, at least 0."),
  maxLeverage: string("The portfolio's leverage cap as displayed, `15x`."),
  maxLeverageNumeric: number("The same, a multiple of the balance."),
  trailingDrawdownPercent: number("Percent of the account's other limit."),
  maxDrawdown: number("Percent of the account's other limit."),
  daysRemaining: number("0: there is no time limit."),
  totalDays: number("0: there is no time limit."),
  drawdownBreakdown: object("The account's other limit in money.", {
    highWaterMark: number("What the limit is measured against, USD; static: the starting balance."),
    allowedDrawdown: number("How far below it the account may fall, USD."),
    currentDrawdown: number("How far below it the account is, USD, at least 0."),
    remainingDrawdown: number("What is left of it, USD, at least 0."),
    remainingDrawdownPercentHWM: number("The same as a percent of `highWaterMark`."),
  }),
});

const PERFORMANCE = object("Statistics over closed trades.", {
  totalTrades: count("Closed trades and open positions together."),
  winRate: number("Wins as a percent of closed trades; 0 while there is none."),
  totalWins: count("Closed trades with a profit after fees."),
  avgTradePnL: number("Mean PnL of closed trades after fees, USD; 0 while there is none."),
  tradeDuration: string("Mean time held of closed trades, `5h 07m`; `--` when unknown."),
  tradeDurationMs: nullable(number("The same in milliseconds; null when unknown.")),
  challengeStartMs: time("When the running phase began."),
  dailyReturns: list(
    object("One UTC day.", {
      date: string("The day, `2026-01-05`.", { format: "date" }),
      value: number("Percent, from midnight equity to midnight equity."),
    }),
    "One item for each full UTC day, oldest first.",
  ),
});

/** `data` of GET account. @rule S2.1 */
export const ACCOUNT = object("The account at this moment.", {
  accountId: string("The account that the key is bound to.", { format: "uuid" }),
  assetClass: word(ASSET_CLASSES, "What the account may trade."),
  marketName: word(Object.values(MARKET_NAMES), "The same for display."),
  accountSize: number("The standard size that was sold, USD."),
  formattedAccountSize: string("The same for display, `$100,000`."),
  evaluation: EVALUATION,
  account: FIGURES,
  challenge: CHALLENGE,
  performance: PERFORMANCE,
  meta: object("About this answer.", {
    generatedAtMs: time("When it was made."),
    stale: boolean("True when a secondary source failed and its values are placeholders: retry."),
  }),
  proTrack: nullable(PRO_TRACK),
  drawdownRules: nullable(DRAWDOWN_RULES),
  elimination: nullable(ELIMINATION),
  isPro: boolean("True in the pro challenge and funded phases."),
  tradingDays: nullable(
    count(
      "Full trading days tracked by the network, 0 in the transition; null for accounts not on the pro track, or when the network sent no statistics.",
    ),
  ),
});
export type Account = Wire<typeof ACCOUNT>;
