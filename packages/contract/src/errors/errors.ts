import {
  type ErrorStatus,
  isWrite,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "../endpoints.ts";
import type { Scope } from "../words.ts";

/** When a client may retry the same call. @rule S7.table */
export type RetryClass = "afterFixing" | "withBackoff" | "never";

/** The values that an error text may contain. `message` names the first problem and its field. */
export interface ErrorParts {
  readonly networkName: string;
  readonly message: string;
}

/**
 * The endpoints that can answer with the error; `routing` belongs to no endpoint. `bodies` are the endpoints with a
 * request body: the writes and the preview. `trades` are the endpoints that take an order: POST orders and the preview.
 * `orders` are the writes. `ownNetwork` are those that only accounts of the service's own network have.
 */
export type ErrorReach =
  | "routing"
  | "every"
  | "reads"
  | "budgetedReads"
  | "payouts"
  | "ownNetwork"
  | "quotes"
  | "candles"
  | "events"
  | "eventStream"
  | "orderLife"
  | "history"
  | "tradeHistory"
  | "receipts"
  | "bodies"
  | "trades"
  | "orders";

/**
 * An error of the public API: its status, its text, when a client may retry, and the endpoints that can answer with it.
 */
export interface ErrorRow {
  readonly status: ErrorStatus;
  readonly text: string | ((parts: ErrorParts) => string);
  readonly retry: RetryClass;
  readonly reach: ErrorReach;
}

const message = (parts: ErrorParts): string => parts.message;

/**
 * Every error of the public API, with its status, its text and its retry class. The errors of the checks are in the
 * order of the checks, and reference pages list them in the order of this table. @rule S7.table decides
 */
export const ERRORS = {
  notFound: {
    status: 404,
    text: "Not found",
    retry: "never",
    reach: "routing",
  },
  methodNotAllowed: {
    status: 405,
    text: "Method not allowed",
    retry: "never",
    reach: "routing",
  },
  bodyTooLarge: {
    status: 400,
    text: "request body is larger than 64 KiB",
    retry: "afterFixing",
    reach: "bodies",
  },
  missingCredentials: {
    status: 401,
    text: "Missing credentials",
    retry: "afterFixing",
    reach: "every",
  },
  invalidTimestamp: {
    status: 401,
    text: "Invalid timestamp",
    retry: "afterFixing",
    reach: "every",
  },
  timestampInvalid: {
    status: 401,
    text: "Timestamp invalid",
    retry: "afterFixing",
    reach: "every",
  },
  invalidKey: {
    status: 401,
    text: "Invalid key",
    retry: "never",
    reach: "every",
  },
  decryptFailed: {
    status: 500,
    text: "Decrypt failed",
    retry: "withBackoff",
    reach: "every",
  },
  badSignature: {
    status: 401,
    text: "Bad signature",
    retry: "afterFixing",
    reach: "every",
  },
  nonceUsed: {
    status: 409,
    text: "Nonce",
    retry: "afterFixing",
    reach: "every",
  },
  insufficientScope: {
    status: 403,
    text: "insufficient_scope",
    retry: "never",
    reach: "every",
  },
  rateLimited: {
    status: 429,
    text: "rate_limited",
    retry: "withBackoff",
    reach: "budgetedReads",
  },
  tooManyReceipts: {
    status: 429,
    text: "too_many_receipts",
    retry: "withBackoff",
    reach: "receipts",
  },
  tooManyFailedRequests: {
    status: 429,
    text: "too_many_failed_requests",
    retry: "afterFixing",
    reach: "orders",
  },
  malformedAccountId: {
    status: 400,
    text: "'accountId' must be a uuid",
    retry: "afterFixing",
    reach: "bodies",
  },
  differentAccount: {
    status: 403,
    text: "This API key is only valid for a different account",
    retry: "never",
    reach: "every",
  },
  accountNotFound: {
    status: 404,
    text: "Account not found",
    retry: "never",
    reach: "every",
  },
  notOffered: {
    status: 404,
    text: (parts) => `Not offered: ${parts.message}`,
    retry: "never",
    reach: "ownNetwork",
  },
  orderNotFound: {
    status: 404,
    text: "Order not found",
    retry: "never",
    reach: "orderLife",
  },
  invalidLimit: {
    status: 400,
    text: "limit must be an integer between 1 and 200",
    retry: "afterFixing",
    reach: "payouts",
  },
  invalidCursor: {
    status: 400,
    text: "invalid cursor",
    retry: "afterFixing",
    reach: "payouts",
  },
  invalidPairs: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "quotes",
  },
  invalidCandles: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "candles",
  },
  invalidEvents: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "events",
  },
  tooManyStreams: {
    status: 429,
    text: "too_many_streams",
    retry: "withBackoff",
    reach: "eventStream",
  },
  invalidHistory: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "history",
  },
  invalidTrades: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "tradeHistory",
  },
  invalidNonce: {
    status: 400,
    text: "'nonce' must be 1 to 128 printable ASCII characters",
    retry: "afterFixing",
    reach: "receipts",
  },
  invalidBody: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "bodies",
  },
  missingSize: {
    status: 400,
    text: "'leverage', 'value', or 'quantity' must be provided",
    retry: "afterFixing",
    reach: "trades",
  },
  accountNotReady: {
    status: 400,
    text: "Account is not ready for trading (missing subaccount_id)",
    retry: "withBackoff",
    reach: "bodies",
  },
  orderRefused: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "bodies",
  },
  // The network may have accepted the order: the sender must check before it sends the order again.
  // @rule D5.unknownFate decides
  unknownFate: {
    status: 500,
    text: "The trading network did not answer in time; the order may or may not have been accepted. Check positions and orders before retrying",
    retry: "withBackoff",
    reach: "orders",
  },
  // The order never reached the network, so it is safe to send again. @rule D5.networkDown decides
  networkDown: {
    status: 500,
    text: "The trading network is unreachable; the order was not accepted",
    retry: "withBackoff",
    reach: "orders",
  },
  notCarriedOut: {
    status: 500,
    text: "The order was not decided in time; it was not carried out and never will be",
    retry: "withBackoff",
    reach: "orders",
  },
  ownerChanging: {
    status: 500,
    text: "The account is moving to another node; the order was not carried out and never will be. Send it again with a fresh nonce after Retry-After",
    retry: "withBackoff",
    reach: "orders",
  },
  upstreamFailed: {
    status: 502,
    text: message,
    retry: "withBackoff",
    reach: "reads",
  },
  snapshotUnavailable: {
    status: 503,
    text: (parts) =>
      `Account snapshot temporarily unavailable (${parts.networkName} validator unreachable); retry shortly`,
    retry: "withBackoff",
    reach: "reads",
  },
  internal: {
    status: 500,
    text: "Internal error",
    retry: "withBackoff",
    reach: "every",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The names of the errors, in order of precedence. */
export const ERROR_NAMES = Object.keys(ERRORS).filter(isErrorName);

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

/** The text of an error in its answer. A client gets no other explanation. */
export function errorText(name: ErrorName, parts: ErrorParts): string {
  const { text }: ErrorRow = ERRORS[name];
  return typeof text === "string" ? text : text(parts);
}

/** The body of a failure, with no further fields. @rule S7.table */
export interface FailureBody {
  readonly error: string;
  /** The scope that the key lacks; only with `insufficient_scope`. */
  readonly required_scope?: Scope;
}

/** The errors that one endpoint can answer with, in order of precedence. */
export function errorsOf(endpoint: SignedEndpointName): readonly ErrorName[] {
  const statuses: readonly ErrorStatus[] = SIGNED_ENDPOINTS[endpoint].errorStatuses;
  return ERROR_NAMES.filter(
    (name) => reaches(ERRORS[name].reach, endpoint) && statuses.includes(ERRORS[name].status),
  );
}

function reaches(reach: ErrorReach, endpoint: SignedEndpointName): boolean {
  switch (reach) {
    case "routing":
      return false;
    case "every":
      return true;
    case "reads":
      return !isWrite(endpoint);
    case "budgetedReads":
      return !isWrite(endpoint) && endpoint !== "getReceipt";
    case "payouts":
      return endpoint === "getPayouts";
    case "ownNetwork":
      return SIGNED_ENDPOINTS[endpoint].notAtValidators !== null;
    case "quotes":
      return endpoint === "getQuotes";
    case "candles":
      return endpoint === "getCandles";
    case "events":
      return endpoint === "getEvents" || endpoint === "getEventStream";
    case "eventStream":
      return endpoint === "getEventStream";
    case "orderLife":
      return endpoint === "getOrder";
    case "history":
      return ["getOrder", "getOrderHistory", "getFills"].includes(endpoint);
    case "tradeHistory":
      return endpoint === "getTrades";
    case "receipts":
      return endpoint === "getReceipt";
    case "bodies":
      return isWrite(endpoint) || endpoint === "previewOrder";
    case "trades":
      return endpoint === "placeOrder" || endpoint === "previewOrder";
    case "orders":
      return isWrite(endpoint);
  }
}
