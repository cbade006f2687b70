import {
  ACCOUNT_BUCKETS,
  ASSET_CLASSES,
  CHALLENGE_CRITERIA,
  ORDER_TYPES,
  STOP_CONDITIONS,
} from "@propgate/contract";
import { LINKED_EXECUTION_TYPES, SUBACCOUNT_STATUSES } from "./linked-readings.ts";
import type { SectionKeys } from "./section.ts";

/*
 * The tables of the validator's answers: what each key means there, and the field that it becomes here. Ratios of the
 * account size stay ratios; fractions become percents, and dollars become micro dollars.
 */

/** The keys of the dashboard's section `subaccount_info`. */
export const SUBACCOUNT_INFO_KEYS = {
  synthetic_hotkey: { unit: "text", becomes: "hotkey", required: true },
  /** Older validators do not send this key; the hotkey has the same number. */
  subaccount_id: { unit: "count", becomes: "subaccountId" },
  subaccount_uuid: { unit: "text", becomes: "subaccountUuid" },
  asset_class: { unit: "word", words: ASSET_CLASSES, becomes: "assetClass", required: true },
  /** The size that the network uses at present. */
  account_size: { unit: "size", becomes: "size", required: true },
  standard_account_size: { unit: "size", becomes: "standardSize" },
  pro_account_size: { unit: "size", becomes: "proSize" },
  drawdown_criteria: { unit: "word", words: CHALLENGE_CRITERIA, becomes: "drawdownCriteria" },
  criteria: { unit: "word", words: CHALLENGE_CRITERIA, becomes: "drawdownCriteria" },
  account_type: { unit: "word", words: ["standard", "pro"], becomes: "accountType" },
  status: {
    unit: "word",
    words: SUBACCOUNT_STATUSES,
    becomes: "status",
    required: true,
    otherwise: "unknown",
  },
  created_at_ms: { unit: "milliseconds", becomes: "createdAtMs" },
  eliminated_at_ms: { unit: "milliseconds", becomes: "eliminatedAtMs" },
  leverage_tier: { unit: "whole", becomes: "leverageTier" },
  hl_address: { unit: "unused", note: "A personal address, which is not kept." },
  payout_address: { unit: "unused", note: "A personal address, which is not kept." },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `challenge_period`. */
export const CHALLENGE_PERIOD_KEYS = {
  bucket: {
    unit: "word",
    words: ACCOUNT_BUCKETS,
    becomes: "bucket",
    required: true,
    otherwise: "unknown",
  },
  start_time_ms: { unit: "milliseconds", becomes: "startMs" },
  bucket_start_time: { unit: "milliseconds", becomes: "bucketStartMs" },
} as const satisfies SectionKeys;

/**
 * The keys of the dashboard's section `drawdown`. Equities are ratios of the account size, `_pct` are percents and
 * `_threshold` are fractions.
 */
export const DRAWDOWN_KEYS = {
  drawdown_criteria: { unit: "word", words: CHALLENGE_CRITERIA, becomes: "criteria" },
  criteria: { unit: "word", words: CHALLENGE_CRITERIA, becomes: "criteria" },
  current_equity: { unit: "ratio", becomes: "equity" },
  current_balance: { unit: "ratio", becomes: "balance" },
  daily_open_equity: { unit: "ratio", becomes: "dayStartEquity" },
  eod_hwm: { unit: "ratio", becomes: "endOfDayHighWaterMark" },
  last_eod_equity: { unit: "ratio", becomes: "lastEndOfDayEquity" },
  last_eod_checked_ms: { unit: "milliseconds", becomes: "lastEndOfDayMs" },
  current_return: { unit: "ratio", becomes: "currentReturn" },
  intraday_drawdown_pct: { unit: "percent", becomes: "dailyLossPct" },
  eod_drawdown_pct: { unit: "percent", becomes: "endOfDayLossPct" },
  trailing_drawdown_pct: { unit: "percent", becomes: "trailingLossPct" },
  static_drawdown_pct: { unit: "percent", becomes: "staticLossPct" },
  static_eod_drawdown_pct: {
    unit: "unused",
    note: "A rule that no static account has any more.",
  },
  intraday_drawdown_threshold: { unit: "fraction", becomes: "dailyLossLimitPct" },
  eod_drawdown_threshold: { unit: "fraction", becomes: "endOfDayLossLimitPct" },
  static_drawdown_threshold: { unit: "fraction", becomes: "staticLossLimitPct" },
  static_eod_drawdown_threshold: { unit: "unused", note: "That rule's threshold." },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `pro_stats`. */
export const PRO_STATS_KEYS = {
  calmar: { unit: "number", becomes: "calmar" },
  /** The return of the best day divided by the sum of the returns of all days. */
  daily_consistency: { unit: "ratio", becomes: "consistency" },
  /** 1 minus the deepest drawdown as a ratio: 0.976 is a drawdown of 2.4 %. */
  max_drawdown: { unit: "ratio", becomes: "oneMinusMaxDrawdown" },
  trading_days: { unit: "count", becomes: "tradingDays" },
  calmar_threshold: { unit: "number", becomes: "calmarThreshold" },
  daily_consistency_threshold: { unit: "ratio", becomes: "consistencyThreshold" },
  returns_threshold: { unit: "ratio", becomes: "returnThreshold" },
  /** The network's documents use three different keys for the minimum number of trading days. */
  trading_days_threshold: { unit: "count", becomes: "daysThreshold" },
  minimum_trading_days: { unit: "count", becomes: "daysThreshold" },
  min_trading_days: { unit: "count", becomes: "daysThreshold" },
  soft_breach_applies: { unit: "flag", becomes: "softBreachApplies" },
  soft_breach: { unit: "flag", becomes: "softBreach" },
  soft_breach_days: { unit: "unused", note: "`soft_breach` says whether this week is held." },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `elimination`. */
export const ELIMINATION_KEYS = {
  elimination_initiated_time_ms: { unit: "milliseconds", becomes: "atMs" },
  reason: { unit: "text", becomes: "reason" },
  dd: { unit: "percent", becomes: "drawdownPct" },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `account_size_data`. */
export const ACCOUNT_SIZE_DATA_KEYS = {
  account_size: { unit: "size", becomes: "size" },
  balance: { unit: "dollars", becomes: "balance" },
  equity: { unit: "dollars", becomes: "equity" },
  unrealized_pnl: { unit: "dollars", becomes: "unrealizedPnl" },
  total_realized_pnl: { unit: "dollars", becomes: "realizedPnl" },
  total_fees_paid: { unit: "dollars", becomes: "fees" },
  capital_used: { unit: "dollars", becomes: "capitalUsed" },
  buying_power: { unit: "dollars", becomes: "buyingPower" },
  total_borrowed_amount: { unit: "dollars", becomes: "borrowed" },
  max_return: { unit: "unused", note: "No figure of the specification." },
  is_pro: { unit: "unused", note: "The bucket says it." },
  correlated_exposures: { unit: "unused", note: "No figure of the specification." },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `positions`. */
export const POSITIONS_KEYS = {
  positions: { unit: "nested", note: "Compact positions by uuid: POSITION_KEYS." },
  positions_time_ms: { unit: "milliseconds", becomes: "cursorMs" },
  all_time_returns: { unit: "unused", note: "No figure of the specification." },
  total_leverage: {
    unit: "unused",
    note: "As of the last orders; the present leverage is computed.",
  },
} as const satisfies SectionKeys;

/** The short keys of a position. */
export const POSITION_KEYS = {
  tp: { unit: "text", becomes: "pairDisplay", required: true },
  t: { unit: "word", words: ORDER_TYPES, becomes: "type", required: true },
  o: { unit: "milliseconds", becomes: "openMs", required: true },
  c: { unit: "milliseconds", becomes: "closeMs" },
  /** `r` and `rc` are multipliers on the account size: 1.0123 is +1.23 %. */
  r: { unit: "ratio", becomes: "currentReturn" },
  rc: { unit: "ratio", becomes: "returnAtClose" },
  ap: { unit: "price", becomes: "averageEntryPrice" },
  rp: { unit: "dollars", becomes: "realizedPnl" },
  up: { unit: "dollars", becomes: "unrealizedPnl" },
  /** `nl` and `nv` are as of the last order. The network leaves each of them out when it is 0. */
  nl: { unit: "number", becomes: "netLeverage" },
  nv: { unit: "dollars", becomes: "netValue" },
  fo: { unit: "nested", note: "Fills by uuid: ORDER_KEYS." },
  uo: { unit: "nested", note: "Unfilled legs by uuid: ORDER_KEYS." },
  fh: { unit: "nested", note: "Fees by time: FEE_KEYS." },
} as const satisfies SectionKeys;

/** The keys of a fill, of a pending order, of a leg of a position and of a leg of a pending order. */
export const ORDER_KEYS = {
  tp: { unit: "text", becomes: "pairDisplay" },
  t: { unit: "word", words: ORDER_TYPES, becomes: "type" },
  e: { unit: "word", words: LINKED_EXECUTION_TYPES, becomes: "executionType" },
  p: { unit: "milliseconds", becomes: "processedMs" },
  v: { unit: "dollars", becomes: "value" },
  l: { unit: "number", becomes: "leverage" },
  q: { unit: "number", becomes: "quantity" },
  bpct: { unit: "ratio", becomes: "bracketPct" },
  pr: { unit: "price", becomes: "price" },
  /** The cause of the order in some versions of the network, its slippage in others. */
  s: { unit: "number", becomes: "sourceOrSlippage" },
  lp: { unit: "price", becomes: "limitPrice" },
  sl: { unit: "price", becomes: "stopLoss" },
  tk: { unit: "price", becomes: "takeProfit" },
  sp: { unit: "price", becomes: "stopPrice" },
  cond: { unit: "word", words: STOP_CONDITIONS, becomes: "stopCondition" },
  tsl: { unit: "nested", note: "The trailing stop: TRAILING_KEYS." },
  uo: { unit: "nested", note: "Legs that it will attach, by uuid: ORDER_KEYS." },
} as const satisfies SectionKeys;

/** The keys of a trailing stop. */
export const TRAILING_KEYS = {
  /** A share of the price: 0.02 is 2 %. */
  pct: { unit: "ratio", becomes: "trailingPercent" },
  /** A distance in units of the price. */
  val: { unit: "price", becomes: "trailingValue" },
} as const satisfies SectionKeys;

/** The short keys of a fee of a position. */
export const FEE_KEYS = {
  /** The kind is not checked: a word or form that is not known here does not make the whole answer unreadable. */
  t: { unit: "nested", note: "The kind of fee: FEE_KINDS." },
  a: { unit: "dollars", becomes: "amount", required: true },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `limit_orders`. */
export const LIMIT_ORDERS_KEYS = {
  open_orders: { unit: "nested", note: "Pending orders by uuid: ORDER_KEYS." },
  closed_orders: { unit: "nested", note: "Uuids, which the network sends only once." },
  limit_orders_time_ms: { unit: "milliseconds", becomes: "cursorMs" },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `ledger`. */
export const LEDGER_KEYS = {
  checkpoints: { unit: "nested", note: "Checkpoints by time: CHECKPOINT_KEYS." },
  checkpoints_time_ms: { unit: "milliseconds", becomes: "cursorMs" },
  portfolio_return: { unit: "unused", note: "No figure of the specification." },
} as const satisfies SectionKeys;

/** The short keys of a checkpoint of the ledger. */
export const CHECKPOINT_KEYS = {
  /** The network leaves out `r` and `u` when they are 0. */
  r: { unit: "dollars", becomes: "realizedPnl" },
  u: { unit: "dollars", becomes: "unrealizedPnl" },
  m: { unit: "unused", note: "The highest portfolio value." },
  s: { unit: "unused", note: "The phase at that time." },
} as const satisfies SectionKeys;

/** The keys of the dashboard's section `statistics`. */
export const STATISTICS_KEYS = {
  daily_returns: { unit: "nested", note: "Percents by date." },
  daily_returns_time_ms: { unit: "milliseconds", becomes: "cursorMs" },
} as const satisfies SectionKeys;

/** The keys of the answer of the limits call. */
export const LIMITS_KEYS = {
  portfolio_multiplier: { unit: "number", becomes: "portfolioCap" },
  max_portfolio_usd: { unit: "dollars", becomes: "maxPortfolio" },
  max_asset_class_usd: { unit: "nested", note: "Dollars by asset class." },
  positional_leverage: { unit: "nested", note: "Multiples of the balance by pair id." },
  account_size: { unit: "unused", note: "The dashboard says it." },
  is_pro: { unit: "unused", note: "The bucket says it." },
  tier_curve: { unit: "unused", note: "No figure of the specification." },
  tier: { unit: "unused", note: "No figure of the specification." },
  correlation_limits: { unit: "unused", note: "Caps of groups: no figure of the specification." },
  entity_collateral: { unit: "unused", note: "The entity's own." },
} as const satisfies SectionKeys;

/** The keys of an item of the list of pairs. Some versions of the network send the longer of two names of a figure. */
export const TRADE_PAIR_KEYS = {
  trade_pair_id: { unit: "text", becomes: "id", required: true },
  trade_pair: { unit: "text", becomes: "display", required: true },
  category: { unit: "text", becomes: "category" },
  trade_pair_category: { unit: "text", becomes: "category" },
  source: { unit: "text", becomes: "source" },
  trade_pair_source: { unit: "text", becomes: "source" },
  is_pro: { unit: "flag", becomes: "isPro" },
  max_leverage: { unit: "unused", note: "The limits call has the account's own caps." },
  pro_positional_leverage: { unit: "unused", note: "The same." },
  standard_positional_leverage_by_tier: { unit: "unused", note: "The same." },
  exposure_group: { unit: "unused", note: "No figure of the specification." },
  correlation_legs: { unit: "unused", note: "No figure of the specification." },
} as const satisfies SectionKeys;

/** The keys of the answer of the payout call. */
export const PAYOUT_KEYS = {
  weekly_settlements: { unit: "nested", note: "Weeks: SETTLEMENT_KEYS." },
  deferred_balance: { unit: "dollars", becomes: "deferredBalance" },
  payout: { unit: "unused", note: "The sum of the weeks." },
  deferred_forfeited: { unit: "unused", note: "No figure of the specification." },
  off_track: { unit: "unused", note: "No figure of the specification." },
  hotkey: { unit: "text", becomes: "hotkey" },
  total_checkpoints: { unit: "unused", note: "No figure of the specification." },
  checkpoints: { unit: "unused", note: "No figure of the specification." },
} as const satisfies SectionKeys;

/** The keys of a week in the answer of the payout call. */
export const SETTLEMENT_KEYS = {
  start_ms: { unit: "milliseconds", becomes: "startMs", required: true },
  end_ms: { unit: "milliseconds", becomes: "endMs", required: true },
  /** The amount before the trader's split, including the amounts that the week releases from earlier weeks. */
  payout: { unit: "dollars", becomes: "payout", required: true },
  gross_payout: { unit: "unused", note: "Before penalty and scale." },
  eow_balance: { unit: "unused", note: "The network has computed the payout from it." },
  eow_unrealized: { unit: "unused", note: "The same." },
  deferred: { unit: "unused", note: "`deferred_balance` is the sum." },
  deferred_released: { unit: "unused", note: "In `payout`." },
  deferred_forfeited: { unit: "unused", note: "No figure of the specification." },
  deferred_balance: { unit: "unused", note: "The answer's own is the newest." },
  weekly_penalty: { unit: "unused", note: "In `payout`." },
  payout_scale: { unit: "unused", note: "In `payout`." },
  bucket: { unit: "unused", note: "No figure of the specification." },
  settled_segment: { unit: "unused", note: "Several rows of a week are counted here." },
  orders: { unit: "unused", note: "No figure of the specification." },
} as const satisfies SectionKeys;
