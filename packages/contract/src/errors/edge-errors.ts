import type { ErrorStatus } from "../endpoints.ts";
import type { RetryClass } from "./errors.ts";

/**
 * An error that the service answers before a request reaches an endpoint. Either the service rejected the connection or
 * the bytes received on it, and closes the connection, or it had no capacity for the request.
 */
export interface EdgeErrorRow {
  readonly status: 400 | 408 | 431 | 503;
  readonly text: string;
  readonly retry: RetryClass;
  /** The cause, for the reference page. */
  readonly cause: string;
  /** The change that a client should make. */
  readonly fix: string;
}

/**
 * Every error that the service answers before the first gate of a request. None of them is in an endpoint's list of
 * statuses, and the service did not carry out the request. @rule S1.envelope
 */
export const EDGE_ERRORS = {
  malformedRequest: {
    status: 400,
    text: "Malformed request",
    retry: "afterFixing",
    cause:
      "The bytes are not an HTTP request, `Host` is missing or repeated, `Expect` cannot be met, or the body arrives in too many chunks.",
    fix: "Use an HTTP client; send `Host` once, no `Expect` except `100-continue`, and the body in fewer chunks.",
  },
  requestTimeout: {
    status: 408,
    text: "Request not complete in time; nothing was carried out",
    retry: "withBackoff",
    cause: "The headers or the body did not arrive in time.",
    fix: "Send the whole request without pauses; check the network between client and service.",
  },
  headersTooLarge: {
    status: 431,
    text: "Request headers too large; nothing was carried out",
    retry: "afterFixing",
    cause: "The request line and its headers are larger than the service reads.",
    fix: "Send fewer or shorter headers; only the four signature headers are needed.",
  },
  tooManyConnections: {
    status: 503,
    text: "Too many connections",
    retry: "withBackoff",
    cause:
      "The service has its maximum number of open connections, or the maximum from the client's network.",
    fix: "Wait for `Retry-After`; use one connection for all requests.",
  },
  tooManyBodies: {
    status: 503,
    text: "Too many large requests at a time; nothing was carried out",
    retry: "withBackoff",
    cause:
      "The request bodies in transfer have reached the service's limit; a body of up to 4 KiB is always accepted.",
    fix: "Wait for `Retry-After`, then send the request again; it was not carried out.",
  },
  tooManyPipelined: {
    status: 503,
    text: "Too many unanswered requests on one connection; nothing was carried out",
    retry: "withBackoff",
    cause: "The connection has its maximum number of unanswered requests.",
    fix: "Wait for answers before sending more on the same connection.",
  },
} as const satisfies Record<string, EdgeErrorRow>;

export type EdgeErrorName = keyof typeof EDGE_ERRORS;

/** The names of the errors, in the order of `EDGE_ERRORS`. */
export const EDGE_ERROR_NAMES = Object.keys(EDGE_ERRORS).filter(
  (name): name is EdgeErrorName => name in EDGE_ERRORS,
);

/**
 * The status of the answer. It is the status in the row, but for a write it is 500 instead of 408, 431 and 503, because
 * the specification gives POST orders none of these three. @rule S7.statuses
 */
export function edgeStatus(
  name: EdgeErrorName,
  isWrite: boolean,
): EdgeErrorRow["status"] | Extract<ErrorStatus, 500> {
  const { status } = EDGE_ERRORS[name];
  return isWrite && status !== 400 ? 500 : status;
}
