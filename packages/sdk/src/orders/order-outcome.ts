import type {
  OrderResult,
  PendingOrder,
  PositionItem,
  Receipt,
  TradeItem,
} from "@propgate/contract";
import { PropgateError, type Rejection } from "../errors.ts";

/** Something that was learnt about an order, in the order in which it was learnt. */
export type OrderEvidence =
  /** The order, or a question about it, was answered with this. */
  | { readonly kind: "answer"; readonly rejection: Rejection }
  /** The order, or a question about it, was not answered, or by something that is no service. */
  | { readonly kind: "noAnswer"; readonly what: string }
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  /** This service keeps no receipts. */
  | { readonly kind: "noReceipts" }
  /** A read signed with the order's nonce passed: the order has not arrived, and is refused if it does. */
  | { readonly kind: "nonceWithdrawn" }
  /** A read signed with the order's nonce was refused: the nonce has been used. */
  | { readonly kind: "nonceUsed" }
  /** What the account listed afterwards. */
  | {
      readonly kind: "listings";
      readonly orders: readonly PendingOrder[];
      readonly positions: readonly PositionItem[];
      readonly trades: readonly TradeItem[];
    };

/** The order was carried out. */
export interface AcceptedOrder {
  readonly fate: "accepted";
  /** The order's nonce, by which it can be asked for. */
  readonly nonce: string;
  /** Null only where the answer was lost, the service keeps no receipts, and the account lists the order. */
  readonly result: OrderResult | null;
  readonly evidence: readonly OrderEvidence[];
}

/** The order changed nothing and never will. */
export interface RejectedOrder {
  readonly fate: "rejected";
  readonly nonce: string;
  /** For people: status and text, or why there are none. */
  readonly reason: string;
  /** Null when the order never arrived. */
  readonly rejection: Rejection | null;
  readonly evidence: readonly OrderEvidence[];
}

/** Nobody could say in time. `settle` asks again later; never place the order again before. */
export interface UnknownOrder {
  readonly fate: "unknown";
  readonly nonce: string;
  /** For people: what stood in the way. */
  readonly reason: string;
  readonly evidence: readonly OrderEvidence[];
}

/** What became of an order. `switch (outcome.fate)` has three cases, and a bot needs all of them. */
export type OrderOutcome = AcceptedOrder | RejectedOrder | UnknownOrder;

/** With `strict`: the order was accepted, and a leg that it asked for was not attached. */
export class MissingLegError extends PropgateError {
  override readonly name = "MissingLegError";
  override readonly code = "missingLeg";
  /** The order stands: decide what to do with a position that is not protected as intended. */
  readonly outcome: AcceptedOrder;

  constructor(outcome: AcceptedOrder, missing: readonly string[]) {
    super(`accepted, but not attached: ${missing.join("; ")}`);
    this.outcome = outcome;
  }
}
