import type { TraceParent } from "../../base/trace-parent.ts";
import type { OrderRequestId } from "../../storage/rows/upstream-order.ts";

/** The request of an order, with its span for the gateway. */
export interface SignedRequest extends OrderRequestId {
  readonly trace?: TraceParent | undefined;
}
