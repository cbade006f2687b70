import { ERROR_NAMES, ERRORS, type ErrorName } from "@propgate/contract";
import type { ErrorClassName } from "./ccxt-module.ts";

/**
 * Every error of the public API and the class of ccxt that says the same. Those of ccxt's NetworkError
 * (InvalidNonce, RateLimitExceeded, ExchangeNotAvailable, RequestTimeout) pass by themselves or with a
 * fresh signature; the others do not. @rule S7.table
 */
export const ERROR_CLASSES: Readonly<Record<ErrorName, ErrorClassName>> = {
  notFound: "NotSupported",
  methodNotAllowed: "NotSupported",
  bodyTooLarge: "BadRequest",
  missingCredentials: "AuthenticationError",
  invalidTimestamp: "InvalidNonce",
  timestampInvalid: "InvalidNonce",
  invalidKey: "AuthenticationError",
  decryptFailed: "ExchangeNotAvailable",
  badSignature: "AuthenticationError",
  nonceUsed: "InvalidNonce",
  insufficientScope: "PermissionDenied",
  rateLimited: "RateLimitExceeded",
  tooManyFailedRequests: "RateLimitExceeded",
  malformedAccountId: "BadRequest",
  differentAccount: "PermissionDenied",
  accountNotFound: "AccountNotEnabled",
  invalidLimit: "BadRequest",
  invalidCursor: "BadRequest",
  invalidPairs: "BadSymbol",
  invalidNonce: "BadRequest",
  invalidBody: "InvalidOrder",
  missingSize: "InvalidOrder",
  accountNotReady: "AccountNotEnabled",
  orderRefused: "InvalidOrder",
  unknownFate: "RequestTimeout",
  networkDown: "ExchangeNotAvailable",
  notCarriedOut: "ExchangeNotAvailable",
  upstreamFailed: "ExchangeNotAvailable",
  snapshotUnavailable: "ExchangeNotAvailable",
  internal: "ExchangeNotAvailable",
};

/** Refusals of the trading network that have a class of their own; every other is an InvalidOrder. */
export const REFUSAL_CLASSES: readonly (readonly [RegExp, ErrorClassName])[] = [
  [/^The account is (eliminated|closed) and takes no orders$/, "AccountSuspended"],
  [/^'trade_pair' \S+ is (not a known pair|blocked|outside)/, "BadSymbol"],
  [/^The market for \S+ is closed$/, "MarketClosed"],
  [/^There is no (fresh quote|price yet)/, "OperationRejected"],
  [/^Orders on \S+ are cooling down/, "RateLimitExceeded"],
  [/^The account already has \d+ resting orders/, "OperationRejected"],
  [/^The account is moving to its pro account/, "OperationRejected"],
  [/^There is no room left for /, "InsufficientFunds"],
  [/^'order_uuid' \S+ is not (a resting order|an open position)$/, "OrderNotFound"],
];

/** An answer that was a failure: what the service said, and what that is called. */
export interface Refused {
  readonly status: number;
  /** The `error` string of the answer, word for word. */
  readonly error: string;
  /** Null: none of the contract's, such as one of a proxy in between. */
  readonly name: ErrorName | null;
}

/** Which row of the error table an answer is. `isOrder`: it answers POST orders. */
export function refusedWith(status: number, error: string, isOrder: boolean): Refused {
  const exact = ERROR_NAMES.find(
    (name) => ERRORS[name].status === status && ERRORS[name].text === error,
  );
  return { status, error, name: exact ?? wordedFreely(status, isOrder) };
}

/** Rows whose text is made for the occasion are known by their status alone. */
function wordedFreely(status: number, isOrder: boolean): ErrorName | null {
  if (status === 400 && isOrder) return "orderRefused";
  if (status === 502) return "upstreamFailed";
  return status === 503 ? "snapshotUnavailable" : null;
}

/** Null: ccxt's own table of HTTP statuses decides. */
export function errorClassOf({ status, error, name }: Refused): ErrorClassName | null {
  if (name === "orderRefused") {
    const row = REFUSAL_CLASSES.find(([pattern]) => pattern.test(error));
    return row?.[1] ?? ERROR_CLASSES.orderRefused;
  }
  if (name !== null) return ERROR_CLASSES[name];
  return status === 400 ? "BadRequest" : null;
}

/** Whether an order that was answered so may yet have been carried out. @rule D5.unknownFate */
export function leavesFateOpen({ status, name }: Refused): boolean {
  return status >= 500 && (name === null || !HAPPENED_NOT.has(name));
}

/** Faults that say of themselves that nothing was carried out. */
const HAPPENED_NOT: ReadonlySet<ErrorName> = new Set([
  "decryptFailed",
  "networkDown",
  "notCarriedOut",
] as const);
