import type { RefusalCode } from "@propgate/contract";
import type {
  OrderResult,
  PendingOrder,
  PositionItem,
  Receipt,
  TradeItem,
} from "../described/described-types.ts";
import { PropgateError, type Rejection } from "../errors.ts";

/** A fact about an order's fate, oldest first in a list. */
export type OrderEvidence =
  /** The order, or an attempt to find out its fate, was rejected with this. */
  | { readonly kind: "answer"; readonly rejection: Rejection }
  /** The order, or an attempt to find out its fate, got no valid answer. */
  | { readonly kind: "noAnswer"; readonly what: string }
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  /** This service keeps no receipts. */
  | { readonly kind: "noReceipts" }
  /**
   * A read signed with the order's nonce succeeded: the order has not arrived, and is rejected if
   * it does.
   */
  | { readonly kind: "nonceWithdrawn" }
  /** A read signed with the order's nonce was rejected: the nonce was used before. */
  | { readonly kind: "nonceUsed" }
  /** The account's listings afterwards. */
  | {
      readonly kind: "listings";
      readonly orders: readonly PendingOrder[];
      readonly positions: readonly PositionItem[];
      readonly trades: readonly TradeItem[];
    };

/** The order was carried out. */
export interface AcceptedOrder {
  readonly fate: "accepted";
  /** The order's nonce, which `settle` and `receipt` take. */
  readonly nonce: string;
  /** Null only where the answer was lost, the service keeps no receipts, and the account lists the order. */
  readonly result: OrderResult | null;
  readonly evidence: readonly OrderEvidence[];
}

/** The order changed nothing and never will. */
export interface RejectedOrder {
  readonly fate: "rejected";
  readonly nonce: string;
  /** Status and error; `withdrawn` when another request has used the nonce, so the order can never be carried out. */
  readonly reason: string;
  /** Why the trading network refused the order; null for every other rejection. */
  readonly refusalCode: RefusalCode | null;
  /** Null when the order was withdrawn, or was certainly never sent. */
  readonly rejection: Rejection | null;
  readonly evidence: readonly OrderEvidence[];
}

/** No answer came in time. Call `settle` later, and never place the order again before. */
export interface UnknownOrder {
  readonly fate: "unknown";
  readonly nonce: string;
  /** A text for people. */
  readonly reason: string;
  readonly evidence: readonly OrderEvidence[];
}

/** The fate of an order. `switch (outcome.fate)` has three cases, and a bot must handle all of them. */
export type OrderOutcome = AcceptedOrder | RejectedOrder | UnknownOrder;

/** With `strict`: the order was accepted, but a requested leg was not attached. */
export class MissingLegError extends PropgateError {
  override readonly name = "MissingLegError";
  override readonly code = "missingLeg";
  /** The order was carried out, so its position lacks a part of its protection. */
  readonly outcome: AcceptedOrder;

  constructor(outcome: AcceptedOrder, missing: readonly string[]) {
    super(`accepted, but not attached: ${missing.join("; ")}`);
    this.outcome = outcome;
  }
}
