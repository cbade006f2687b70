// Made from the schemas of the contract by `npm run docs`.

import type { Linked, RefusalCode } from "@propgate/contract";
import type { EventOrder } from "./event-parts.ts";
import type { AccountEvent } from "./events.ts";
import type { OrderFilledEvent } from "./order-events.ts";

/** An order or leg of any status. */
export interface PastOrder<Unsent extends Linked = never> {
  /** The order's id. */
  readonly orderUuid: string;
  /** Sequence number of the event with which the order began. */
  readonly sequence: number;
  /** The cursor of that event. */
  readonly cursor: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; that of the position for a leg. */
  readonly orderType: "LONG" | "SHORT" | Unsent;
  /**
   * The kind of order. `BRACKET` for a leg; `MARKET` also for an order that closes positions. A
   * STOP_LIMIT keeps this kind after its stop price is reached, although its `order` is a LIMIT
   * then.
   */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET" | Unsent;
  /**
   * `resting`: pending. `triggered`: a STOP_LIMIT whose stop price was reached, pending as a LIMIT.
   * `filled`, `cancelled` and `rejected`: the order has ended.
   */
  readonly status: "resting" | "triggered" | "filled" | "cancelled" | "rejected";
  /** When the order was accepted. */
  readonly placedMs: number;
  /** Time of the order's newest event. */
  readonly updatedMs: number;
  /** When the order was filled, cancelled or rejected; null while it is pending. */
  readonly endedMs: number | null;
  /** The id of the API key that placed the order; null when no key did. */
  readonly keyId: string | null;
  /** The nonce of the request that placed the order; null when no key did. */
  readonly nonce: string | null;
  /**
   * The position of a leg, or the position that a fill opened or changed; null for an order before
   * its fill.
   */
  readonly positionUuid: string | null;
  /** A pending order, or a leg of a position, as it is after the event. */
  readonly order: EventOrder | null;
  /**
   * Current price at which a trailing leg triggers: its trailing stop, or its `stopLoss` if that is
   * nearer. Null for a leg or order without a trailing stop.
   */
  readonly currentStop: number | null;
  /**
   * Best price that a trailing stop has followed: the highest bid for a LONG, the lowest ask for a
   * SHORT. Null for a leg or order without a trailing stop.
   */
  readonly bestPrice: number | null;
  /** Filled quantity in the pair's lot unit; 0 without a fill. */
  readonly filledQuantity: number | Unsent;
  /** Filled value, USD; 0 without a fill. */
  readonly filledValue: number | Unsent;
  /** Average fill price; null without a fill. */
  readonly averagePrice: number | null;
  /** Fees of the fills, USD; 0 without a fill. */
  readonly fee: number | Unsent;
  /** PnL that the fills realized, before fees, USD; 0 without a fill. */
  readonly realizedPnl: number | Unsent;
  /** The leverage cap that reduced the fill or allowed none; null when no cap did. */
  readonly bindingCap: string | null;
  /** The part of the requested size that was not filled; null when the size was filled in full. */
  readonly shortfall: {
    /**
     * `cap`: a leverage cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was
     * larger than the open position. `neverFlips`: another opposite order was larger than the
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
  /** True when a fill of the order reduced or closed a position. */
  readonly reduced: boolean | Unsent;
  /**
   * Why the order was cancelled; null for an order that was not cancelled, or when a validator gave
   * no reason.
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
    | null;
  /** Why the order could not be filled; null unless it was rejected. */
  readonly refusalCode: RefusalCode | null;
}

/** An order or leg with its fills, legs and events. */
export interface OrderLife<Unsent extends Linked = never> {
  /** The order's id. */
  readonly orderUuid: string;
  /** Sequence number of the event with which the order began. */
  readonly sequence: number;
  /** The cursor of that event. */
  readonly cursor: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; that of the position for a leg. */
  readonly orderType: "LONG" | "SHORT" | Unsent;
  /**
   * The kind of order. `BRACKET` for a leg; `MARKET` also for an order that closes positions. A
   * STOP_LIMIT keeps this kind after its stop price is reached, although its `order` is a LIMIT
   * then.
   */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET" | Unsent;
  /**
   * `resting`: pending. `triggered`: a STOP_LIMIT whose stop price was reached, pending as a LIMIT.
   * `filled`, `cancelled` and `rejected`: the order has ended.
   */
  readonly status: "resting" | "triggered" | "filled" | "cancelled" | "rejected";
  /** When the order was accepted. */
  readonly placedMs: number;
  /** Time of the order's newest event. */
  readonly updatedMs: number;
  /** When the order was filled, cancelled or rejected; null while it is pending. */
  readonly endedMs: number | null;
  /** The id of the API key that placed the order; null when no key did. */
  readonly keyId: string | null;
  /** The nonce of the request that placed the order; null when no key did. */
  readonly nonce: string | null;
  /**
   * The position of a leg, or the position that a fill opened or changed; null for an order before
   * its fill.
   */
  readonly positionUuid: string | null;
  /** A pending order, or a leg of a position, as it is after the event. */
  readonly order: EventOrder | null;
  /**
   * Current price at which a trailing leg triggers: its trailing stop, or its `stopLoss` if that is
   * nearer. Null for a leg or order without a trailing stop.
   */
  readonly currentStop: number | null;
  /**
   * Best price that a trailing stop has followed: the highest bid for a LONG, the lowest ask for a
   * SHORT. Null for a leg or order without a trailing stop.
   */
  readonly bestPrice: number | null;
  /** Filled quantity in the pair's lot unit; 0 without a fill. */
  readonly filledQuantity: number | Unsent;
  /** Filled value, USD; 0 without a fill. */
  readonly filledValue: number | Unsent;
  /** Average fill price; null without a fill. */
  readonly averagePrice: number | null;
  /** Fees of the fills, USD; 0 without a fill. */
  readonly fee: number | Unsent;
  /** PnL that the fills realized, before fees, USD; 0 without a fill. */
  readonly realizedPnl: number | Unsent;
  /** The leverage cap that reduced the fill or allowed none; null when no cap did. */
  readonly bindingCap: string | null;
  /** The part of the requested size that was not filled; null when the size was filled in full. */
  readonly shortfall: {
    /**
     * `cap`: a leverage cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was
     * larger than the open position. `neverFlips`: another opposite order was larger than the
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
  /** True when a fill of the order reduced or closed a position. */
  readonly reduced: boolean | Unsent;
  /**
   * Why the order was cancelled; null for an order that was not cancelled, or when a validator gave
   * no reason.
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
    | null;
  /** Why the order could not be filled; null unless it was rejected. */
  readonly refusalCode: RefusalCode | null;
  /** The ids of the legs that the order attached, in the order of the request. */
  readonly legs: readonly string[];
  /** The fills of the order, oldest first. */
  readonly fills: readonly OrderFilledEvent<Unsent>[];
  /**
   * The events that name the order, oldest first, after the cursor `after`. Price updates of a
   * trailing stop are excluded.
   */
  readonly events: readonly AccountEvent<Unsent>[];
  /** Pass it back as `after` for the next events; null when there are no more events now. */
  readonly next: string | null;
}

/** A page of orders, sorted by the time at which they began. */
export interface OrderHistory<Unsent extends Linked = never> {
  /** Oldest first. Legs that were attached together are always on one page. */
  readonly items: readonly PastOrder<Unsent>[];
  /** Pass it back as `after` for the next page. */
  readonly next: string;
}

/** A page of fills. */
export interface Fills<Unsent extends Linked = never> {
  /** The fills, oldest first. */
  readonly items: readonly OrderFilledEvent<Unsent>[];
  /** Pass it back as `after` for the next page. */
  readonly next: string;
}
