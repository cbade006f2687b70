// Made from the schemas of the contract by `npm run docs`.

import type { Linked, RefusalCode } from "@propgate/contract";
import type { EventCause, EventOrder, EventProof } from "./event-parts.ts";

/** An order was accepted and is pending. */
export interface OrderRestingEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.resting";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** A pending order, or a leg of a position, as it is after the event. */
    readonly order: EventOrder;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A pending order or leg was edited. It keeps its id. */
export interface OrderEditedEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.edited";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** A pending order, or a leg of a position, as it is after the event. */
    readonly order: EventOrder;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * A quote closed the order's position and also reached the order. The order stays pending until a
 * later quote.
 */
export interface OrderHeldEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.held";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /** Bid of that quote. */
    readonly bid: number;
    /** Ask of that quote. */
    readonly ask: number;
    /** Time of that quote. */
    readonly quoteAtMs: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * The mid price reached the stop price of a STOP_LIMIT order, which is a LIMIT order from now on.
 */
export interface OrderTriggeredEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.triggered";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** An order was filled, with the effect on the account. */
export interface OrderFilledEvent<Unsent extends Linked = never> {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.filled";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /** The position that the fill opened or changed. */
    readonly positionUuid: string;
    /**
     * The cause of the fill. `cashInLieu`: a fraction of a share after a split was closed.
     * `switch`: the dead man's switch.
     */
    readonly kind:
      | "market"
      | "limit"
      | "stopLoss"
      | "takeProfit"
      | "closePair"
      | "flatten"
      | "elimination"
      | "phaseEnd"
      | "cashInLieu"
      | "switch"
      | Unsent;
    /** Pair identifier, such as `BTCUSD`. */
    readonly tradePair: string;
    /** Direction of the fill itself. `LONG`: a purchase. `SHORT`: a sale. */
    readonly direction: "LONG" | "SHORT" | Unsent;
    /** Effect of the fill on the position. */
    readonly effect: "open" | "add" | "reduce" | "close" | Unsent;
    /** Fill price, slippage included. All figures are computed from it. */
    readonly price: number | Unsent;
    /** Slippage as a share of the quoted price: 0.0001 is 0.01 %. */
    readonly slippage: number | Unsent;
    /** Filled quantity in the pair's lot unit, above 0. */
    readonly quantity: number | Unsent;
    /** Filled value, USD. */
    readonly value: number | Unsent;
    /** Filled value as a multiple of the balance. */
    readonly leverage: number | Unsent;
    /** Fee of the fill, USD. */
    readonly fee: number | Unsent;
    /**
     * PnL that the fill realized, before its fee, USD; negative for a loss. 0 when the fill opens
     * or adds.
     */
    readonly realizedPnl: number | Unsent;
    /** The leverage cap that reduced the fill; null when none did. */
    readonly bindingCap: string | null;
    /**
     * The part of the requested size that was not filled; null when the size was filled in full.
     */
    readonly shortfall: {
      /**
       * `cap`: a leverage cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg
       * was larger than the open position. `neverFlips`: another opposite order was larger than the
       * position, and never opens the other direction. `roundedToGrid`: rounded to the pair's
       * quantity step.
       */
      readonly code: "cap" | "nothingLeft" | "neverFlips" | "roundedToGrid";
      /** Missing quantity in the pair's lot unit, above 0. */
      readonly quantity: number;
    } | null;
    /**
     * The part of the fill that exceeds the requested size; null when the fill does not exceed it.
     */
    readonly excess: {
      /**
       * `roundedToGrid`: rounded to the pair's quantity step. `leastPosition`: the rest of the
       * position was below the minimum position size and was closed too.
       */
      readonly code: "roundedToGrid" | "leastPosition";
      /** Additional quantity in the pair's lot unit, above 0. */
      readonly quantity: number;
    } | null;
    /** USD for one unit of the pair's quote currency, as used for this fill. */
    readonly usdRate: number | Unsent;
    /**
     * Age of the quote behind `usdRate` in milliseconds, when the fill closed a position at a stale
     * conversion rate; null otherwise.
     */
    readonly rateAgeMs: number | null;
    /**
     * True when the rest of the position was below the minimum position size and was closed by the
     * same fill.
     */
    readonly tookRestAlong: boolean | Unsent;
    /**
     * True when the order had legs that were not attached, because the order reduced the position.
     */
    readonly legsDropped: boolean | Unsent;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A pending order or leg was cancelled without a fill. */
export interface OrderCancelledEvent<Unsent extends Linked = never> {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.cancelled";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /**
     * `owner`: by a request. `positionClosed`: a leg, because its position closed. `accountEnded`:
     * the account ended. `phaseEnded`: the phase ended. `proTransition`: the account is moving to a
     * pro account. `pairBlocked`: the pair is blocked or outside the account's asset class, so the
     * order could not open or add. `switch`: by the dead man's switch. `corporateAction`: a split
     * was announced after its effective time, and the order was placed or edited in between.
     * `roundedAway`: the leg is a share of the position, and after rounding the request's earlier
     * legs had already closed its part.
     */
    readonly reason:
      | "owner"
      | "positionClosed"
      | "accountEnded"
      | "phaseEnded"
      | "proTransition"
      | "pairBlocked"
      | "switch"
      | "corporateAction"
      | "roundedAway"
      | Unsent;
    /** Why the order could not be filled; null when it ended for another reason. */
    readonly refusalCode: RefusalCode | null;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The price reached a pending order, but it could not be filled. The order has ended. */
export interface OrderRejectedEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.rejected";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /** Why the order could not be filled; null when it ended for another reason. */
    readonly refusalCode: RefusalCode | null;
    /** The leverage cap that allowed no fill at all; null when the cause is another. */
    readonly bindingCap: string | null;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** Stop-loss and take-profit legs were attached to a position. */
export interface LegsAttachedEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "legs.attached";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The attached legs in the order of the request. */
    readonly legs: readonly EventOrder[];
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A trailing stop has followed the price to a better one. */
export interface LegTrailedEvent {
  /** Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence. */
  readonly id: string;
  /** Number of the event in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /**
   * The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal
   * digits of the line's hash.
   */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "leg.trailed";
  /** When the event was decided. For an observed event: when it was read at the validator. */
  readonly atMs: number;
  /**
   * When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an
   * observed event: the validator's own time, if known. Both can be before `atMs`. Null for all
   * other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: the actor in `by`, and the command that led to it. */
  readonly cause: EventCause;
  /**
   * True for an event of a linked account that was read at its validator, and not decided by this
   * service. Absent for all other events.
   */
  readonly observed?: true;
  /** The fields of this type of event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /**
     * The best price so far, which the trailing stop follows: the bid for a LONG, the ask for a
     * SHORT.
     */
    readonly bestPrice: number;
  };
  /**
   * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
   * followed by `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
