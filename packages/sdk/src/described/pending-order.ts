// Made from the schemas of the contract by `npm run docs`.

import type { AttachedLegItem } from "./order-result.ts";

/** A pending order, or a leg of a position. */
export interface PendingOrder {
  /** The id to pass to LIMIT_CANCEL. */
  readonly orderUuid: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Pair for display, such as `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction; that of the position for a leg. */
  readonly orderType: "LONG" | "SHORT";
  /** The kind of order; `BRACKET` for a leg. */
  readonly executionType: "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** When the order was accepted; an edit does not change it. */
  readonly processedMs: number;
  /** Limit price; null for a leg. */
  readonly limitPrice: number | null;
  /**
   * Mid price at which a STOP_LIMIT becomes a limit order; null after that, and for other orders.
   */
  readonly stopPrice: number | null;
  /**
   * Side of `stopPrice` on which the mid price triggers the order; null when `stopPrice` is null.
   */
  readonly stopCondition: "GTE" | "LTE" | null;
  /** Size as a multiple of the balance; null when unused. */
  readonly leverage: number | null;
  /** Size in USD; null when unused. */
  readonly value: number | null;
  /** Size in the pair's lot unit; null when unused. */
  readonly quantity: number | null;
  /** Stop-loss price; of several legs the nearest one; null without one. */
  readonly stopLoss: number | null;
  /** Take-profit price; of several legs the nearest one; null without one. */
  readonly takeProfit: number | null;
  /**
   * Size of a leg as a share of the position before any of its legs filled, above 0 and at most 1;
   * null when unused.
   */
  readonly bracketPct: number | null;
  /** Trailing distance as a share of the price, so 0.02 is 2 %; null when unused. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units; null when unused. */
  readonly trailingValue: number | null;
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
  /** The position of a leg; null for an entry order. */
  readonly positionUuid: string | null;
  /** True if the order can only reduce a position; always true for a leg. */
  readonly reduceOnly: boolean;
  /** The legs that the order attaches when it fills; null for a leg. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}
