// Made from the schemas of the contract by `npm run docs`.

import type { AttachedLegItem } from "./order-result.ts";

/** A pending order, or a leg of a position. */
export interface PendingOrder {
  /** The id to pass to LIMIT_CANCEL. */
  readonly orderUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction; a leg has its position's direction. */
  readonly orderType: "LONG" | "SHORT";
  /** `BRACKET` for a leg. */
  readonly executionType: "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** When it was accepted; an edit does not change it. */
  readonly processedMs: number;
  /** Limit price; null on a leg. */
  readonly limitPrice: number | null;
  /** Stop price of a STOP_LIMIT that has not triggered; null otherwise. */
  readonly stopPrice: number | null;
  /** Side of `stopPrice` that triggers it; null without one. */
  readonly stopCondition: "GTE" | "LTE" | null;
  /** Size as a multiple of the balance; null if sized otherwise. */
  readonly leverage: number | null;
  /** Size in USD; null if sized otherwise. */
  readonly value: number | null;
  /** Size in the pair's lot unit; null if sized otherwise. */
  readonly quantity: number | null;
  /** Price of the stop, the nearest of its legs; null without one. */
  readonly stopLoss: number | null;
  /** Price of the target, the nearest of its legs; null without one. */
  readonly takeProfit: number | null;
  /** Share of the position before any of its legs filled, 0 < x ≤ 1; null when unused. */
  readonly bracketPct: number | null;
  /** Trailing distance as a share of the price; null when unused. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units; null when unused. */
  readonly trailingValue: number | null;
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
  /** The position of a leg; null on an entry order. */
  readonly positionUuid: string | null;
  /** True if it can only reduce a position; always true for a leg. */
  readonly reduceOnly: boolean;
  /** The legs that the order attaches when it fills; null on a leg. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}
