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

/** The account was opened on these terms. It is the first event of every account. */
export interface AccountOpened {
  readonly type: "accountOpened";
  readonly atMs: UnixMs;
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  readonly provisioned: boolean;
}

/** The account became active. */
export interface AccountProvisioned {
  readonly type: "accountProvisioned";
  readonly atMs: UnixMs;
}

/** The account was closed. This event follows the fills and cancellations that the closing caused. */
export interface AccountClosed {
  readonly type: "accountClosed";
  readonly atMs: UnixMs;
  /**
   * The trader's share of the cycle in progress, when the closing dropped this cycle; absent when no share was dropped.
   * @rule D13.closing
   */
  readonly forfeited?: MicroUsd;
}

/** An entry order was accepted and is pending. */
export interface OrderPlaced {
  readonly type: "orderPlaced";
  readonly atMs: UnixMs;
  readonly order: EntryOrder;
}

/** A pending order was edited. The order keeps its uuid and its place among the pending orders. */
export interface OrderEdited {
  readonly type: "orderEdited";
  readonly atMs: UnixMs;
  readonly order: PendingOrder;
}

/** Why a pending order was cancelled. */
export type CancelReason =
  /** The owner cancelled it. */
  | "owner"
  /** The position of the leg, or of the `reduceOnly` order, was closed. */
  | "positionClosed"
  /** The account was eliminated or closed. */
  | "accountEnded"
  /** A phase ended, which cancels all pending orders. */
  | "phaseEnded"
  /** The account began its transition to a pro account, in which no entry may open or add. */
  | "proTransition"
  /** The catalogue blocks the pair, or the pair is outside the account's class. */
  | "pairBlocked"
  /** The deadline of the dead man's switch has passed. */
  | "switch"
  /** The order was placed or edited since the moment of a split that was carried out later. @rule D13.sinceTheMoment */
  | "corporateAction"
  /** The leg's share, together with the residual of its ladder, rounds to zero. @rule D12.ladder */
  | "roundedAway";

/** A pending order or leg was removed before its fill. */
export interface OrderCancelled {
  readonly type: "orderCancelled";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly reason: CancelReason;
  /** Always null. The field stays because the hash of a journal line covers it. */
  readonly detail: null;
}

/** A triggered entry could not be filled, for example because a cap leaves no room. The entry has ended. */
export interface OrderRejected {
  readonly type: "orderRejected";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly refusal: Refusal;
}

/**
 * The position that this order would have reduced was closed, so the order waits for the next quote. @rule D10.exitHeld
 */
export interface OrderHeld {
  readonly type: "orderHeld";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly quote: QuoteStamp;
}

/** The price reached the stop of a stop-limit order, which is a limit order from then on. */
export interface StopTriggered {
  readonly type: "stopTriggered";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
}

/**
 * A trailing leg has followed a better price. The event is recorded before a later event, or by the command
 * `recordBests`.
 */
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
  /** A phase ended while the position was open. */
  | "phaseEnd"
  /** The deadline of the dead man's switch has passed. */
  | "switch"
  /** The part of the position that a split cannot convert exactly, paid out in cash. */
  | "cashInLieu";

/** A fill, with its effect on the position, realized profit and fees. */
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
  /** The execution price, slippage included; all accounting uses it. */
  readonly price: Price;
  /** The slippage, as a fraction of the quoted price. */
  readonly slippage: Ratio;
  /** The filled quantity, after cap and grid, without a sign. */
  readonly quantity: Quantity;
  readonly value: MicroUsd;
  readonly leverage: Leverage;
  readonly fee: MicroUsd;
  /** The realized PnL before the fee; zero when the fill opens or adds to a position. */
  readonly realizedPnl: MicroUsd;
  /** The cap that reduced the size; null when none did. */
  readonly bindingCap: ExposureCap | null;
  /** USD for one unit of the quote currency at the fill. */
  readonly usdRate: number;
  /** The age of the conversion rate's quote, when the fill of an exit used a stale one. @rule D12.staleRate */
  readonly rateAgeMs?: number;
  /** The fill also closed a remainder that would have been below the minimum position. @rule D10.leastGoesAlong */
  readonly tookRestAlong?: true;
  /** The part of the order's size that was not filled. @rule D12.shortfall */
  readonly shortfall?: FillDifference<ShortfallCode>;
  /** The part of the fill that exceeds the order's size. @rule D12.shortfall */
  readonly excess?: FillDifference<ExcessCode>;
  /**
   * A market order that could only reduce. A pending order has this field in its own record. @rule D12.marketReduces
   */
  readonly reduceOnly?: true;
  /** The order had legs but reduced the position, so it attached none. @rule D10.legsOfReducing */
  readonly legsDropped?: true;
}

/** Legs were attached, by a fill or by a bracket order. They are in the order of the request. */
export interface LegsAttached {
  readonly type: "legsAttached";
  readonly atMs: UnixMs;
  readonly legs: readonly BracketLeg[];
}

/** A position was closed. This event follows the fill that closed it. */
export interface PositionClosed {
  readonly type: "positionClosed";
  readonly atMs: UnixMs;
  readonly trade: Trade;
}

/** The UTC day has ended. Equity and balance are those at the first prices after its end that may judge the account. */
export interface DayEnded {
  readonly type: "dayEnded";
  readonly atMs: UnixMs;
  /** The 00:00 UTC at which the day ended. */
  readonly midnightMs: UnixMs;
  readonly equity: MicroUsd;
  readonly balance: MicroUsd;
}

/** Carry was charged on the positions for which it was due. @rule D7.carry */
export interface CarryCharged {
  readonly type: "carryCharged";
  readonly atMs: UnixMs;
  /** When the charge was due; `atMs` is later when the work ran late. */
  readonly dueMs: UnixMs;
  readonly charges: readonly {
    readonly positionUuid: PositionUuid;
    /** Value of the position at its mark, without a sign. */
    readonly value: MicroUsd;
    /** The charge; below zero for funding that the position receives. */
    readonly fee: MicroUsd;
    /** The rate of the hour; only funding has it. */
    readonly rate?: Ratio;
  }[];
}

/**
 * A split was carried out on the position and the orders from before the time of the split. Prices and quantities are
 * those after the split. The part of the position that the split cannot convert exactly was paid out by a fill that
 * precedes this event. @rule D11.split
 */
export interface SharesSplit {
  readonly type: "sharesSplit";
  readonly atMs: UnixMs;
  readonly actionId: ActionId;
  readonly pair: PairId;
  /** The moment of the split; `atMs` is later when the work ran late. */
  readonly dueMs: UnixMs;
  readonly newShares: number;
  readonly oldShares: number;
  /** The position after the split; null when the account had none to split. */
  readonly position: SplitPosition | null;
  /** The pending orders and legs of the pair, as they are after the split. */
  readonly orders: readonly PendingOrder[];
}

/** The fields of a position that a split changes. */
export type SplitPosition = Pick<
  Position,
  | "uuid"
  | "quantity"
  | "averageEntryPrice"
  | "openedQuantity"
  | "openedPrice"
  | "exitQuantity"
  | "exitPriceQuantity"
>;

/**
 * A dividend was paid on a position that was open before the dividend's time: to a long, by a short. @rule D11.dividend
 */
export interface DividendPaid {
  readonly type: "dividendPaid";
  readonly atMs: UnixMs;
  readonly actionId: ActionId;
  readonly pair: PairId;
  /** The moment of the dividend; `atMs` is later when the work ran late. */
  readonly dueMs: UnixMs;
  readonly positionUuid: PositionUuid;
  /** The amount for one share, in the pair's quote currency. */
  readonly amount: number;
  /** USD for one unit of the pair's quote currency. */
  readonly usdRate: number;
  /** Above zero for a long, which receives it; below zero for a short, which pays it. */
  readonly paid: MicroUsd;
}

/**
 * The challenge is passed, and the funded account starts at its size. This event follows the fills that closed the
 * positions.
 */
export interface ChallengePassed {
  readonly type: "challengePassed";
  readonly atMs: UnixMs;
  readonly by: "target" | "operator";
  /** Equity after the fills that closed the positions, for the return of the day so far. */
  readonly equity: MicroUsd;
}

/**
 * A funded account starts its transition to a pro account. This event follows the cancellation of the pending entries
 * that would open or add.
 */
export interface ProOffered {
  readonly type: "proOffered";
  readonly atMs: UnixMs;
  readonly terms: ProTerms;
  readonly transitionEndsAtMs: UnixMs;
}

/** The pro account starts at its size. This event follows the fills that closed the positions. */
export interface ProStarted {
  readonly type: "proStarted";
  readonly atMs: UnixMs;
  /** The Monday on which the start was due, or the time of the operator's offer or promotion. */
  readonly startMs: UnixMs;
  readonly phase: "proChallengeDirect" | "proChallengeFromStandard";
  readonly terms: ProTerms;
  readonly equity: MicroUsd;
}

/** All objectives are met, or the operator promotes the account: from then on profit is paid at the full scale. */
export interface ProPromoted {
  readonly type: "proPromoted";
  readonly atMs: UnixMs;
  /** The midnight at which the objectives were met, or the time of the operator's command. */
  readonly promotedMs: UnixMs;
  readonly by: "objectives" | "operator";
  /** Profit at that time. Later profit is paid only above it and above the highest profit of earlier cycles. */
  readonly profit: MicroUsd;
}

/** The pro account has a new maximum drawdown, which is recorded when it is reached. */
export interface DrawdownDeepened {
  readonly type: "drawdownDeepened";
  readonly atMs: UnixMs;
  readonly maxDrawdown: Ratio;
}

/**
 * A day of pro funded ended beyond the target of the Calmar ratio or of the consistency. This event follows the
 * `dayEnded` of that day.
 */
export interface SoftBreached {
  readonly type: "softBreached";
  readonly atMs: UnixMs;
  readonly dayStartMs: UnixMs;
}

/** A payout cycle was closed, which is final. */
export interface CycleClosed {
  readonly type: "cycleClosed";
  readonly atMs: UnixMs;
  readonly periodStartMs: UnixMs;
  /**
   * A Monday, or the end of a phase or account. The end of a cycle of zero length is later than the time at which it
   * was closed.
   */
  readonly periodEndMs: UnixMs;
  /** The lower of balance and equity, minus the size. */
  readonly profit: MicroUsd;
  /** The part of `profit` above the payout mark, which is the highest profit of earlier cycles and of a promotion. */
  readonly gross: MicroUsd;
  /** The trader's share of `gross`, after split and scale. */
  readonly share: MicroUsd;
  /** Shares of earlier cycles that were withheld until now and are paid with this cycle. */
  readonly released: MicroUsd;
  /** When true, `share` is withheld. */
  readonly isHeld: boolean;
  /** The payout that the cycle makes due; null when there is nothing to pay. */
  readonly payout: Payout | null;
}

/** The account ended while shares of earlier cycles were withheld, so these shares are forfeited. */
export interface DeferralForfeited {
  readonly type: "deferralForfeited";
  readonly atMs: UnixMs;
  readonly amount: MicroUsd;
}

/** The operator recorded the state of a payment. `payout` is the payout with that state. */
export interface PayoutRecorded {
  readonly type: "payoutRecorded";
  readonly atMs: UnixMs;
  readonly payout: Payout;
}

/**
 * Equity has used up a level of a loss limit. When it used up several new levels, only the highest is recorded.
 * @rule D9.limitNeared
 */
export interface LimitNeared {
  readonly type: "limitNeared";
  readonly atMs: UnixMs;
  readonly rule: LossRule;
  /** A percent of the allowed loss: one of `nearLevels` of the terms. */
  readonly level: Percent;
  /** The equity that the limit measures: live equity, or the equity at the last 00:00 UTC. */
  readonly equity: MicroUsd;
  readonly floor: MicroUsd;
  /** The open position with the greatest loss, and its mark; null when no position loses. */
  readonly worst: { readonly pair: PairId; readonly price: Price } | null;
}

/** The account was eliminated. This event follows the fills and cancellations that the elimination caused. */
export interface AccountEliminated {
  readonly type: "accountEliminated";
  readonly atMs: UnixMs;
  readonly elimination: Elimination;
}

/** Every event that can happen to an account. */
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
