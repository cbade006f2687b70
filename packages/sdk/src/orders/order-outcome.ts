import type { RefusalCode } from "@propgate/contract";
import type {
  OrderResult,
  PendingOrder,
  PositionItem,
  Receipt,
  TradeItem,
} from "../described/described-types.ts";
import { PropgateError, type Rejection } from "../errors.ts";

/** A fact about an order's fate. A list of facts has the oldest first. */
export type OrderEvidence =
  /** The order, or an attempt to find out its fate, got this rejection. */
  | { readonly kind: "answer"; readonly rejection: Rejection }
  /** The order, or an attempt to find out its fate, got no valid answer. */
  | { readonly kind: "noAnswer"; readonly what: string }
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  /** The service has no receipts. */
  | { readonly kind: "noReceipts" }
  /** A read with the order's nonce succeeded. So the order has not arrived, and will be rejected if it does. */
  | { readonly kind: "nonceWithdrawn" }
  /** A read with the order's nonce was rejected, because the nonce was used before. */
  | { readonly kind: "nonceUsed" }
  /** The account's listings, which were read after it was known that the nonce was used. */
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
  /**
   * The result of the order. Null when the answer was lost and only the fate is known: the receipt has no readable
   * result, or the service has no receipts and the account lists the order.
   */
  readonly result: OrderResult | null;
  readonly evidence: readonly OrderEvidence[];
}

/** The order had no effect and never will. */
export interface RejectedOrder {
  readonly fate: "rejected";
  readonly nonce: string;
  /**
   * The status and the error of the rejection; `withdrawn` when another request has used the nonce, so that the order
   * can never be carried out; or why the order was never sent.
   */
  readonly reason: string;
  /** Why the trading network refused the order; null for every other rejection. */
  readonly refusalCode: RefusalCode | null;
  /** The rejection of the service. Null when the order was withdrawn, or was certainly never sent. */
  readonly rejection: Rejection | null;
  readonly evidence: readonly OrderEvidence[];
}

/** No clear answer came in time. Call `settle` later, and never place the order again before its fate is known. */
export interface UnknownOrder {
  readonly fate: "unknown";
  readonly nonce: string;
  /** Why the fate is unknown, as a text for people. */
  readonly reason: string;
  readonly evidence: readonly OrderEvidence[];
}

/** The fate of an order. A bot has to handle all three cases of `outcome.fate`. */
export type OrderOutcome = AcceptedOrder | RejectedOrder | UnknownOrder;

/** With `strict`: the order was accepted, but a leg of the request was not attached. */
export class MissingLegError extends PropgateError {
  override readonly name = "MissingLegError";
  override readonly code = "missingLeg";
  /** The accepted order. It was carried out, so its position lacks the protection of the missing leg. */
  readonly outcome: AcceptedOrder;

  constructor(outcome: AcceptedOrder, missing: readonly string[]) {
    super(`accepted, but not attached: ${missing.join("; ")}`);
    this.outcome = outcome;
  }
}
