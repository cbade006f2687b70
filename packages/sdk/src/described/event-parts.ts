// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type { AttachedLegItem } from "./order-result.ts";

/** The cause of the event: a key, a person, a price, the clock or a validator. */
export interface EventCause {
  /**
   * `key`: an API key. `owner`: the owner on the pages. `operator`: the operator. `market`: a
   * price. `clock`: time. `validator`: read at the validator of a linked account.
   */
  readonly by: "key" | "owner" | "operator" | "market" | "clock" | "validator";
  /** The key's id; null unless a key caused it. */
  readonly keyId: string | null;
  /** The nonce of the key's request; null unless a key caused it. */
  readonly nonce: string | null;
  /** The command as the journal records it, `placeMarket`. */
  readonly command: string;
}

/**
 * The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then
 * `line` in UTF-8.
 */
export interface EventProof {
  /**
   * Its columns as a JSON list, a line feed, and the event as JSON, exactly as they were hashed.
   */
  readonly line: string;
  /** 64 hexadecimal digits. The hash before the first line is 32 zero bytes. */
  readonly hash: string;
}

/** A pending order, or a leg of a position, after the event. */
export interface EventOrder {
  /** The order's id. */
  readonly orderUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; a leg has its position's direction. */
  readonly orderType: "LONG" | "SHORT";
  /** `BRACKET` for a leg. */
  readonly executionType: "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** When it was accepted. */
  readonly placedMs: number;
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
  /** Share of the position before any of its legs filled, 0 < x ≤ 1; null when unused. */
  readonly bracketPct: number | null;
  /** Price of the stop, the nearest of its legs; null without one. */
  readonly stopLoss: number | null;
  /** Price of the target, the nearest of its legs; null without one. */
  readonly takeProfit: number | null;
  /** Trailing distance as a share of the price; null when unused. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units; null when unused. */
  readonly trailingValue: number | null;
  /** The position of a leg; null on an entry order. */
  readonly positionUuid: string | null;
  /** True if it can only reduce a position; always true for a leg. */
  readonly reduceOnly: boolean;
  /** The legs that the order attaches when it fills; null on a leg. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}

/** A payout after the event. */
export interface EventPayout<Unsent extends Linked = never> {
  /** The payout's id; it never changes. */
  readonly id: string;
  /** Start of its cycle. */
  readonly periodStartMs: number;
  /** End of its cycle. */
  readonly periodEndMs: number;
  /** The trader's share after the split, including held shares of earlier weeks, USD. */
  readonly amount: number;
  /** The split as a share of one: 0.8 is 80 %. */
  readonly profitSplit: number;
  /** Status of the payment. */
  readonly status: "pending" | "processing" | "paid" | "failed" | Unsent;
  /** How it is paid, such as `manual`. */
  readonly rail: string | Unsent;
  /** The payment provider, such as `manual`. */
  readonly provider: string | Unsent;
  /** The payer's own number for the payment; null without one. */
  readonly reference: string | null;
  /** When the payment was requested; null before. */
  readonly requestedAtMs: number | null;
  /** When it was paid; null before. */
  readonly paidAtMs: number | null;
  /** The amount that was paid, USD in whole cents; null when none was recorded. */
  readonly paidAmount: number | null;
  /** When the cycle closed. */
  readonly createdAtMs: number | Unsent;
}
