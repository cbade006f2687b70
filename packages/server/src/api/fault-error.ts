import { type ErrorName, isWrite, type SignedEndpointName } from "@propgate/contract";
import { isUnavailable } from "@propgate/ledger";

/**
 * The error of a request that threw. While the database is unreachable, a read is a 503. An order has no 503 in the
 * specification. If it was begun, its fate is unknown. If it was not, it never reached the network, so it gets the 500
 * for an order that was not accepted. Its nonce may have been stored, so a retry is answered with 409 or carried out,
 * never both. After every other cause the error is `internal`, a 500. @rule S7.R1 S7.500 D5.networkDown
 */
export function faultError(
  cause: unknown,
  request: { readonly endpoint: SignedEndpointName; readonly isBegun: boolean },
): ErrorName {
  if (!isUnavailable(cause)) return "internal";
  if (!isWrite(request.endpoint)) return "snapshotUnavailable";
  return request.isBegun ? "unknownFate" : "networkDown";
}
