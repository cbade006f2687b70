import type { TraceParent } from "@propgate/base";
import type { OrderRequestId } from "@propgate/ledger";

/** The request of an order, with its span for the gateway. */
export interface SignedRequest extends OrderRequestId {
  readonly trace?: TraceParent | undefined;
}
