// Made from the schemas of the contract by `npm run docs`.

import type { Linked, RefusalCode } from "@propgate/contract";
import type { EventCause, EventOrder, EventProof } from "./event-parts.ts";

/** An order is pending. */
export interface OrderRestingEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.resting";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** A pending order, or a leg of a position, after the event. */
    readonly order: EventOrder;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A pending order or leg has a new content under the same id. */
export interface OrderEditedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.edited";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** A pending order, or a leg of a position, after the event. */
    readonly order: EventOrder;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/**
 * A quote closed the order's position and also reached the order, which stays pending until a later
 * quote.
 */
export interface OrderHeldEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.held";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
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
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The price reached the stop of a STOP_LIMIT: from now on it is a LIMIT order. */
export interface OrderTriggeredEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.triggered";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** An order was filled, with its effect on the account. */
export interface OrderFilledEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.filled";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /** The position that it opened or changed. */
    readonly positionUuid: string;
    /** The cause of the fill. */
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
    /** Pair identifier, `BTCUSD`. */
    readonly tradePair: string;
    /** `LONG`: a purchase. `SHORT`: a sale. */
    readonly direction: "LONG" | "SHORT" | Unsent;
    /** Its effect on the position. */
    readonly effect: "open" | "add" | "reduce" | "close" | Unsent;
    /** The price with its slippage; all accounting uses it. */
    readonly price: number | Unsent;
    /** Slippage as a share of the quote. */
    readonly slippage: number | Unsent;
    /** Filled quantity in the pair's lot unit. */
    readonly quantity: number | Unsent;
    /** Filled value, USD. */
    readonly value: number | Unsent;
    /** Filled value as a multiple of the balance. */
    readonly leverage: number | Unsent;
    /** Fee of the fill, USD. */
    readonly fee: number | Unsent;
    /** PnL that it realized, before the fee, USD; 0 when it opens or adds. */
    readonly realizedPnl: number | Unsent;
    /** The cap that reduced the size; null when none did. */
    readonly bindingCap: string | null;
    /** The part of the size that was not filled. */
    readonly shortfall: {
      /**
       * `cap`: a cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was larger
       * than what was open. `neverFlips`: any other opposite order was larger than the position.
       * `roundedToGrid`: the pair's grid.
       */
      readonly code: "cap" | "nothingLeft" | "neverFlips" | "roundedToGrid";
      /** In the pair's lot unit. */
      readonly quantity: number;
    } | null;
    /** The part of the fill that exceeds the size. */
    readonly excess: {
      /**
       * `roundedToGrid`: the pair's grid. `leastPosition`: the rest was below the minimum position
       * and was closed too.
       */
      readonly code: "roundedToGrid" | "leastPosition";
      /** In the pair's lot unit. */
      readonly quantity: number;
    } | null;
    /** USD for one unit of the pair's quote currency when it filled. */
    readonly usdRate: number | Unsent;
    /** Age of that rate's quote in ms, when an exit used a rate that was stale; null otherwise. */
    readonly rateAgeMs: number | null;
    /** True when the rest of the position was below the least position and was closed with it. */
    readonly tookRestAlong: boolean | Unsent;
    /** True when the order had legs and attached none, because it reduced the position. */
    readonly legsDropped: boolean | Unsent;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A pending order or leg was cancelled. */
export interface OrderCancelledEvent<Unsent extends Linked = never> {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.cancelled";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /**
     * `owner`: on request. `positionClosed`: with its position. `accountEnded`, `phaseEnded`,
     * `proTransition`: with the account, with a phase, before a pro account. `pairBlocked`: the
     * pair is blocked or left the account's class, so the order could not open or add. `switch`: by
     * the dead man's switch. `corporateAction`: placed or edited since the moment of a split that
     * was announced late. `roundedAway`: the price reached a leg that is a share, but the rounded
     * sum of its request's shares so far was already closed.
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
    /** Why it could not be filled; null when the reason is another. */
    readonly refusalCode: RefusalCode | null;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** The price reached a pending order, but it could not be filled. */
export interface OrderRejectedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "order.rejected";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /** Why it could not be filled; null when the reason is another. */
    readonly refusalCode: RefusalCode | null;
    /** The cap that left no room; null for another reason. */
    readonly bindingCap: string | null;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** Stops and targets were attached to a position. */
export interface LegsAttachedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "legs.attached";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** In the order of the request. */
    readonly legs: readonly EventOrder[];
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}

/** A trailing stop has followed a better price. */
export interface LegTrailedEvent {
  /** Unique in the service: `evt_`, the account's id without hyphens, and the sequence. */
  readonly id: string;
  /** Its number in the account's journal: 1, 2, 3, … without gaps. */
  readonly sequence: number;
  /** Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash. */
  readonly cursor: string;
  /** The type of the event. */
  readonly type: "leg.trailed";
  /** When it was decided; when it was read, for an observed event. */
  readonly atMs: number;
  /**
   * When work of the clock was due, or the validator's own time of an observed event; both may be
   * before `atMs`. Null for other events.
   */
  readonly dueMs: number | null;
  /** The cause of the event: a key, a person, a price, the clock or a validator. */
  readonly cause: EventCause;
  /**
   * True for an event of an account that is linked to a validator: it was read there, not decided
   * here. Absent for all others.
   */
  readonly observed?: true;
  /** The fields of the event. */
  readonly data: {
    /** The order's id. */
    readonly orderUuid: string;
    /** The best price so far: the bid for a LONG, the ask for a SHORT. */
    readonly bestPrice: number;
  };
  /**
   * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
   * `line` in UTF-8.
   */
  readonly proof?: EventProof;
}
