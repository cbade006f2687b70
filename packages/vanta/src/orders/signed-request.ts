import type { TraceParent } from "@propgate/base";
import type { OrderRequestId } from "@propgate/ledger";

/** The key and nonce of an order's request, and the trace that is sent to the gateway. */
export interface SignedRequest extends OrderRequestId {
  readonly trace?: TraceParent | undefined;
}
