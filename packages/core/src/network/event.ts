import type { Elimination } from "../account/account.ts";
import type { AccountId, OrderUuid, OwnerId, PairId, PositionUuid } from "../ids.ts";
import type { BracketLeg, Direction, EntryOrder, RestingOrder } from "../orders/order.ts";
import type { Payout } from "../payouts/payout.ts";
import type { ProTerms, Terms } from "../rules/terms.ts";
import type { Trade } from "../trades/trade.ts";
import type { Leverage, MicroUsd, Price, Quantity, Ratio, UnixMs } from "../units.ts";

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
}

/** An entry order rests. */
export interface OrderPlaced {
  readonly type: "orderPlaced";
  readonly atMs: UnixMs;
  readonly order: EntryOrder;
}

/** A resting order now reads like this, under the same uuid and in the same place of the queue. */
export interface OrderEdited {
  readonly type: "orderEdited";
  readonly atMs: UnixMs;
  readonly order: RestingOrder;
}

export type CancelReason =
  /** The owner asked for it. */
  | "owner"
  /** The position that the leg protected is closed. */
  | "positionClosed"
  /** Its price came, but the network could not fill it; `detail` says why. */
  | "refusedAtFill"
  /** The account was eliminated or closed. */
  | "accountEnded"
  /** A phase ended, and with it everything that was open in it. */
  | "phaseEnded"
  /** An entry order of an account that winds down for its pro account. */
  | "proTransition";

export interface OrderCancelled {
  readonly type: "orderCancelled";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly reason: CancelReason;
  /** The refusal's code with `refusedAtFill`; null otherwise. */
  readonly detail: string | null;
}

/** A stop-limit's stop was passed: it is a limit order from here on. */
export interface StopTriggered {
  readonly type: "stopTriggered";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
}

/** A trailing leg saw a better price than any before. */
export interface TrailMoved {
  readonly type: "trailMoved";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly bestPrice: Price;
}

/** How an order came to be filled. */
export type FillKind =
  | "market"
  | "limit"
  | "stopLoss"
  | "takeProfit"
  | "closePair"
  | "flatten"
  | "elimination"
  /** A phase ended with the position open. */
  | "phaseEnd";

/** A fill, and with it what it did to the position and the ledger. */
export interface OrderFilled {
  readonly type: "orderFilled";
  readonly atMs: UnixMs;
  readonly orderUuid: OrderUuid;
  readonly positionUuid: PositionUuid;
  readonly kind: FillKind;
  readonly pair: PairId;
  /** Of the order: buying is long, selling is short. */
  readonly direction: Direction;
  readonly effect: "open" | "add" | "reduce" | "close";
  /** The price all accounting uses, slippage included. */
  readonly price: Price;
  /** What the slippage model added, as a share of the quote. */
  readonly slippage: Ratio;
  /** Magnitudes, after cap and grid. */
  readonly quantity: Quantity;
  readonly value: MicroUsd;
  readonly leverage: Leverage;
  readonly fee: MicroUsd;
  /** Before the fee; zero when the fill opens or adds. */
  readonly realizedPnl: MicroUsd;
  /** The cap that made it smaller than asked, in its wire wording; null without one. */
  readonly bindingCap: string | null;
  /** USD for one unit of the quote currency when it filled. */
  readonly usdRate: number;
}

/** The legs of a fill or of a bracket order, in the order in which they were asked for. */
export interface LegsAttached {
  readonly type: "legsAttached";
  readonly atMs: UnixMs;
  readonly legs: readonly BracketLeg[];
}

/** The last quantity is gone: the position is history. Follows its fill. */
export interface PositionClosed {
  readonly type: "positionClosed";
  readonly atMs: UnixMs;
  readonly trade: Trade;
}

/** 00:00 UTC has passed; equity and balance as of the first prices after it. */
export interface DayEnded {
  readonly type: "dayEnded";
  readonly atMs: UnixMs;
  /** The midnight that ended it. */
  readonly midnightMs: UnixMs;
  readonly equity: MicroUsd;
  readonly balance: MicroUsd;
}

/** Positions were held over a moment at which holding costs. @rule D7.carry */
export interface CarryCharged {
  readonly type: "carryCharged";
  readonly atMs: UnixMs;
  /** When it fell due; a time before `atMs` is how late it is. */
  readonly dueMs: UnixMs;
  readonly charges: readonly {
    readonly positionUuid: PositionUuid;
    /** At the mark, a magnitude. */
    readonly value: MicroUsd;
    readonly fee: MicroUsd;
  }[];
}

/** The evaluation is passed: a funded account begins at its size. Follows the forced fills. */
export interface ChallengePassed {
  readonly type: "challengePassed";
  readonly atMs: UnixMs;
  readonly by: "target" | "operator";
  /** When everything was closed: what the day had come to until then. */
  readonly equity: MicroUsd;
}

/** A funded account winds down until its pro account starts. Follows the cancellations. */
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
  /** When it fell due: the Monday, or the moment of the offer. */
  readonly startMs: UnixMs;
  readonly phase: "proChallengeDirect" | "proChallengeFromStandard";
  readonly terms: ProTerms;
  readonly equity: MicroUsd;
}

/** Every objective is met, or the operator says so: what follows is paid in full. */
export interface ProPromoted {
  readonly type: "proPromoted";
  readonly atMs: UnixMs;
  /** The midnight that decided it, or the moment of the operator's word. */
  readonly promotedMs: UnixMs;
  readonly by: "objectives" | "operator";
  /** Profit at that moment: earning begins there. */
  readonly profit: MicroUsd;
}

/** Live equity is further below the mark than ever on this pro account. */
export interface DrawdownDeepened {
  readonly type: "drawdownDeepened";
  readonly atMs: UnixMs;
  readonly maxDrawdown: Ratio;
}

/** A day of a funded pro account was beyond a target when it ended. Follows its `dayEnded`. */
export interface SoftBreached {
  readonly type: "softBreached";
  readonly atMs: UnixMs;
  readonly dayStartMs: UnixMs;
}

/** A payout cycle is closed, once and for ever. */
export interface CycleClosed {
  readonly type: "cycleClosed";
  readonly atMs: UnixMs;
  readonly periodStartMs: UnixMs;
  /** A Monday, or the moment at which a phase ended. */
  readonly periodEndMs: UnixMs;
  /** Realized less fees, less open losses, since earning began. */
  readonly profit: MicroUsd;
  /** What of it is beyond every cycle before. */
  readonly gross: MicroUsd;
  /** After split and scale. */
  readonly share: MicroUsd;
  /** Of earlier held weeks, paid with this one. */
  readonly released: MicroUsd;
  /** True: the share is withheld, nothing is released. */
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

/** The operator recorded how far a payment is; `payout` is what it reads now. */
export interface PayoutRecorded {
  readonly type: "payoutRecorded";
  readonly atMs: UnixMs;
  readonly payout: Payout;
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
  | StopTriggered
  | TrailMoved
  | OrderFilled
  | LegsAttached
  | PositionClosed
  | DayEnded
  | CarryCharged
  | ChallengePassed
  | ProOffered
  | ProStarted
  | ProPromoted
  | DrawdownDeepened
  | SoftBreached
  | CycleClosed
  | DeferralForfeited
  | PayoutRecorded
  | AccountEliminated;
