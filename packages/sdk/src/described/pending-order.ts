// Made from the schemas of the contract by `npm run docs`.

import type { AttachedLegItem } from "./order-result.ts";

/** A resting order, or a leg that waits on a position. */
export interface PendingOrder {
  /** The id to pass to LIMIT_CANCEL. */
  readonly orderUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction; of a leg, that of its position. */
  readonly orderType: "LONG" | "SHORT";
  /** `BRACKET` for a leg. */
  readonly executionType: "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** When it was accepted. */
  readonly processedMs: number;
  /** Null on a leg. */
  readonly limitPrice: number | null;
  /** Only on a STOP_LIMIT whose stop has not been passed. */
  readonly stopPrice: number | null;
  /** Which side of `stopPrice` triggers it. */
  readonly stopCondition: "GTE" | "LTE" | null;
  /** Size as a multiple of the balance; null when not sent so. */
  readonly leverage: number | null;
  /** Size in USD; null when not sent so. */
  readonly value: number | null;
  /** Size in the pair's lot unit; null when not sent so. */
  readonly quantity: number | null;
  /** Null without one. */
  readonly stopLoss: number | null;
  /** Null without one. */
  readonly takeProfit: number | null;
  /** Share of the position as if no sister leg had filled, 0 < x ≤ 1; null when unused. */
  readonly bracketPct: number | null;
  /** Trailing distance as a share of the price; null when unused. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units; null when unused. */
  readonly trailingValue: number | null;
  /** The position that a leg waits on; null on an entry order. */
  readonly positionUuid: string | null;
  /** True: it can only reduce a position; always so of a leg. */
  readonly reduceOnly: boolean;
  /** The legs that the order attaches when it fills; null on a leg. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}
