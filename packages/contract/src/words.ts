/* Every field value, called a word, that comes from a closed set. The server translates each word into its own by an
   exhaustive table, so the code does not compile until a new word is in that table. */

/** The scopes of a key: `trade:read` reads, `trade:place` also changes the account. @rule S5.R4 */
export const SCOPES = ["trade:read", "trade:place"] as const;
export type Scope = (typeof SCOPES)[number];

/** The asset classes of the service's own network. @rule D3.words */
export const OWN_ASSET_CLASSES = [
  "crypto",
  "forex",
  "indices",
  "equities",
  "commodities",
  "all_markets",
] as const;
export type OwnAssetClassWord = (typeof OWN_ASSET_CLASSES)[number];

/** The asset classes of all networks. `hl_all` is every market of Hyperliquid, on a validator. @rule D3.words */
export const ASSET_CLASSES = [...OWN_ASSET_CLASSES, "hl_all"] as const;
export type AssetClassWord = (typeof ASSET_CLASSES)[number];

/** The `marketName` of each asset class. @rule D3.words */
export const MARKET_NAMES = {
  crypto: "Crypto",
  forex: "Forex",
  indices: "Indices",
  equities: "Equities",
  commodities: "Commodities",
  all_markets: "All Markets",
  hl_all: "Hyperliquid",
} as const satisfies Record<AssetClassWord, string>;

/** The trading network of an account: the service's own, or a Vanta validator. */
export const NETWORKS = ["embedded", "vanta"] as const;
export type NetworkWord = (typeof NETWORKS)[number];

/** `evaluation.status` of an account. @rule D3.words */
export const EVALUATION_STATUSES = ["provisioning", "evaluation", "funded", "eliminated"] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** The kinds of program: `classic` or `pro`. @rule D3.words */
export const VARIANTS = ["classic", "pro"] as const;

/**
 * `bucket` of GET account, the network's category of the account. `SUBACCOUNT_ALPHA` and `unknown` are categories of a
 * validator only. @rule D3.words
 */
export const ACCOUNT_BUCKETS = [
  "SUBACCOUNT_CHALLENGE",
  "SUBACCOUNT_FUNDED",
  "SUBACCOUNT_ALPHA",
  "PRO_CHALLENGE_TRANSITION",
  "PRO_CHALLENGE_FROM_STANDARD",
  "PRO_CHALLENGE_DIRECT",
  "PRO_FUNDED",
  "ELIMINATED",
  "unknown",
] as const;
export type Bucket = (typeof ACCOUNT_BUCKETS)[number];

/** The values of `interval` of GET candles. @rule D9.candles */
export const CANDLE_INTERVALS = ["1m", "5m", "15m", "1h", "1d"] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** The values of `challenge.drawdownCriteria`. @rule S3.criteria */
export const CHALLENGE_CRITERIA = ["trailing", "static"] as const;

/** The values of `drawdownRules.criteria`. @rule S2.1.2 */
export const DRAWDOWN_CRITERIA = ["trailing", "static", "pro"] as const;

/** The values of `drawdownRules.limits[].rule`: every loss limit, in the order of precedence. @rule D4.limits */
export const LOSS_RULES = ["dailyLoss", "static", "eod_trailing"] as const;
export type LossRuleWord = (typeof LOSS_RULES)[number];

const LOSS_RULE_LABELS: Readonly<Record<LossRuleWord, string>> = {
  dailyLoss: "Daily loss",
  static: "Maximum loss",
  eod_trailing: "Trailing loss",
};

const LABELS: ReadonlyMap<string, string> = new Map(Object.entries(LOSS_RULE_LABELS));

/** The label of a loss limit. A word of a newer service becomes its own label: `weekly_loss` is "Weekly loss". */
export function lossRuleLabel(rule: string): string {
  return LABELS.get(rule) ?? labelFrom(rule);
}

function labelFrom(word: string): string {
  const spaced = word.replace(/(?<=[a-z])(?=[A-Z])|_/g, " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The values of `drawdownRules.limits[].checked`. @rule D4.limits */
export const LIMIT_CHECKS = ["live", "end_of_day"] as const;
export type LimitCheckWord = (typeof LIMIT_CHECKS)[number];

/** The values of `drawdownRules.maxLoss.rule`. @rule S2.1.2 */
export const MAX_LOSS_RULES = ["eod_trailing", "static"] as const;

/** The statuses of an account, as an operator's calls name them. */
export const ACCOUNT_STATUSES = ["provisioning", "active", "eliminated", "closed"] as const;

/** The phases of an account, as an operator's calls name them. @rule D13.phaseSeen */
export const OPERATOR_PHASES = [
  "challenge",
  "funded",
  "transition",
  "proChallenge",
  "proFunded",
] as const;
export type OperatorPhase = (typeof OPERATOR_PHASES)[number];

/** The values of `proTrack.phase`. @rule S2.1.1 */
export const PRO_PHASES = ["transition", "challenge", "funded"] as const;
export type ProPhase = (typeof PRO_PHASES)[number];

/** Keys of the promotion objectives, in the order in which they are listed. @rule S2.1.1 */
export const OBJECTIVE_KEYS = ["return", "calmar", "consistency", "days"] as const;
export type ObjectiveKey = (typeof OBJECTIVE_KEYS)[number];

/** The label of each promotion objective. @rule S2.1.1 */
export const OBJECTIVE_LABELS = {
  return: "Return",
  calmar: "Calmar ratio",
  consistency: "Consistency",
  days: "Trading days",
} as const satisfies Record<ObjectiveKey, string>;

/**
 * Reason codes of an elimination. The field `elimination.reason` may also contain an operator's own text.
 * @rule D3.eliminationReason
 */
export const ELIMINATION_REASONS = [
  "INACTIVE",
  "LIQUIDATED",
  "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN",
  "FAILED_CHALLENGE_PERIOD_EOD_DRAWDOWN",
  "FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN",
  "FAILED_FUNDED_PERIOD_INTRADAY_DRAWDOWN",
  "FAILED_FUNDED_PERIOD_EOD_DRAWDOWN",
  "FAILED_FUNDED_PERIOD_STATIC_DRAWDOWN",
  "FAILED_PRO_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN",
  "FAILED_PRO_CHALLENGE_PERIOD_EOD_DRAWDOWN",
  "FAILED_PRO_FUNDED_PERIOD_INTRADAY_DRAWDOWN",
  "FAILED_PRO_FUNDED_PERIOD_EOD_DRAWDOWN",
] as const;
export type EliminationReason = (typeof ELIMINATION_REASONS)[number];

/** The one reason that makes `elimination.forInactivity` true. @rule S2.1.3 */
export const INACTIVITY_REASON = "INACTIVE" satisfies EliminationReason;

/** Direction of a position or trade. @rule S2.2 */
export const POSITION_TYPES = ["LONG", "SHORT"] as const;
export type PositionType = (typeof POSITION_TYPES)[number];

/** Direction of an order; `FLAT` closes the pair's position. @rule D3.words */
export const ORDER_TYPES = ["LONG", "SHORT", "FLAT"] as const;
export type OrderTypeWord = (typeof ORDER_TYPES)[number];

/** The values of `action` of POST cancel-all-after. @rule D9.cancelAllAfter */
export const SWITCH_ACTIONS = ["cancel", "flatten"] as const;
export type SwitchActionWord = (typeof SWITCH_ACTIONS)[number];

/** The values of `trade.execution_type` of a request. @rule S4.2.executionType */
export const EXECUTION_TYPES = [
  "MARKET",
  "LIMIT",
  "STOP_LIMIT",
  "BRACKET",
  "LIMIT_CANCEL",
  "LIMIT_EDIT",
  "FLAT_ALL",
] as const;
export type ExecutionType = (typeof EXECUTION_TYPES)[number];

/** The values of `executionType` of a pending order. @rule S2.3 */
export const RESTING_EXECUTION_TYPES = ["LIMIT", "STOP_LIMIT", "BRACKET"] as const;
export type RestingExecutionType = (typeof RESTING_EXECUTION_TYPES)[number];

/**
 * The values of `stop_condition`: whether a mid price at or above the stop price triggers the order, or one at or below
 * it. @rule D3.words
 */
export const STOP_CONDITIONS = ["GTE", "LTE"] as const;
export type StopCondition = (typeof STOP_CONDITIONS)[number];

/** The fields that size an order, in the order in which texts name them. @rule S4.2.sizing */
export const SIZE_FIELDS = ["leverage", "value", "quantity"] as const;
export type SizeField = (typeof SIZE_FIELDS)[number];

/** `status` of a closed trade. `LIQUIDATED`: the elimination of the account closed it. @rule D3.words */
export const TRADE_STATUSES = ["CLOSED", "LIQUIDATED"] as const;
export type TradeStatus = (typeof TRADE_STATUSES)[number];

/** The values of `status` of an order result. @rule S2.6 */
export const ORDER_STATUSES = [
  "filled",
  "resting",
  "edited",
  "cancelled",
  "flattened",
  "partial",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * How an order ended the account or its challenge: the judgement after its fill, within the same command, eliminated
 * the account or passed the challenge.
 */
export const ENDINGS = ["eliminated", "passed"] as const;

/** Why a fill has less than its order's size. The first that applies is given. @rule D12.shortfall */
export const SHORTFALLS = ["cap", "nothingLeft", "neverFlips", "roundedToGrid"] as const;
/** Why a fill has more than its order's size. @rule D12.shortfall */
export const EXCESSES = ["roundedToGrid", "leastPosition"] as const;

/** Why FLAT_ALL leaves a position open. @rule D10.flattenAll */
export const STAY_REASONS = [
  "marketClosed",
  "staleQuote",
  "noConversionRate",
  "unknownPair",
  "notReported",
] as const;
export type StayReasonWord = (typeof STAY_REASONS)[number];

/** `status` of a payout's payment. @rule D3.words */
export const PAYOUT_STATUSES = ["pending", "processing", "paid", "failed"] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The values of `accrualStatus` of GET payouts. @rule S3.accrualStatus */
export const ACCRUAL_STATUSES = ["ok", "not_applicable", "unavailable", "omitted"] as const;
