import {
  type Bucket,
  type EvaluationStatus,
  type EventType,
  INACTIVITY_REASON,
  type LimitCheckWord,
  type LossRuleWord,
  type ObjectiveKey,
  type OperatorPhase,
  type OrderStatus,
  type OrderTypeWord,
  type OwnAssetClassWord,
  type PayoutStatus,
  type PositionType,
  type Preview,
  type ProPhase,
  type RestingExecutionType,
  type Scope,
  type StayReasonWord,
  type StopCondition,
  type TradeStatus,
} from "@propgate/contract";
import type {
  AccountClass,
  AccountStatus,
  CappedExposure,
  Direction,
  EliminationCause,
  Event,
  ExposureCap,
  FailedPhase,
  LossLimit,
  LossRule,
  Objective,
  PayoutStatus as PayoutState,
  PendingOrder,
  Phase,
  ProTrackFigures,
  StayReason,
  StopLimitOrder,
  Trade,
} from "@propgate/core";
import type { KeyScope } from "../storage/rows/api-key.ts";
import type { OrderReceipt } from "../trading/network/port.ts";

/*
 * The one dictionary between the words of the wire, which never change, and those of the domain. A
 * word that is new on either side does not compile until it has its row here. @rule D3.words decides
 */

/** The type of each event of the journal. @rule D9.eventViews */
export const EVENT_TYPE_WORDS = {
  orderPlaced: "order.resting",
  orderEdited: "order.edited",
  orderHeld: "order.held",
  stopTriggered: "order.triggered",
  orderFilled: "order.filled",
  orderCancelled: "order.cancelled",
  orderRejected: "order.rejected",
  legsAttached: "legs.attached",
  trailMoved: "leg.trailed",
  positionClosed: "position.closed",
  dayEnded: "day.ended",
  carryCharged: "carry.charged",
  sharesSplit: "shares.split",
  dividendPaid: "dividend.paid",
  accountOpened: "account.opened",
  accountProvisioned: "account.provisioned",
  accountEliminated: "account.eliminated",
  accountClosed: "account.closed",
  challengePassed: "challenge.passed",
  proOffered: "pro.offered",
  proStarted: "pro.started",
  proPromoted: "pro.promoted",
  softBreached: "pro.soft_breached",
  drawdownDeepened: "drawdown.deepened",
  limitNeared: "limit.neared",
  cycleClosed: "payout.cycle_closed",
  payoutRecorded: "payout.updated",
  deferralForfeited: "payout.forfeited",
  switchArmed: "switch.armed",
  switchSuspended: "switch.suspended",
  switchEnded: "switch.ended",
  switchFired: "switch.fired",
} as const satisfies Readonly<Record<Event["type"], EventType>>;

/** The core's events of these types. */
export function coreTypesOf(types: ReadonlySet<EventType>): ReadonlySet<string> {
  const chosen = Object.entries(EVENT_TYPE_WORDS).filter(([, type]) => types.has(type));
  return new Set(chosen.map(([core]) => core));
}

export const SCOPE_WORDS: Readonly<Record<KeyScope, Scope>> = {
  read: "trade:read",
  place: "trade:place",
};

export const KEY_SCOPES: Readonly<Record<Scope, KeyScope>> = {
  "trade:read": "read",
  "trade:place": "place",
};

export const ASSET_CLASS_WORDS: Readonly<Record<AccountClass, OwnAssetClassWord>> = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
  allMarkets: "all_markets",
};

export const ACCOUNT_CLASSES: Readonly<Record<OwnAssetClassWord, AccountClass>> = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
  all_markets: "allMarkets",
};

export const POSITION_WORDS: Readonly<Record<Direction, PositionType>> = {
  long: "LONG",
  short: "SHORT",
};

export const DIRECTIONS: Readonly<Record<PositionType, Direction>> = {
  LONG: "long",
  SHORT: "short",
};

export const ORDER_WORDS: Readonly<Record<Direction | "flat", OrderTypeWord>> = {
  ...POSITION_WORDS,
  flat: "FLAT",
};

export const RESTING_WORDS: Readonly<Record<PendingOrder["kind"], RestingExecutionType>> = {
  limit: "LIMIT",
  stopLimit: "STOP_LIMIT",
  bracket: "BRACKET",
};

export const STOP_CONDITION_WORDS: Readonly<
  Record<StopLimitOrder["stopCondition"], StopCondition>
> = { gte: "GTE", lte: "LTE" };

export const STOP_CONDITIONS_READ: Readonly<
  Record<StopCondition, StopLimitOrder["stopCondition"]>
> = { GTE: "gte", LTE: "lte" };

export const TRADE_STATUS_WORDS: Readonly<Record<Trade["status"], TradeStatus>> = {
  closed: "CLOSED",
  liquidated: "LIQUIDATED",
};

export const ORDER_STATUS_WORDS: Readonly<Record<OrderReceipt["outcome"], OrderStatus>> = {
  filled: "filled",
  resting: "resting",
  edited: "edited",
  cancelled: "cancelled",
  flattened: "flattened",
  partlyFlattened: "partial",
};

export const STAY_REASON_WORDS: Readonly<Record<StayReason["code"], StayReasonWord>> = {
  marketClosed: "marketClosed",
  noFreshQuote: "staleQuote",
  noConversionRate: "noConversionRate",
  unknownPair: "unknownPair",
};

export const PAYOUT_STATUS_WORDS: Readonly<Record<PayoutState, PayoutStatus>> = {
  pending: "pending",
  processing: "processing",
  paid: "paid",
  failed: "failed",
};

/** Each loss limit: its rule, its name in `drawdownRules` (null: only in `limits`), its part of an elimination's reason. */
export const LOSS_LIMIT_WORDS = {
  dailyLoss: { rule: "dailyLoss", limit: "dailyLoss", reason: "INTRADAY" },
  staticLoss: { rule: "static", limit: "maxLoss", reason: "STATIC" },
  endOfDayTrailing: { rule: "eod_trailing", limit: "maxLoss", reason: "EOD" },
} as const satisfies Readonly<Record<LossRule, LossLimitWords>>;

interface LossLimitWords {
  readonly rule: LossRuleWord;
  readonly limit: Preview["limitsAfter"][number]["limit"];
  readonly reason: string;
}

export const LIMIT_CHECK_WORDS: Readonly<Record<LossLimit["checked"], LimitCheckWord>> = {
  live: "live",
  endOfDay: "end_of_day",
};

export const PRO_PHASE_WORDS: Readonly<Record<ProTrackFigures["phase"], ProPhase>> = {
  transition: "transition",
  challenge: "challenge",
  funded: "funded",
};

export const OBJECTIVE_WORDS: Readonly<Record<Objective["key"], ObjectiveKey>> = {
  return: "return",
  calmar: "calmar",
  consistency: "consistency",
  days: "days",
};

const BUCKET_WORDS: Readonly<Record<Phase, Bucket>> = {
  challenge: "SUBACCOUNT_CHALLENGE",
  funded: "SUBACCOUNT_FUNDED",
  proTransition: "PRO_CHALLENGE_TRANSITION",
  proChallengeDirect: "PRO_CHALLENGE_DIRECT",
  proChallengeFromStandard: "PRO_CHALLENGE_FROM_STANDARD",
  proFunded: "PRO_FUNDED",
};

const PHASE_STATUS_WORDS: Readonly<Record<Phase, EvaluationStatus>> = {
  challenge: "evaluation",
  funded: "funded",
  proTransition: "funded",
  proChallengeDirect: "evaluation",
  proChallengeFromStandard: "evaluation",
  proFunded: "funded",
};

const OPERATOR_PHASE_WORDS: Readonly<Record<Phase, OperatorPhase>> = {
  challenge: "challenge",
  funded: "funded",
  proTransition: "transition",
  proChallengeDirect: "proChallenge",
  proChallengeFromStandard: "proChallenge",
  proFunded: "proFunded",
};

export function operatorPhase(phase: Phase): OperatorPhase {
  return OPERATOR_PHASE_WORDS[phase];
}

/** The phases of a word of the operator's. */
export function phasesOf(word: OperatorPhase): readonly Phase[] {
  const phases = Object.keys(OPERATOR_PHASE_WORDS) as Phase[];
  return phases.filter((phase) => OPERATOR_PHASE_WORDS[phase] === word);
}

export function bucketWord(status: AccountStatus, phase: Phase): Bucket {
  return status === "eliminated" ? "ELIMINATED" : BUCKET_WORDS[phase];
}

export function evaluationWord(status: AccountStatus, phase: Phase): EvaluationStatus {
  if (status === "eliminated" || status === "provisioning") return status;
  return PHASE_STATUS_WORDS[phase];
}

const FAILED_PHASE_WORDS: Readonly<Record<FailedPhase, string>> = {
  challenge: "CHALLENGE",
  funded: "FUNDED",
  proChallenge: "PRO_CHALLENGE",
  proFunded: "PRO_FUNDED",
};

/** A reason code, or the operator's own words. @rule D3.eliminationReason decides */
export function eliminationReason(cause: EliminationCause): string {
  switch (cause.kind) {
    case "lossLimit":
      return `FAILED_${FAILED_PHASE_WORDS[cause.phase]}_PERIOD_${LOSS_LIMIT_WORDS[cause.rule].reason}_DRAWDOWN`;
    case "inactivity":
      return INACTIVITY_REASON;
    case "operator":
      return cause.reason;
  }
}

/** Also true when an operator wrote the code of inactivity as the reason. @rule S2.1.3 */
export function isInactivity(cause: EliminationCause): boolean {
  return eliminationReason(cause) === INACTIVITY_REASON;
}

/** Null when no cap made the order smaller. @rule D5.caps */
export function bindingCapText(cap: ExposureCap | null): string | null {
  return cap === null ? null : exposureCapText(cap);
}

/** Such as `per pair cap 1.5x`. @rule D5.caps */
export function exposureCapText({ cap, of }: ExposureCap): string {
  return `${capName(of)} ${cap}x`;
}

function capName(of: CappedExposure): string {
  switch (of.kind) {
    case "pair":
      return "per pair cap";
    case "class":
      return `per class cap ${ASSET_CLASS_WORDS[of.assetClass]}`;
    case "group":
      return `${of.group} exposure cap`;
    case "portfolio":
      return "overall portfolio cap";
  }
}
