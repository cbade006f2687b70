import type { KeyScope } from "@propgate/access";
import {
  type Bucket,
  type EvaluationStatus,
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
  EntryOrder,
  ExposureCap,
  FailedPhase,
  LossLimit,
  LossRule,
  Objective,
  PayoutStatus as PayoutState,
  Phase,
  ProTrackFigures,
  StayReason,
  Trade,
} from "@propgate/core";
import type { OrderReceipt } from "@propgate/ledger";

/*
 * The one dictionary between the words of the API, which never change, and those of the domain. The words of entry
 * orders are in `entry-kinds.ts`, those of events in `views/events/event-views.ts`. A word that is new on either side
 * does not compile until it has its row.
 * @rule D3.words decides
 */

/** The API's word for each scope of a key. */
export const SCOPE_WORDS: Readonly<Record<KeyScope, Scope>> = {
  read: "trade:read",
  place: "trade:place",
};

/** The scope for each word of the API, the inverse of `SCOPE_WORDS`. */
export const KEY_SCOPE_OF_WORD: Readonly<Record<Scope, KeyScope>> = {
  "trade:read": "read",
  "trade:place": "place",
};

/** The API's word for each class of accounts and instruments. */
export const ASSET_CLASS_WORDS: Readonly<Record<AccountClass, OwnAssetClassWord>> = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
  allMarkets: "all_markets",
};

/** The class for each word of the API, the inverse of `ASSET_CLASS_WORDS`. */
export const ASSET_CLASS_OF_WORD: Readonly<Record<OwnAssetClassWord, AccountClass>> = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
  all_markets: "allMarkets",
};

/** The API's word for each direction. */
export const DIRECTION_WORDS: Readonly<Record<Direction, PositionType>> = {
  long: "LONG",
  short: "SHORT",
};

/** The direction for each word of the API, the inverse of `DIRECTION_WORDS`. */
export const DIRECTION_OF_WORD: Readonly<Record<PositionType, Direction>> = {
  LONG: "long",
  SHORT: "short",
};

/** `orderType` of an order of each direction, and of one that closes. */
export const ORDER_TYPE_WORDS: Readonly<Record<Direction | "flat", OrderTypeWord>> = {
  ...DIRECTION_WORDS,
  flat: "FLAT",
};

/** The API's word for each side of the stop price that triggers a stop-limit order. */
export const STOP_CONDITION_WORDS: Readonly<
  Record<EntryOrder<"stopLimit">["stopCondition"], StopCondition>
> = { gte: "GTE", lte: "LTE" };

/** The side for each word of the API, the inverse of `STOP_CONDITION_WORDS`. */
export const STOP_CONDITION_OF_WORD: Readonly<
  Record<StopCondition, EntryOrder<"stopLimit">["stopCondition"]>
> = { GTE: "gte", LTE: "lte" };

/** `status` of a closed trade. */
export const TRADE_STATUS_WORDS: Readonly<Record<Trade["status"], TradeStatus>> = {
  closed: "CLOSED",
  liquidated: "LIQUIDATED",
};

/** `status` of an order result, by the outcome of the order's receipt. */
export const ORDER_STATUS_WORDS: Readonly<Record<OrderReceipt["outcome"], OrderStatus>> = {
  filled: "filled",
  resting: "resting",
  edited: "edited",
  cancelled: "cancelled",
  flattened: "flattened",
  partlyFlattened: "partial",
};

/** The API's word for each reason why a position stays open. */
export const STAY_REASON_WORDS: Readonly<Record<StayReason["code"], StayReasonWord>> = {
  marketClosed: "marketClosed",
  noFreshQuote: "staleQuote",
  noConversionRate: "noConversionRate",
  unknownPair: "unknownPair",
};

/** `status` of a payout's payment. */
export const PAYOUT_STATUS_WORDS: Readonly<Record<PayoutState, PayoutStatus>> = {
  pending: "pending",
  processing: "processing",
  paid: "paid",
  failed: "failed",
};

/**
 * The words of each loss limit: its rule, its name in `drawdownRules` (null for a limit that is only in `limits`), and
 * its part of an elimination's reason.
 */
export const LOSS_LIMIT_WORDS = {
  dailyLoss: { rule: "dailyLoss", limit: "dailyLoss", reason: "INTRADAY" },
  staticLoss: { rule: "static", limit: "maxLoss", reason: "STATIC" },
  endOfDayTrailing: { rule: "eod_trailing", limit: "maxLoss", reason: "EOD" },
} as const satisfies Readonly<Record<LossRule, LossLimitWords>>;

/** The loss limit for each word of the API. */
export const LOSS_RULE_OF_WORD: Readonly<Record<LossRuleWord, LossRule>> = {
  dailyLoss: "dailyLoss",
  static: "staticLoss",
  eod_trailing: "endOfDayTrailing",
};

interface LossLimitWords {
  readonly rule: LossRuleWord;
  readonly limit: Preview["limitsAfter"][number]["limit"];
  readonly reason: string;
}

/** The API's word for when a loss limit is checked. */
export const LIMIT_CHECK_WORDS: Readonly<Record<LossLimit["checked"], LimitCheckWord>> = {
  live: "live",
  endOfDay: "end_of_day",
};

/** `proTrack.phase` of an account. */
export const PRO_PHASE_WORDS: Readonly<Record<ProTrackFigures["phase"], ProPhase>> = {
  transition: "transition",
  challenge: "challenge",
  funded: "funded",
};

/** The API's word for each objective of the pro challenge. */
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

/** The word that the operator's interface has for a phase. Both kinds of pro challenge share one word. */
export function operatorPhase(phase: Phase): OperatorPhase {
  return OPERATOR_PHASE_WORDS[phase];
}

/** The phases that the operator's interface calls by this word. */
export function phasesOfWord(word: OperatorPhase): readonly Phase[] {
  const phases = Object.keys(OPERATOR_PHASE_WORDS) as Phase[];
  return phases.filter((phase) => OPERATOR_PHASE_WORDS[phase] === word);
}

/** `bucket` of an account: the network's category for its phase or its elimination. */
export function bucketWord(status: AccountStatus, phase: Phase): Bucket {
  return status === "eliminated" ? "ELIMINATED" : BUCKET_WORDS[phase];
}

/** `evaluation.status` of an account. */
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

/**
 * The reason of an elimination: a code with the phase and the limit, the code of inactivity, or the operator's own
 * text. @rule D3.eliminationReason decides
 */
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

/** True for an end by inactivity, and also when an operator wrote the code of inactivity as the reason. @rule S2.1.3 */
export function isInactivity(cause: EliminationCause): boolean {
  return eliminationReason(cause) === INACTIVITY_REASON;
}

/** The text of the cap that made an order smaller; null when none did. @rule D5.caps */
export function bindingCapText(cap: ExposureCap | null): string | null {
  return cap === null ? null : exposureCapText(cap);
}

/** The text of a cap, such as `per pair cap 1.5x`. @rule D5.caps */
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
