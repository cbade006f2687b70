import type { OrderResult } from "../described/described-types.ts";
import { PropgateError, RejectedError } from "../errors.ts";
import type { OrderOutcome } from "./order-outcome.ts";

/** Thrown for an order without a result; `outcome` has its fate. */
export class OrderFateError extends PropgateError {
  override readonly name = "OrderFateError";
  override readonly code = "orderFate";
  readonly outcome: OrderOutcome;

  constructor(outcome: OrderOutcome) {
    const why = outcome.fate === "accepted" ? "its answer was lost" : outcome.reason;
    super(`the order is ${outcome.fate}: ${why}`);
    this.outcome = outcome;
  }
}

/**
 * The result of an order, for programs that prefer exceptions to a `switch`. Throws RejectedError for a rejection of
 * the service, and OrderFateError when the fate is unknown, when only the fate is known, or when the order was
 * withdrawn or never sent.
 */
export function resultOf(outcome: OrderOutcome): OrderResult {
  if (outcome.fate === "accepted" && outcome.result !== null) return outcome.result;
  if (outcome.fate === "rejected" && outcome.rejection !== null) {
    throw new RejectedError(outcome.rejection);
  }
  throw new OrderFateError(outcome);
}
