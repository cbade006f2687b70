import {
  ERROR_NAMES,
  ERRORS,
  type ErrorName,
  errorNameOf,
  isRefusalCode,
  type RefusalCode,
} from "@propgate/contract";
import type { ErrorClassName } from "./ccxt-module.ts";

/**
 * The ccxt class of every error of the public API. The subclasses of ccxt's NetworkError (InvalidNonce,
 * RateLimitExceeded, ExchangeNotAvailable, RequestTimeout) are for errors that pass by themselves or need a new
 * signature. @rule S7.table
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
  tooManyReceipts: "RateLimitExceeded",
  tooManyFailedRequests: "RateLimitExceeded",
  malformedAccountId: "BadRequest",
  differentAccount: "PermissionDenied",
  accountNotFound: "AccountNotEnabled",
  notOffered: "NotSupported",
  invalidLimit: "BadRequest",
  invalidCursor: "BadRequest",
  invalidPairs: "BadSymbol",
  invalidCandles: "BadRequest",
  invalidEvents: "BadRequest",
  tooManyStreams: "RateLimitExceeded",
  invalidHistory: "BadRequest",
  invalidTrades: "BadRequest",
  orderNotFound: "OrderNotFound",
  invalidNonce: "BadRequest",
  invalidBody: "InvalidOrder",
  missingSize: "InvalidOrder",
  accountNotReady: "AccountNotEnabled",
  orderRefused: "InvalidOrder",
  unknownFate: "RequestTimeout",
  networkDown: "ExchangeNotAvailable",
  notCarriedOut: "ExchangeNotAvailable",
  ownerChanging: "ExchangeNotAvailable",
  upstreamFailed: "ExchangeNotAvailable",
  snapshotUnavailable: "ExchangeNotAvailable",
  internal: "ExchangeNotAvailable",
};

/** The ccxt class of each refusal of the trading network, by its code. @rule D10.refusalCodes */
export const REFUSAL_CLASSES: Readonly<Record<RefusalCode, ErrorClassName>> = {
  accountNotReady: "AccountNotEnabled",
  eliminated: "AccountSuspended",
  accountClosed: "AccountSuspended",
  unknownPair: "BadSymbol",
  blockedPair: "BadSymbol",
  pairOutsideClass: "BadSymbol",
  marketClosed: "MarketClosed",
  staleQuote: "OperationRejected",
  noConversionRate: "OperationRejected",
  cooldown: "RateLimitExceeded",
  tooManyRestingOrders: "OperationRejected",
  priceOffTick: "InvalidOrder",
  proTransition: "OperationRejected",
  noRoom: "InsufficientFunds",
  sizeTooSmall: "InvalidOrder",
  positionTooSmall: "InvalidOrder",
  wrongSide: "InvalidOrder",
  wouldTrigger: "InvalidOrder",
  trailingDistance: "InvalidOrder",
  amountTooLarge: "InvalidOrder",
  legsOnReducing: "InvalidOrder",
  nothingToReduce: "InvalidOrder",
  noPosition: "InvalidOrder",
  nothingClosed: "InvalidOrder",
  unknownOrder: "OrderNotFound",
  unknownPosition: "OrderNotFound",
  pairMismatch: "InvalidOrder",
  kindMismatch: "InvalidOrder",
  directionMismatch: "InvalidOrder",
};

/** A failed answer after its row of the error table was found. */
export interface ClassifiedFailure {
  readonly status: number;
  /** The `error` string of the answer, word for word. */
  readonly error: string;
  /** The name of the row; null for an error outside the table, such as a proxy's. */
  readonly name: ErrorName | null;
  /** The code with which the trading network refused the order; null for any other failure. */
  readonly refusalCode: RefusalCode | null;
}

/** A failed answer. `isOrder` is true for an answer to POST orders. */
export interface FailedAnswer {
  readonly status: number;
  readonly error: string;
  readonly isOrder: boolean;
  /** The refusal code of the header or of the receipt, unchecked. */
  readonly refusalCode: unknown;
}

/** A failed answer with its row of the error table and its refusal code. */
export function classifyFailure({
  status,
  error,
  isOrder,
  refusalCode,
}: FailedAnswer): ClassifiedFailure {
  const exact = ERROR_NAMES.find(
    (name) => ERRORS[name].status === status && ERRORS[name].text === error,
  );
  const name = exact ?? nameWithoutText({ status, error, isOrder });
  return { status, error, name, refusalCode: isRefusalCode(refusalCode) ? refusalCode : null };
}

/**
 * The name of an error whose text is not fixed, found by the status, and for a 404 by the text too. Null when no row of
 * the error table fits, as for a 400 that does not answer an order.
 */
function nameWithoutText({
  status,
  error,
  isOrder,
}: Omit<FailedAnswer, "refusalCode">): ErrorName | null {
  if (status === 400 && isOrder) return "orderRefused";
  if (status === 404) return errorNameOf(status, error);
  if (status === 502) return "upstreamFailed";
  return status === 503 ? "snapshotUnavailable" : null;
}

/** The class for a failed answer. Null when ccxt's own table of HTTP statuses decides. */
export function errorClassOf({
  status,
  name,
  refusalCode,
}: ClassifiedFailure): ErrorClassName | null {
  if (refusalCode !== null) return REFUSAL_CLASSES[refusalCode];
  if (name !== null) return ERROR_CLASSES[name];
  return status === 400 ? "BadRequest" : null;
}

/** True when an order with this answer may still have been carried out. @rule D5.unknownFate */
export function leavesFateOpen({
  status,
  name,
}: Pick<ClassifiedFailure, "status" | "name">): boolean {
  return status >= 500 && (name === null || !NOT_CARRIED_OUT.has(name));
}

/** Errors of status 500 or above after which the order was certainly not carried out. */
const NOT_CARRIED_OUT: ReadonlySet<ErrorName> = new Set([
  "decryptFailed",
  "networkDown",
  "notCarriedOut",
  "ownerChanging",
] as const);
