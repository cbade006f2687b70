// Made from the schemas of the contract by `npm run docs`.

import type { Linked, RefusalCode } from "@propgate/contract";
import type { EventOrder } from "./event-parts.ts";
import type { AccountEvent } from "./events.ts";
import type { OrderFilledEvent } from "./order-events.ts";

/** An order or leg of any status. */
export interface PastOrder<Unsent extends Linked = never> {
  /** The order's id. */
  readonly orderUuid: string;
  /** Number of the event with which the order began. */
  readonly sequence: number;
  /** The same place as a cursor. */
  readonly cursor: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; a leg has its position's direction. */
  readonly orderType: "LONG" | "SHORT" | Unsent;
  /**
   * `BRACKET` for a leg. `MARKET` also for an order that closes positions. A STOP_LIMIT stays one
   * when its stop was reached; its `order` is then a LIMIT.
   */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET" | Unsent;
  /**
   * `resting`: pending. `triggered`: a STOP_LIMIT whose stop was reached, pending as a LIMIT.
   * `filled`, `cancelled`, `rejected`: it has ended.
   */
  readonly status: "resting" | "triggered" | "filled" | "cancelled" | "rejected";
  /** When it was accepted. */
  readonly placedMs: number;
  /** Time of its last event. */
  readonly updatedMs: number;
  /** When it was filled, cancelled or rejected; null while it is pending. */
  readonly endedMs: number | null;
  /** The key that placed it; null if no key did. */
  readonly keyId: string | null;
  /** The nonce of the request that placed it; null if no key did. */
  readonly nonce: string | null;
  /** The position of a leg or of a fill; null before. */
  readonly positionUuid: string | null;
  /** A pending order, or a leg of a position, after the event. */
  readonly order: EventOrder | null;
  /**
   * Price at which a trailing leg's stop triggers now, the nearer one beside a `stopLoss`; null
   * unless it trails.
   */
  readonly currentStop: number | null;
  /**
   * Best price that a trailing leg has followed, the bid for a LONG, the ask for a SHORT; null
   * unless it trails.
   */
  readonly bestPrice: number | null;
  /** Filled quantity in the pair's lot unit; 0 before the fill. */
  readonly filledQuantity: number | Unsent;
  /** Filled value, USD; 0 before the fill. */
  readonly filledValue: number | Unsent;
  /** Average price of its fills; null before the fill. */
  readonly averagePrice: number | null;
  /** Fees of its fills, USD. */
  readonly fee: number | Unsent;
  /** PnL that its fills realized, before fees, USD. */
  readonly realizedPnl: number | Unsent;
  /** The cap that reduced the size or left no room; null without one. */
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
  /** True when its fill reduced or closed a position. */
  readonly reduced: boolean | Unsent;
  /** Why it was cancelled; null unless it was, and when a validator did not say why. */
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
  /** Why it could not be filled; null unless it was rejected. */
  readonly refusalCode: RefusalCode | null;
}

/** The life of an order. */
export interface OrderLife<Unsent extends Linked = never> {
  /** The order's id. */
  readonly orderUuid: string;
  /** Number of the event with which the order began. */
  readonly sequence: number;
  /** The same place as a cursor. */
  readonly cursor: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; a leg has its position's direction. */
  readonly orderType: "LONG" | "SHORT" | Unsent;
  /**
   * `BRACKET` for a leg. `MARKET` also for an order that closes positions. A STOP_LIMIT stays one
   * when its stop was reached; its `order` is then a LIMIT.
   */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET" | Unsent;
  /**
   * `resting`: pending. `triggered`: a STOP_LIMIT whose stop was reached, pending as a LIMIT.
   * `filled`, `cancelled`, `rejected`: it has ended.
   */
  readonly status: "resting" | "triggered" | "filled" | "cancelled" | "rejected";
  /** When it was accepted. */
  readonly placedMs: number;
  /** Time of its last event. */
  readonly updatedMs: number;
  /** When it was filled, cancelled or rejected; null while it is pending. */
  readonly endedMs: number | null;
  /** The key that placed it; null if no key did. */
  readonly keyId: string | null;
  /** The nonce of the request that placed it; null if no key did. */
  readonly nonce: string | null;
  /** The position of a leg or of a fill; null before. */
  readonly positionUuid: string | null;
  /** A pending order, or a leg of a position, after the event. */
  readonly order: EventOrder | null;
  /**
   * Price at which a trailing leg's stop triggers now, the nearer one beside a `stopLoss`; null
   * unless it trails.
   */
  readonly currentStop: number | null;
  /**
   * Best price that a trailing leg has followed, the bid for a LONG, the ask for a SHORT; null
   * unless it trails.
   */
  readonly bestPrice: number | null;
  /** Filled quantity in the pair's lot unit; 0 before the fill. */
  readonly filledQuantity: number | Unsent;
  /** Filled value, USD; 0 before the fill. */
  readonly filledValue: number | Unsent;
  /** Average price of its fills; null before the fill. */
  readonly averagePrice: number | null;
  /** Fees of its fills, USD. */
  readonly fee: number | Unsent;
  /** PnL that its fills realized, before fees, USD. */
  readonly realizedPnl: number | Unsent;
  /** The cap that reduced the size or left no room; null without one. */
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
  /** True when its fill reduced or closed a position. */
  readonly reduced: boolean | Unsent;
  /** Why it was cancelled; null unless it was, and when a validator did not say why. */
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
  /** Why it could not be filled; null unless it was rejected. */
  readonly refusalCode: RefusalCode | null;
  /** The legs that it attached, in the order of the request. */
  readonly legs: readonly string[];
  /** Its fills, oldest first. */
  readonly fills: readonly OrderFilledEvent<Unsent>[];
  /**
   * The events that name it except prices that a trailing stop followed, oldest first; from the
   * first one on, or those after `after`.
   */
  readonly events: readonly AccountEvent<Unsent>[];
  /** Pass it back as `after` for the events that follow; null when there are none now. */
  readonly next: string | null;
}

/** A page of orders by the time at which they began. */
export interface OrderHistory<Unsent extends Linked = never> {
  /** Oldest first. Legs that were attached together are never divided. */
  readonly items: readonly PastOrder<Unsent>[];
  /** Pass it back as `after` for what follows. */
  readonly next: string;
}

/** A page of fills. */
export interface Fills<Unsent extends Linked = never> {
  /** Oldest first. */
  readonly items: readonly OrderFilledEvent<Unsent>[];
  /** Pass it back as `after` for what follows. */
  readonly next: string;
}
