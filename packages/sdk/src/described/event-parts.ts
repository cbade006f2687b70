// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { AttachedLegItem } from "./order-result.ts";

/** The cause of the event: the actor in `by`, and the command that led to it. */
export interface EventCause {
  /**
   * `key`: a request with an API key. `owner`: the owner on the dashboard. `operator`: the
   * operator. `market`: a price. `clock`: the passing of time. `validator`: it was read at the
   * validator of a linked account.
   */
  readonly by: "key" | "owner" | "operator" | "market" | "clock" | "validator";
  /** The id of the API key; null unless a key caused the event. */
  readonly keyId: string | null;
  /** The nonce of the API key's request; null unless a key caused the event. */
  readonly nonce: string | null;
  /** The internal command that the journal records, such as `placeMarket`. */
  readonly command: string;
}

/**
 * The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash,
 * followed by `line` in UTF-8.
 */
export interface EventProof {
  /**
   * The columns of the line as a JSON list, a line feed, and the event as JSON, exactly as they
   * were hashed.
   */
  readonly line: string;
  /**
   * The hash of the line, 64 hexadecimal digits. The hash before the first line is 32 zero bytes.
   */
  readonly hash: string;
}

/** A pending order, or a leg of a position, as it is after the event. */
export interface EventOrder {
  /** The order's id. */
  readonly orderUuid: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; that of the position for a leg. */
  readonly orderType: "LONG" | "SHORT";
  /** The kind of order; `BRACKET` for a leg. */
  readonly executionType: "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** When the order was accepted. */
  readonly placedMs: number;
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
  /**
   * Size of a leg as a share of the position before any of its legs filled, above 0 and at most 1;
   * null when unused.
   */
  readonly bracketPct: number | null;
  /** Stop-loss price; of several legs the nearest one; null without one. */
  readonly stopLoss: number | null;
  /** Take-profit price; of several legs the nearest one; null without one. */
  readonly takeProfit: number | null;
  /** Trailing distance as a share of the price, so 0.02 is 2 %; null when unused. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units; null when unused. */
  readonly trailingValue: number | null;
  /** The position of a leg; null for an entry order. */
  readonly positionUuid: string | null;
  /** True if the order can only reduce a position; always true for a leg. */
  readonly reduceOnly: boolean;
  /** The legs that the order attaches when it fills; null for a leg. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}

/** A payout, as it is after the event. */
export interface EventPayout<Unsent extends Linked = never> {
  /** The payout's id; it never changes. */
  readonly id: string;
  /** Start of the payout cycle. */
  readonly periodStartMs: number;
  /** End of the payout cycle. */
  readonly periodEndMs: number;
  /**
   * The trader's share after the profit split, including released shares of earlier held weeks,
   * USD.
   */
  readonly amount: number;
  /** The profit split as a fraction: 0.8 is 80 %. */
  readonly profitSplit: number;
  /** The status of the payment. */
  readonly status: "pending" | "processing" | "paid" | "failed" | Unsent;
  /** The payment rail, such as `manual`. */
  readonly rail: string | Unsent;
  /** The payment provider, such as `manual`. */
  readonly provider: string | Unsent;
  /** The payer's reference of the payment; null without one. */
  readonly reference: string | null;
  /** When the payment was requested; null before that. */
  readonly requestedAtMs: number | null;
  /** When the payment was made; null before that. */
  readonly paidAtMs: number | null;
  /** The amount that was paid, USD in whole cents; null when none was recorded. */
  readonly paidAmount: number | null;
  /** When the payout cycle was closed. */
  readonly createdAtMs: number | Unsent;
}
