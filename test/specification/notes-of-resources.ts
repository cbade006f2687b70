import { isRecord } from "@propgate/contract";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import { STATE_NAMES } from "./eight-states.ts";
import type { Evidence } from "./evidence.ts";
import {
  accountValue,
  createNote,
  haveAccountValues,
  isSoForEveryAccount,
  type Note,
  textMatcher,
  valueAt,
} from "./note.ts";

const isCount = (value: unknown): boolean => Number.isSafeInteger(value);
const items = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
const everyTrade = (
  evidence: Evidence,
  isSo: (trade: Readonly<Record<string, unknown>>) => boolean,
) => STATE_NAMES.every((name) => items(evidence.live.states[name].trades).every(isSo));
const positionsOf = ({ live }: Evidence) =>
  STATE_NAMES.flatMap((name) => items(live.states[name].positions));
const isOfBothDirections = (held: readonly Readonly<Record<string, unknown>>[]): boolean =>
  ["LONG", "SHORT"].every((word) => held.some(({ positionType }) => positionType === word)) &&
  held.every(({ positionType }) => positionType === "LONG" || positionType === "SHORT");
/** Whether a figure is above zero for a LONG position and below zero for a SHORT one. */
const isSigned = (held: Readonly<Record<string, unknown>>, field: string): boolean =>
  Number(held[field]) * (held.positionType === "LONG" ? 1 : -1) > 0;
const objective = (evidence: Evidence, state: "challenge" | "funded pro", key: string): unknown => {
  const all = items(accountValue(evidence, state, "proTrack.objectives"));
  return all.find((one) => one.key === key)?.value;
};
const trading = ({ live }: Evidence) => live.states.trading;
const orderWith = (evidence: Evidence, type: string) =>
  items(trading(evidence).orders).find(({ executionType }) => executionType === type);

/** The remarks in the tables of section 2. `specified-fields.ts` also reads the lists of fields in them. */
export const NOTES_OF_RESOURCES: readonly Note[] = [
  createNote("2.1 Field accountId", "bound account id", { rule: "S5.R5" }),
  createNote("2.1 Field formattedAccountSize", "display form", {
    seen: (all) => haveAccountValues(all, "formattedAccountSize", { new: "$100,000" }),
  }),
  createNote("2.1 Field evaluation.accountSize", "display form", {
    seen: (all) => haveAccountValues(all, "evaluation.accountSize", { new: "$100,000" }),
  }),
  createNote("2.1 Field evaluation.activeAccounts", "display form, of the pattern n/m", {
    seen: (all) => isSoForEveryAccount(all, "evaluation.activeAccounts", textMatcher(/^\d+\/\d+$/)),
  }),
  createNote("2.1 Field account.openPositions", "count", {
    seen: (all) =>
      isSoForEveryAccount(
        all,
        "account.openPositions",
        (count, name) => count === items(all.live.states[name].positions).length,
      ),
  }),
  createNote(
    "2.1 Field account.portfolioBalanceBreakdown",
    "currentBalance, marginLeverage, sumPositionValue (all number)",
    { rule: "D4.portfolioBalance" },
  ),
  createNote("2.1 Field account.leverage", "display text with current and max leverage", {
    seen: (all) =>
      isSoForEveryAccount(
        all,
        "account.leverage",
        textMatcher(/^Current - \d+\.\d+x \/ Max - [\d.]+x$/),
      ),
  }),
  createNote(
    "2.1 Field challenge.drawdownCriteria",
    "`trailing` (legacy high-water-mark rules) or `static` (limits measured against the starting account balance)",
    {
      seen: (all) =>
        haveAccountValues(all, "challenge.drawdownCriteria", {
          new: "static",
          linked: "trailing",
        }) && haveAccountValues(all, "drawdownRules.maxLoss.anchorEquity", { trading: 100_000 }),
    },
  ),
  createNote("2.1 Field challenge.maxLeverage", "display text", {
    seen: (all) => isSoForEveryAccount(all, "challenge.maxLeverage", textMatcher(/^[\d.]+x$/)),
  }),
  createNote(
    "2.1 Field challenge.drawdownBreakdown",
    "highWaterMark, allowedDrawdown, currentDrawdown, remainingDrawdown, remainingDrawdownPercentHWM (all number). For static accounts highWaterMark carries the starting balance and the values follow Rule 1, the 5% Static Loss Limit (equity against the starting balance).",
    {
      seen: (all) =>
        haveAccountValues(all, "challenge.drawdownBreakdown.highWaterMark", {
          new: 100_000,
          trading: 100_000,
          ended: 100_000,
          funded: 100_000,
        }) &&
        haveAccountValues(all, "challenge.drawdownBreakdown.allowedDrawdown", { trading: 5_000 }) &&
        haveAccountValues(all, "challenge.drawdownBreakdown.currentDrawdown", { ended: 6_028.2 }) &&
        haveAccountValues(all, "account.currentEquity", { ended: 93_971.8 }),
    },
  ),
  createNote("2.1 Field performance.tradeDuration", "display text", {
    seen: (all) =>
      isSoForEveryAccount(all, "performance.tradeDuration", textMatcher(/^(--|\d+h \d\dm)$/)),
  }),
  createNote("2.1 Field performance.dailyReturns", "items `{date: string, value: number}`", {
    seen: (all) =>
      textMatcher(/^2026-01-05$/)(accountValue(all, "funded", "performance.dailyReturns.0.date")),
  }),
  createNote(
    "2.1 Field meta.stale",
    "true when the upstream validator was unavailable and values fell back to placeholders; the caller should retry",
    { rule: "D4.stale" },
  ),
  createNote("2.1 Field proTrack", "see 2.1.1", {
    seen: (all) =>
      isSoForEveryAccount(all, "proTrack", (one, name) => (one !== null) === isOnTrack(name)),
  }),
  createNote("2.1 Field drawdownRules", "see 2.1.2", {
    seen: (all) => isSoForEveryAccount(all, "drawdownRules", isRecord),
  }),
  createNote("2.1 Field elimination", "see 2.1.3", {
    seen: (all) =>
      isSoForEveryAccount(all, "elimination", (one, name) => (one !== null) === (name === "ended")),
  }),
  createNote(
    "2.1 Field tradingDays",
    "number of full trading days tracked by the network; null for accounts not on the pro track",
    {
      seen: (all) =>
        isSoForEveryAccount(all, "tradingDays", (days, name) =>
          isOnTrack(name) ? isCount(days) : days === null,
        ) && haveAccountValues(all, "tradingDays", { challenge: 20 }),
    },
  ),
  createNote(
    "2.1.1 Field phase",
    "`transition`, `challenge` or `funded`. `transition`: the standard account is winding down until the network starts the pro account.",
    {
      seen: (all) =>
        haveAccountValues(all, "proTrack.phase", {
          transition: "transition",
          challenge: "challenge",
          "funded pro": "funded",
        }),
    },
  ),
  createNote(
    "2.1.1 Field transitionEndsAtMs",
    "the next Monday 00:00 UTC; null outside the transition phase",
    {
      seen: (all) =>
        haveAccountValues(all, "proTrack.transitionEndsAtMs", {
          // The transition ends four weeks after the first Monday of the suite.
          transition: START_MS - 43_200_000 + 4 * 604_800_000,
          challenge: null,
          "funded pro": null,
        }),
    },
  ),
  createNote("2.1.1 Field standardAccountSize, proAccountSize", "USD; null when not reported", {
    seen: (all) =>
      haveAccountValues(all, "proTrack.standardAccountSize", { challenge: 100_000 }) &&
      haveAccountValues(all, "proTrack.proAccountSize", { challenge: 200_000 }),
  }),
  createNote("2.1.1 Field hasStats", "false when the network sent no pro statistics on this read", {
    seen: (all) =>
      haveAccountValues(all, "proTrack.hasStats", { transition: false, challenge: true }),
  }),
  createNote(
    "2.1.1 Field evaluated",
    "becomes true once the network has tracked the first full trading day",
    { rule: "S2.1.1.objectives" },
  ),
  createNote(
    "2.1.1 Field objectives",
    "promotion objectives, each `{key, label, value, threshold, higherIsBetter, met}`",
    {
      seen: (all) =>
        ["return", "calmar", "consistency", "days"].join() ===
        items(accountValue(all, "challenge", "proTrack.objectives"))
          .map(({ key }) => key)
          .join(),
    },
  ),
  createNote(
    "2.1.1 Field maxDrawdownPercent",
    "all-time maximum drawdown as a percent (2.4 means 2.4%)",
    { rule: "D7.maxDrawdown" },
  ),
  createNote(
    "2.1.1 Field softBreachApplies",
    "true only for funded pro accounts, where a week with calmar or consistency below target has its reward held",
    {
      seen: (all) =>
        haveAccountValues(all, "proTrack.softBreachApplies", {
          transition: false,
          challenge: false,
          "funded pro": true,
        }),
    },
  ),
  createNote("2.1.1 Field softBreach", "true while such a hold is happening this week", {
    rule: "S2.1.1.softBreach",
  }),
  createNote("2.1.1 key return", "account return as a ratio (0.06 means 6%)", {
    seen: (all) =>
      objective(all, "challenge", "return") ===
      Number(accountValue(all, "challenge", "account.totalPnL")) / 200_000,
  }),
  createNote("2.1.1 key calmar", "Calmar ratio", { rule: "D7.calmar" }),
  createNote(
    "2.1.1 key consistency",
    "best day's share of total return, as a ratio (0.2 means 20%); lower is better",
    { rule: "D7.consistency" },
  ),
  createNote("2.1.1 key days", "count of full trading days", {
    seen: (all) =>
      objective(all, "challenge", "days") === accountValue(all, "challenge", "tradingDays"),
  }),
  createNote("2.1.2 Field criteria", "`trailing`, `static` or `pro`", {
    seen: (all) =>
      haveAccountValues(all, "drawdownRules.criteria", {
        linked: "trailing",
        new: "static",
        challenge: "pro",
      }),
  }),
  createNote(
    "2.1.2 Field dailyLoss",
    "the daily loss limit: equity against start-of-day equity. Fields: usedPct, limitPct (percents), dayStartEquity (USD)",
    { rule: "S2.1.2.dailyLoss" },
  ),
  createNote(
    "2.1.2 Field maxLoss",
    "the account's other limit. Fields: rule, usedPct, limitPct (percents), anchorEquity (what the limit is measured against, USD), measuredEquity (the equity compared with it, USD)",
    {
      seen: (all) =>
        accountValue(all, "ended", "drawdownRules.maxLoss.measuredEquity") ===
        accountValue(all, "ended", "account.currentEquity"),
    },
  ),
  createNote(
    "2.1.2 Field maxLoss.rule",
    "`eod_trailing`: trailing and pro accounts; end-of-day equity against the end-of-day high-water mark, checked once a day at 00:00 UTC, so an intraday dip that recovers before then is not a breach. `static`: static accounts; live equity against the starting balance.",
    {
      seen: (all) =>
        haveAccountValues(all, "drawdownRules.maxLoss.rule", {
          linked: "eod_trailing",
          challenge: "eod_trailing",
          "funded pro": "eod_trailing",
          new: "static",
          funded: "static",
        }),
    },
  ),
  createNote("2.1.2 Field currentBalance", "USD", {
    seen: (all) =>
      isSoForEveryAccount(
        all,
        "drawdownRules.currentBalance",
        (balance, name) => balance === accountValue(all, name, "account.currentBalance"),
      ),
  }),
  createNote("2.1.3 Field reason", "the network's reason code; null when none recorded", {
    seen: (all) => textMatcher(/^[A-Z_]+$/)(accountValue(all, "ended", "elimination.reason")),
  }),
  createNote("2.1.3 Field atMs", "when the network eliminated the account; null when unknown", {
    rule: "S2.1.3",
  }),
  createNote(
    "2.1.3 Field drawdownPct",
    "drawdown at elimination as a percent; null when none recorded",
    {
      seen: (all) => Number(accountValue(all, "ended", "elimination.drawdownPct")) > 5,
    },
  ),
  createNote("2.1.3 Field forInactivity", "true for the no-trade inactivity rule", {
    rule: "D7.inactivity",
  }),
  createNote("2.2 Field tradePair", "pair identifier", {
    seen: (all) => valueAt(trading(all).positions, "0.tradePair") === "BTCUSD",
  }),
  createNote("2.2 Field tradePairDisplay", "display form of the pair", {
    seen: (all) => valueAt(trading(all).positions, "0.tradePairDisplay") === "BTC/USD",
  }),
  createNote("2.2 Field positionType", "`LONG` or `SHORT`", {
    seen: (all) => isOfBothDirections(positionsOf(all)),
  }),
  createNote("2.2 Field netLeverage", "signed", {
    seen: (all) => positionsOf(all).every((one) => isSigned(one, "netLeverage")),
  }),
  createNote(
    "2.2 Field netQuantity",
    "position size in the pair's lot unit (same unit as an order's quantity); signed like netLeverage, so a SHORT is negative. Null only when the validator did not publish it and it cannot be derived from fills: treat as unknown, never zero.",
    { seen: (all) => positionsOf(all).every((one) => isSigned(one, "netQuantity")) },
  ),
  createNote("2.2 Field unrealizedPnl", "validator's live unrealized PnL, USD", {
    rule: "D4.marks",
  }),
  createNote("2.2 Field stopLoss, takeProfit", "attached TP/SL, when present", {
    rule: "D4.nearestLegs",
  }),
  createNote("2.3 Field orderUuid", "the id to pass to LIMIT_CANCEL", {
    seen: ({ moves }) => moves.LIMIT_CANCEL?.orderUuid === moves.LIMIT?.orderUuid,
  }),
  createNote("2.3 Field orderType", "e.g. LONG", {
    seen: (all) => orderWith(all, "LIMIT")?.orderType === "LONG",
  }),
  createNote("2.3 Field executionType", "e.g. LIMIT", {
    seen: (all) => orderWith(all, "LIMIT") !== undefined,
  }),
  createNote("2.3 Field quantity, bracketPct, trailingPercent, trailingValue", "null when unused", {
    rule: "D5.sentSize",
  }),
  createNote("2.4 Field leverage", "display form", {
    seen: (all) => everyTrade(all, ({ leverage }) => textMatcher(/^[\d.]+x$/)(leverage)),
  }),
  createNote(
    "2.4 Field positionSize",
    "display form; may be an estimate, reconcile against quantity",
    {
      seen: (all) =>
        everyTrade(all, ({ positionSize }) => textMatcher(/^\$[\d,.]+$/)(positionSize)),
    },
  ),
  createNote(
    "2.4 Field quantity",
    "total size opened over the life of the trade (every fill in the trade's direction, adds included), same lot unit and sign convention as netQuantity; null when a fill predates quantity tracking",
    {
      seen: (all) =>
        isOfBothDirections(items(trading(all).trades)) &&
        everyTrade(all, (trade) => isSigned(trade, "quantity")),
    },
  ),
  createNote("2.4 Field entryPrice, closePrice", "display form", {
    seen: (all) => everyTrade(all, ({ entryPrice }) => textMatcher(/^[\d.]+$/)(entryPrice)),
  }),
  createNote(
    "2.5 Field items",
    "closed payout cycles, newest first; weeks with no payout record (zero or held weeks) are not listed",
    { rule: "S2.5.items" },
  ),
  createNote("2.5 Field nextCursor", "null on the last page", {
    seen: ({ live }) => valueAt(live.states.new.payouts, "nextCursor") === null,
  }),
  createNote(
    "2.5 Field accrualStatus",
    "`ok`, `not_applicable`, `unavailable` or `omitted` (see 3)",
    {
      rule: "S3.accrualStatus",
    },
  ),
  createNote(
    "2.5 Field accrual",
    "live estimate for the cycle in progress; computed on the first page only",
    {
      seen: ({ live }) =>
        isRecord(valueAt(live.states.funded.payouts, "accrual")) &&
        valueAt(live.states.funded.laterPayouts, "0.accrual") === null,
    },
  ),
  createNote(
    "2.5 Field amount",
    "USD; trader share paid or payable after the profit split, including any earlier weeks rolled into it",
    { rule: "D7.split" },
  ),
  createNote(
    "2.5 Field profitSplit",
    "percent label such as a whole number followed by % (may exceed 100%)",
    {
      seen: ({ live }) =>
        items(valueAt(live.states.funded.payouts, "items")).every(({ profitSplit }) =>
          textMatcher(/^\d+%$/)(profitSplit),
        ),
    },
  ),
  createNote("2.5 Field alphaAmount, alphaDestination", "null in the reference response", {
    seen: ({ live }) =>
      items(valueAt(live.states.funded.payouts, "items")).every(
        ({ alphaAmount, alphaDestination }) => alphaAmount === null && alphaDestination === null,
      ),
  }),
  createNote("2.6 Field order_uuid", "the new order's id; for LIMIT_CANCEL, the cancelled id", {
    seen: ({ moves }) =>
      moves.LIMIT?.order?.orderUuid === moves.LIMIT?.orderUuid &&
      moves.LIMIT_CANCEL?.orderUuid === moves.LIMIT?.orderUuid,
  }),
  createNote(
    "2.6 Field order_json",
    "the validator's order record as a raw string; retained for existing clients; prefer `order`",
    {
      // On the service's own network the text is JSON. A validator's text is passed on unchanged.
      seen: ({ moves }) =>
        Object.values(moves).every(({ order, orderJson }) => orderJson === JSON.stringify(order)),
    },
  ),
  createNote("2.6 Field order", "typed order record; null for LIMIT_CANCEL and FLAT_ALL", {
    seen: ({ moves }) => moves.LIMIT_CANCEL?.order === null && moves.FLAT_ALL?.order === null,
  }),
  createNote("2.6 Field status", "present in the machine-readable description of the response", {
    rule: "S9.openapi",
  }),
];

function isOnTrack(state: string): boolean {
  return ["transition", "challenge", "funded pro"].includes(state);
}
