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

const EVALUATION = object("The program of the account, its status and its size.", {
  title: string(
    "Title for display: program kind, size and phase, such as `Classic $100K Evaluation`.",
  ),
  status: word(
    EVALUATION_STATUSES,
    "`provisioning`: it cannot trade yet. `evaluation`: it is in a challenge. `funded`: it has passed. `eliminated`: it has ended.",
  ),
  isEliminated: boolean("True after the account was eliminated."),
  accountSize: string("The standard account size that was sold, for display, such as `$100,000`."),
  accountSizeNumeric: number("`accountSize` as a number, USD."),
  activeAccounts: string(
    "The owner's open accounts and their maximum, such as `1/5`. Without a maximum, or above it, the number of accounts is shown twice. A placeholder while `activeAccountsCount` is null.",
  ),
  activeAccountsCount: nullable(
    count(
      "Number of the owner's open accounts; null when it could not be read, and `meta.stale` is then true.",
    ),
  ),
  activeAccountsMax: nullable(
    count(
      "Maximum number of the owner's open accounts; null without a maximum, and when it could not be read.",
    ),
  ),
  effectiveAccountSizeNumeric: number(
    "The account size of the current phase, USD: the pro size in pro challenge and pro funded, otherwise the standard size.",
  ),
});

const FIGURES = object(
  'Balances, profit and loss, and leverage now. "Account size" means `effectiveAccountSizeNumeric`, and PnL counts since the account last started at that size.',
  {
    currentBalance: ifSent(number("Account size plus realized PnL, minus fees, USD.")),
    currentEquity: ifSent(number("Balance plus unrealized PnL of all open positions, USD.")),
    balanceChange: ifSent(number("Balance minus account size, USD; negative for a loss.")),
    balanceChangePercent: ifSent(number("`balanceChange` as a percent of the account size.")),
    totalPnL: ifSent(number("Equity minus account size, USD; negative for a loss.")),
    totalPnLPercent: ifSent(number("`totalPnL` as a percent of the account size.")),
    openPnL: ifSent(number("Unrealized PnL of all open positions, USD; negative for a loss.")),
    openPnLPercent: ifSent(number("`openPnL` as a percent of the account size.")),
    // When the account restarts at a size, its day also restarts, with that size as the equity at the day's start.
    // @rule D13.todayPnl
    todayPnl: nullable(
      number(
        "Equity minus the equity at the start of the account's day, USD, fees included; payouts do not change it. A day starts at 00:00 UTC. On the first day, and on a day on which the account restarts at a size, that size is the start. Null before the account may trade, and after it has ended.",
      ),
    ),
    todayPnlPct: nullable(
      number(
        "`todayPnl` as a percent of the equity at the start of the day; null when that equity is not above 0, or `todayPnl` is null.",
      ),
    ),
    openPositions: count("Number of open positions."),
    portfolioBalance: ifSent(number("Balance times the portfolio leverage cap, USD.")),
    portfolioBalanceChangePercent: ifSent(
      number(
        "Change of `portfolioBalance`, as a percent of the account size times the portfolio leverage cap.",
      ),
    ),
    portfolioBalanceBreakdown: object(
      "The figures from which the portfolio balance and leverage are computed.",
      {
        currentBalance: ifSent(number("Balance, USD, as `currentBalance` of the account.")),
        marginLeverage: ifSent(number("The portfolio leverage cap, as a multiple of the balance.")),
        sumPositionValue: ifSent(
          number("Sum of the absolute values of all open positions at their mark prices, USD."),
        ),
      },
    ),
    leverage: string(
      "Current and maximum leverage for display, such as `Current - 0.4529x / Max - 15x`.",
    ),
    currentLeverage: ifSent(
      number(
        "Sum of the absolute values of all open positions at their mark prices, as a multiple of the balance.",
      ),
    ),
    maxLeverage: ifSent(number("The portfolio leverage cap, as a multiple of the balance.")),
    buyingPower: ifSent(
      number(
        "Position value that can still be opened under the portfolio leverage cap, USD, at least 0.",
      ),
    ),
    availableMargin: ifSent(
      number("Buying power divided by the portfolio leverage cap, USD, at least 0."),
    ),
    capitalUsed: ifSent(number("Value of all open positions at their entry prices, USD.")),
    totalRealizedPnl: ifSent(number("Realized PnL before fees, USD; negative for a loss.")),
    isPassed: ifSent(
      boolean(
        "True in the phases after a passed challenge; false in a challenge or pro challenge.",
      ),
    ),
  },
);

const CHALLENGE = object(
  'Progress of the evaluation. "Account size" means `effectiveAccountSizeNumeric`.',
  {
    variant: word(VARIANTS, "The kind of the program that applies to the account now."),
    bucket: word(
      ACCOUNT_BUCKETS,
      "The network's category of the account: its status and phase in one word.",
    ),
    drawdownCriteria: word(
      CHALLENGE_CRITERIA,
      "`static`: the maximum loss is measured from the starting balance. `trailing`: from a high-water mark.",
    ),
    profitTarget: ifSent(
      number("Profit that passes the current phase, USD; 0 when the phase has no profit target."),
    ),
    profitTargetPercent: ifSent(number("`profitTarget` as a percent of the account size.")),
    remaining: ifSent(
      number(
        "Profit that is still missing to the profit target, USD, at least 0. The profit is the lesser of balance and equity, minus the account size.",
      ),
    ),
    maxLeverage: string("The portfolio leverage cap for display, such as `15x`."),
    maxLeverageNumeric: ifSent(number("`maxLeverage` as a number, a multiple of the balance.")),
    trailingDrawdownPercent: ifSent(
      number("The maximum loss limit, in percent of its anchor equity. Equal to `maxDrawdown`."),
    ),
    maxDrawdown: ifSent(number("The maximum loss limit, in percent of its anchor equity.")),
    daysRemaining: number("Always 0: there is no time limit."),
    totalDays: number("Always 0: there is no time limit."),
    drawdownBreakdown: object("The maximum loss limit of `drawdownRules.maxLoss` in USD.", {
      highWaterMark: ifSent(
        number(
          "Equity from which the loss is measured, USD. `static`: the starting balance. `trailing`: the highest equity at any 00:00 UTC of the phase, at least the account size.",
        ),
      ),
      allowedDrawdown: ifSent(number("Loss that the limit allows below `highWaterMark`, USD.")),
      currentDrawdown: ifSent(
        number(
          "Loss below `highWaterMark`, USD, at least 0. For `trailing` it is measured with the equity of the last 00:00 UTC.",
        ),
      ),
      remainingDrawdown: ifSent(number("Allowed loss minus current loss, USD, at least 0.")),
      remainingDrawdownPercentHWM: ifSent(
        number("`remainingDrawdown` as a percent of `highWaterMark`."),
      ),
    }),
  },
);

const PERFORMANCE = object("Statistics over the closed trades of all phases.", {
  totalTrades: count("Number of closed trades and open positions together."),
  winRate: ifSent(
    number("`totalWins` as a percent of the closed trades; 0 before the first closed trade."),
  ),
  totalWins: count("Number of closed trades with a profit after fees."),
  avgTradePnL: ifSent(
    number("Average PnL of the closed trades after fees, USD; 0 before the first closed trade."),
  ),
  tradeDuration: string(
    "Average holding time of the closed trades for display, such as `5h 07m`; `--` before the first closed trade.",
  ),
  tradeDurationMs: nullable(
    number("`tradeDuration` in milliseconds; null before the first closed trade."),
  ),
  challengeStartMs: ifSent(time("Start of the current phase, Unix milliseconds.")),
  dailyReturns: list(
    object("The return of one UTC day.", {
      date: string("The UTC day, such as `2026-01-05`.", { format: "date" }),
      value: number(
        "Change of equity from the start to the end of the day, as a percent of the equity at its start.",
      ),
    }),
    "One item for each UTC day that has ended, oldest first. The account's last day ends when the account ends.",
  ),
});

/** `data` of GET account. @rule S2.1 */
export const ACCOUNT = object("A snapshot of the account.", {
  accountId: string("The account that the key is bound to.", { format: "uuid" }),
  assetClass: word(ASSET_CLASSES, "The markets that the account may trade."),
  marketName: word(Object.values(MARKET_NAMES), "`assetClass` for display."),
  accountSize: number("The standard account size that was sold, USD."),
  formattedAccountSize: string("`accountSize` for display, such as `$100,000`."),
  evaluation: EVALUATION,
  account: FIGURES,
  challenge: CHALLENGE,
  performance: PERFORMANCE,
  meta: object("Details of this answer.", {
    generatedAtMs: time("When the answer was made."),
    stale: boolean(
      "True when a secondary data source failed and its fields hold placeholders or null. Retry the request.",
    ),
  }),
  proTrack: nullable(PRO_TRACK),
  drawdownRules: nullable(DRAWDOWN_RULES),
  elimination: nullable(ELIMINATION),
  isPro: boolean("True in the pro challenge and pro funded phases."),
  cancelAllAfter: nullable(ARMED_SWITCH),
  tradingDays: nullable(
    count(
      "Number of full trading days that the network has tracked; 0 in the transition. Null for accounts that are not on the pro track, and when the network sent no statistics.",
    ),
  ),
});
export type Account<Unsent extends Linked = never> = Wire<typeof ACCOUNT, Unsent>;
