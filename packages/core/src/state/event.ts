import type { AccountId, OrderUuid, OwnerId, PairId, PositionUuid } from "../ids.ts";
import type { ActionId } from "../market/corporate-action.ts";
import type { Leverage, MicroUsd, Percent, Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { Elimination, LossRule } from "./account.ts";
import type { ExposureCap } from "./exposure-cap.ts";
import type { ExcessCode, FillDifference, ShortfallCode } from "./fill-difference.ts";
import type { BracketLeg, Direction, EntryOrder, PendingOrder, QuoteStamp } from "./order.ts";
import type { Payout } from "./payout.ts";
import type { Position } from "./position.ts";
import type { Refusal } from "./refusal.ts";
import type { SwitchArmed, SwitchEnded, SwitchFired, SwitchSuspended } from "./switch-event.ts";
import type { ProTerms, Terms } from "./terms.ts";
import type { Trade } from "./trade.ts";

export interface AccountOpened {
  readonly type: "accountOpened";
  readonly atMs: UnixMs;
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  readonly provisioned: boolean;
}

export interface AccountProvisioned {
  readonly type: "accountProvisioned";
  readonly atMs: UnixMs;
}

export interface AccountClosed {
  readonly type: "accountClosed";
  readonly atMs: UnixMs;
  /** The trader's share of the cycle in progress that the operator dropped; absent when none was. @rule D13.closing */
  readonly forfeited?: MicroUsd;
}

/** An entry order is pending. */
export interface OrderPlaced {
  readonly type: "orderPlaced";
  readonly atMs: UnixMs;
  readonly order: EntryOrder;
}

/** A pending order has this new content, under the same uuid and at the same place in the queue. */
export interface OrderEdited {
  readonly type: "orderEdited";
  readonly atMs: UnixMs;
  readonly order: PendingOrder;
}

export type CancelReason =
  /** Cancelled by the owner. */
  | "owner"
  /** The position that the leg protected is closed. */
  | "positionClosed"
  /** The account was eliminated or closed. */
  | "accountEnded"
  /** A phase ended, which cancels all pending orders. */
  | "phaseEnded"
  /** The account winds down for its pro account. */
  | "proTransition"
  /** The catalogue blocks the pair, or the account's class no longer has it. */
  | "pairBlocked"
  /** The deadline of the dead man's switch has passed. */
  | "switch"
  /** Placed or edited since the moment of a split that the account did not have yet. @rule D13.sinceTheMoment */
  | "corporateAction"
  /** The leg's share, together with what its sisters left open, rounds to nothing. @rule D12.ladder */
  | "roundedAway";

export interface OrderCancelled {
  readonly type: "orderCancelled";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly reason: CancelReason;
  /** Part of the line's form, which its hash covers. */
  readonly detail: null;
}

/** An entry was triggered and could not be filled: no room, too small, or its legs no longer fit. */
export interface OrderRejected {
  readonly type: "orderRejected";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly refusal: Refusal;
}

/** An exit whose position has just closed waits for the next quote. @rule D10.oneQuote */
export interface OrderHeld {
  readonly type: "orderHeld";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly quote: QuoteStamp;
}

/** The price reached a stop-limit's stop: from now on it is a limit order. */
export interface StopTriggered {
  readonly type: "stopTriggered";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
}

/** A trailing leg has followed a better price. Recorded in front of the account's next other event. */
export interface TrailMoved {
  readonly type: "trailMoved";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly bestPrice: Price;
}

/** Why an order was filled. */
export type FillKind =
  | "market"
  | "limit"
  | "stopLoss"
  | "takeProfit"
  | "closePair"
  | "flatten"
  | "elimination"
  /** A phase ended with the position open. */
  | "phaseEnd"
  /** The deadline of the dead man's switch has passed. */
  | "switch"
  /** The remainder that the ratio of a split does not divide, paid out in cash. */
  | "cashInLieu";

/** A fill with its effect on the position and the ledger. */
export interface OrderFilled {
  readonly type: "orderFilled";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly positionUuid: PositionUuid;
  readonly kind: FillKind;
  readonly pair: PairId;
  /** Direction of the order: buying is long, selling is short. */
  readonly direction: Direction;
  readonly effect: "open" | "add" | "reduce" | "close";
  /** Including slippage; all accounting uses this price. */
  readonly price: Price;
  /** Slippage as a share of the quote. */
  readonly slippage: Ratio;
  /** Magnitudes, after cap and grid. */
  readonly quantity: Quantity;
  readonly value: MicroUsd;
  readonly leverage: Leverage;
  readonly fee: MicroUsd;
  /** Before the fee; zero when the fill opens or adds. */
  readonly realizedPnl: MicroUsd;
  /** The cap that reduced the size; null when no cap did. */
  readonly bindingCap: ExposureCap | null;
  /** USD for one unit of the quote currency when it filled. */
  readonly usdRate: number;
  /** The age of the rate's quote when an exit used a stale one. @rule D12.staleRate */
  readonly rateAgeMs?: number;
  /** The remainder would have been below the minimum position, so it was closed too. @rule D10.leastGoesAlong */
  readonly tookRestAlong?: true;
  /** The part of the order's size that was not filled. @rule D12.shortfall */
  readonly shortfall?: FillDifference<ShortfallCode>;
  /** The part of the fill that exceeds the size. @rule D12.shortfall */
  readonly excess?: FillDifference<ExcessCode>;
  /** A market order that could only reduce. A pending order has this in its own record. @rule D12.marketReduces */
  readonly reduceOnly?: true;
  /** The order had legs but reduced the position, so it attached none. @rule D10.legsOfReducing */
  readonly legsDropped?: true;
}

/** The legs of a fill or of a bracket order, in the order of the request. */
export interface LegsAttached {
  readonly type: "legsAttached";
  readonly atMs: UnixMs;
  readonly legs: readonly BracketLeg[];
}

/** The position is closed. Follows the fill that closed it. */
export interface PositionClosed {
  readonly type: "positionClosed";
  readonly atMs: UnixMs;
  readonly trade: Trade;
}

/** The UTC day ended; equity and balance at the first prices after 00:00. */
export interface DayEnded {
  readonly type: "dayEnded";
  readonly atMs: UnixMs;
  /** 00:00 UTC, when the day ended. */
  readonly midnightMs: UnixMs;
  readonly equity: MicroUsd;
  readonly balance: MicroUsd;
}

/** Carry was charged on positions that were held when it was due. @rule D7.carry */
export interface CarryCharged {
  readonly type: "carryCharged";
  readonly atMs: UnixMs;
  /** When the charge was due; `atMs` is later when the work was late. */
  readonly dueMs: UnixMs;
  readonly charges: readonly {
    readonly positionUuid: PositionUuid;
    /** Absolute value at the mark. */
    readonly value: MicroUsd;
    /** Below zero for funding that is received. */
    readonly fee: MicroUsd;
    /** The rate of the hour, for funding. */
    readonly rate?: Ratio;
  }[];
}

/**
 * A split was carried out on the position and orders from before its moment. Prices and quantities are those after the
 * split. It follows the fill that paid out the fraction which the ratio does not divide. @rule D11.split
 */
export interface SharesSplit {
  readonly type: "sharesSplit";
  readonly atMs: UnixMs;
  readonly actionId: ActionId;
  readonly pair: PairId;
  /** The moment of the split; `atMs` is later when the work was late. */
  readonly dueMs: UnixMs;
  readonly newShares: number;
  readonly oldShares: number;
  /** Null when the account had no position to split. */
  readonly position: SplitPosition | null;
  /** The pending orders and legs that changed, after the split. */
  readonly orders: readonly PendingOrder[];
}

/** The fields of a position that a split changes. */
export type SplitPosition = Pick<
  Position,
  | "uuid"
  | "quantity"
  | "averageEntryPrice"
  | "openedQuantity"
  | "exitQuantity"
  | "exitPriceQuantity"
>;

/** A dividend on a position that was open before its moment. @rule D11.dividend */
export interface DividendPaid {
  readonly type: "dividendPaid";
  readonly atMs: UnixMs;
  readonly actionId: ActionId;
  readonly pair: PairId;
  /** The moment of the dividend; `atMs` is later when the work was late. */
  readonly dueMs: UnixMs;
  readonly positionUuid: PositionUuid;
  /** For one share, in the pair's quote currency. */
  readonly amount: number;
  /** USD for one unit of the quote currency. */
  readonly usdRate: number;
  /** Above zero for a long, which receives it; below zero for a short, which pays it. */
  readonly paid: MicroUsd;
}

/** The challenge is passed: the funded account starts at its size. Follows the forced fills. */
export interface ChallengePassed {
  readonly type: "challengePassed";
  readonly atMs: UnixMs;
  readonly by: "target" | "operator";
  /** Equity after the forced fills, for the day's return so far. */
  readonly equity: MicroUsd;
}

/** A funded account starts to wind down for its pro account. Follows the cancellations. */
export interface ProOffered {
  readonly type: "proOffered";
  readonly atMs: UnixMs;
  readonly terms: ProTerms;
  readonly transitionEndsAtMs: UnixMs;
}

/** The pro account starts at its size. Follows the forced fills. */
export interface ProStarted {
  readonly type: "proStarted";
  readonly atMs: UnixMs;
  /** The Monday on which it was due, or the time of the offer. */
  readonly startMs: UnixMs;
  readonly phase: "proChallengeDirect" | "proChallengeFromStandard";
  readonly terms: ProTerms;
  readonly equity: MicroUsd;
}

/** All objectives are met, or the operator promotes the account: later profit is paid in full. */
export interface ProPromoted {
  readonly type: "proPromoted";
  readonly atMs: UnixMs;
  /** The midnight at which the objectives were met, or the time of the operator's command. */
  readonly promotedMs: UnixMs;
  readonly by: "objectives" | "operator";
  /** Profit at that time; only profit above it earns. */
  readonly profit: MicroUsd;
}

/** The pro account has a new maximum drawdown. */
export interface DrawdownDeepened {
  readonly type: "drawdownDeepened";
  readonly atMs: UnixMs;
  readonly maxDrawdown: Ratio;
}

/** A day of a funded pro account ended beyond a target. Follows its `dayEnded`. */
export interface SoftBreached {
  readonly type: "softBreached";
  readonly atMs: UnixMs;
  readonly dayStartMs: UnixMs;
}

/** A payout cycle is closed, which is final. */
export interface CycleClosed {
  readonly type: "cycleClosed";
  readonly atMs: UnixMs;
  readonly periodStartMs: UnixMs;
  /** A Monday, or the end of a phase. */
  readonly periodEndMs: UnixMs;
  /** Realized less fees, less open losses, since earning began. */
  readonly profit: MicroUsd;
  /** The part of `profit` above the mark of earlier cycles. */
  readonly gross: MicroUsd;
  /** The trader's share of `gross`, after split and scale. */
  readonly share: MicroUsd;
  /** Withheld in earlier weeks and paid with this one. */
  readonly released: MicroUsd;
  /** When true, the share is withheld and nothing is released. */
  readonly isHeld: boolean;
  /** Null when there is nothing to pay. */
  readonly payout: Payout | null;
}

/** The account left the pro track with rewards withheld. */
export interface DeferralForfeited {
  readonly type: "deferralForfeited";
  readonly atMs: UnixMs;
  readonly amount: MicroUsd;
}

/** The operator recorded the state of a payment; `payout` includes it. */
export interface PayoutRecorded {
  readonly type: "payoutRecorded";
  readonly atMs: UnixMs;
  readonly payout: Payout;
}

/**
 * Equity has used up a level of a loss limit. Recorded for the highest level that was reached.
 * @rule D9.limitNeared
 */
export interface LimitNeared {
  readonly type: "limitNeared";
  readonly atMs: UnixMs;
  readonly rule: LossRule;
  /** Used percent of the allowed loss, one of the terms. */
  readonly level: Percent;
  /** The equity that the limit measures: live, or that of the last midnight. */
  readonly equity: MicroUsd;
  readonly floor: MicroUsd;
  /** The open position that loses most, with its mark; null when there is none. */
  readonly worst: { readonly pair: PairId; readonly price: Price } | null;
}

/** Follows the forced fills and cancellations that ended the account. */
export interface AccountEliminated {
  readonly type: "accountEliminated";
  readonly atMs: UnixMs;
  readonly elimination: Elimination;
}

export type Event =
  | AccountOpened
  | AccountProvisioned
  | AccountClosed
  | OrderPlaced
  | OrderEdited
  | OrderCancelled
  | OrderRejected
  | OrderHeld
  | StopTriggered
  | TrailMoved
  | OrderFilled
  | LegsAttached
  | PositionClosed
  | DayEnded
  | CarryCharged
  | SharesSplit
  | DividendPaid
  | ChallengePassed
  | ProOffered
  | ProStarted
  | ProPromoted
  | DrawdownDeepened
  | SoftBreached
  | LimitNeared
  | CycleClosed
  | DeferralForfeited
  | PayoutRecorded
  | SwitchArmed
  | SwitchSuspended
  | SwitchEnded
  | SwitchFired
  | AccountEliminated;
