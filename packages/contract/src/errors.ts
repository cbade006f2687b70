import {
  type ErrorStatus,
  isWrite,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "./endpoints.ts";
import type { Scope } from "./words.ts";

/** When a client may retry the same call. @rule S7.table */
export type RetryClass = "afterFixing" | "withBackoff" | "never";

/** What a text may contain. `message` names the first problem and its field. */
export interface ErrorParts {
  readonly networkName: string;
  readonly message: string;
}

/**
 * Which endpoints can answer with the error; `routing` belongs to none of them. `bodies` are the endpoints that take
 * an order: the one that places it and the one that previews it.
 */
export type ErrorReach =
  | "routing"
  | "every"
  | "reads"
  | "budgetedReads"
  | "payouts"
  | "quotes"
  | "receipts"
  | "bodies"
  | "orders";

export interface ErrorRow {
  readonly status: ErrorStatus;
  readonly text: string | ((parts: ErrorParts) => string);
  readonly retry: RetryClass;
  readonly reach: ErrorReach;
  /** What happened, for the reference page. */
  readonly cause: string;
  readonly rule: string;
}

const message = (parts: ErrorParts): string => parts.message;

/**
 * Every error of the public API in order of precedence: of two that apply, the upper one is
 * answered. Gates, reference page and tests follow this list. @rule D2.order
 */
export const ERRORS = {
  notFound: {
    status: 404,
    text: "Not found",
    retry: "never",
    reach: "routing",
    cause: "The path leads nowhere.",
    rule: "D2.routes",
  },
  methodNotAllowed: {
    status: 405,
    text: "Method not allowed",
    retry: "never",
    reach: "routing",
    cause: "The path exists, the method does not; `Allow` lists those that do.",
    rule: "D2.routes",
  },
  bodyTooLarge: {
    status: 400,
    text: "request body is larger than 64 KiB",
    retry: "afterFixing",
    reach: "bodies",
    cause: "The body passed its limit; the rest was not read.",
    rule: "D2.body",
  },
  missingCredentials: {
    status: 401,
    text: "Missing credentials",
    retry: "afterFixing",
    reach: "every",
    cause:
      "One or more of the four headers are absent or empty, or the nonce is not 1 to 128 printable ASCII characters.",
    rule: "D2.1",
  },
  invalidTimestamp: {
    status: 401,
    text: "Invalid timestamp",
    retry: "afterFixing",
    reach: "every",
    cause: "The timestamp is not whole milliseconds in 12 to 16 decimal digits.",
    rule: "D2.2",
  },
  timestampInvalid: {
    status: 401,
    text: "Timestamp invalid",
    retry: "afterFixing",
    reach: "every",
    cause: "The timestamp is more than 5 minutes from the server's clock.",
    rule: "D2.3",
  },
  invalidKey: {
    status: 401,
    text: "Invalid key",
    retry: "never",
    reach: "every",
    cause: "No active key has this id: unknown, revoked, deleted or expired.",
    rule: "D2.4",
  },
  decryptFailed: {
    status: 500,
    text: "Decrypt failed",
    retry: "withBackoff",
    reach: "every",
    cause: "The stored secret of the key could not be decrypted; the platform's fault.",
    rule: "D2.5",
  },
  badSignature: {
    status: 401,
    text: "Bad signature",
    retry: "afterFixing",
    reach: "every",
    cause:
      "The signature is not that of this request under this key's secret; or a read has a body of more than 64 KiB.",
    rule: "D2.6",
  },
  nonceUsed: {
    status: 409,
    text: "Nonce",
    retry: "afterFixing",
    reach: "every",
    cause: "The key has used this nonce before; sign again with a fresh one.",
    rule: "D2.7",
  },
  insufficientScope: {
    status: 403,
    text: "insufficient_scope",
    retry: "never",
    reach: "every",
    cause: "The key lacks the endpoint's scope, which `required_scope` names.",
    rule: "D2.8",
  },
  rateLimited: {
    status: 429,
    text: "rate_limited",
    retry: "withBackoff",
    reach: "budgetedReads",
    cause: "The key's read budget for this minute is used up.",
    rule: "D2.9",
  },
  tooManyReceipts: {
    status: 429,
    text: "too_many_receipts",
    retry: "withBackoff",
    reach: "receipts",
    cause: "The key's receipt budget for this minute is used up; reads have a budget of their own.",
    rule: "D10.receiptBudget",
  },
  tooManyFailedRequests: {
    status: 429,
    text: "too_many_failed_requests",
    retry: "afterFixing",
    reach: "orders",
    cause: "30 rejected order requests in 10 minutes: placement is paused for 15 minutes.",
    rule: "D2.9",
  },
  malformedAccountId: {
    status: 400,
    text: "'accountId' must be a uuid",
    retry: "afterFixing",
    reach: "bodies",
    cause: "The body's `accountId` is not a uuid string.",
    rule: "D2.10",
  },
  differentAccount: {
    status: 403,
    text: "This API key is only valid for a different account",
    retry: "never",
    reach: "every",
    cause: "`accountId` in query or body names another account than the key's.",
    rule: "D2.10",
  },
  accountNotFound: {
    status: 404,
    text: "Account not found",
    retry: "never",
    reach: "every",
    cause: "The bound account no longer resolves: deleted, transferred or never provisioned.",
    rule: "D2.11",
  },
  invalidLimit: {
    status: 400,
    text: "limit must be an integer between 1 and 200",
    retry: "afterFixing",
    reach: "payouts",
    cause: "`limit` is not a positive integer.",
    rule: "D2.12",
  },
  invalidCursor: {
    status: 400,
    text: "invalid cursor",
    retry: "afterFixing",
    reach: "payouts",
    cause: "`cursor` was not returned by this API for this account.",
    rule: "D2.12",
  },
  invalidPairs: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "quotes",
    cause: "`pairs` is empty or names a pair that is not known, which the text names.",
    rule: "D9.quotes",
  },
  invalidNonce: {
    status: 400,
    text: "'nonce' must be 1 to 128 printable ASCII characters",
    retry: "afterFixing",
    reach: "receipts",
    cause: "The path asks for what no nonce can be.",
    rule: "D9.receipts",
  },
  invalidBody: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "bodies",
    cause: "The order body failed validation; the text names the first problem and its field.",
    rule: "D2.12",
  },
  missingSize: {
    status: 400,
    text: "'leverage', 'value', or 'quantity' must be provided",
    retry: "afterFixing",
    reach: "bodies",
    cause: "None or more than one of the sizing fields.",
    rule: "D2.12",
  },
  accountNotReady: {
    status: 400,
    text: "Account is not ready for trading (missing subaccount_id)",
    retry: "withBackoff",
    reach: "bodies",
    cause: "The account is not yet provisioned on the trading network.",
    rule: "D8.states",
  },
  orderRefused: {
    status: 400,
    text: message,
    retry: "afterFixing",
    reach: "bodies",
    cause: "The trading network refused the order; the text says why.",
    rule: "D5.refusal",
  },
  unknownFate: {
    status: 500,
    text: "The trading network did not answer in time; the order may or may not have been accepted. Check positions and orders before retrying",
    retry: "withBackoff",
    reach: "orders",
    cause: "The order's fate is unknown. Read positions and orders before a retry.",
    rule: "D5.unknownFate",
  },
  networkDown: {
    status: 500,
    text: "The trading network is unreachable; the order was not accepted",
    retry: "withBackoff",
    reach: "orders",
    cause: "The order did not reach the trading network: nothing happened.",
    rule: "D5.networkDown",
  },
  notCarriedOut: {
    status: 500,
    text: "The order was not decided in time; it was not carried out and never will be",
    retry: "withBackoff",
    reach: "orders",
    cause: "Somebody asked for its receipt when it was overdue, which ended it: nothing happened.",
    rule: "D9.receipts",
  },
  upstreamFailed: {
    status: 502,
    text: message,
    retry: "withBackoff",
    reach: "reads",
    cause: "The trade history service answered with an error, which is the text.",
    rule: "S7.502",
  },
  snapshotUnavailable: {
    status: 503,
    text: (parts) =>
      `Account snapshot temporarily unavailable (${parts.networkName} validator unreachable); retry shortly`,
    retry: "withBackoff",
    reach: "reads",
    cause: "The network could not be reached on a read; no data is returned.",
    rule: "S7.R1",
  },
  internal: {
    status: 500,
    text: "Internal error",
    retry: "withBackoff",
    reach: "every",
    cause: "A fault of the service; the log has the details under the request id.",
    rule: "S7.500",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The names in order of precedence. */
export const ERROR_NAMES = Object.keys(ERRORS).filter(isErrorName);

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

/** The public text: the only explanation that a client gets. */
export function errorText(name: ErrorName, parts: ErrorParts): string {
  const { text }: ErrorRow = ERRORS[name];
  return typeof text === "string" ? text : text(parts);
}

/** The body of a failure. It has exactly these fields. @rule S7.table */
export interface FailureBody {
  readonly error: string;
  /** Only with `insufficient_scope`. */
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
    case "quotes":
      return endpoint === "getQuotes";
    case "receipts":
      return endpoint === "getReceipt";
    case "bodies":
      return endpoint === "placeOrder" || endpoint === "previewOrder";
    case "orders":
      return isWrite(endpoint);
  }
}
