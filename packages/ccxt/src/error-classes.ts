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
 * Every error of the public API with the equivalent ccxt class. Subclasses of ccxt's NetworkError
 * (InvalidNonce, RateLimitExceeded, ExchangeNotAvailable, RequestTimeout) are temporary or need a new
 * signature; the others do not. @rule S7.table
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

/** The class of each refusal of the trading network, by its code. @rule D10.refusalCodes */
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

/** A failed answer: the service's text and its name in the contract. */
export interface Refused {
  readonly status: number;
  /** The `error` string of the answer, word for word. */
  readonly error: string;
  /** Null for an error outside the contract, such as a proxy's. */
  readonly name: ErrorName | null;
  /** Why the trading network refused the order; null for any other failure. */
  readonly refusalCode: RefusalCode | null;
}

/** A failed answer; `isOrder`: it answers POST orders. */
export interface FailedAnswer {
  readonly status: number;
  readonly error: string;
  readonly isOrder: boolean;
  /** The value of the header or of the receipt. */
  readonly refusalCode: unknown;
}

/** Finds the row of the error table and the refusal code of an answer. */
export function refusedWith({ status, error, isOrder, refusalCode }: FailedAnswer): Refused {
  const exact = ERROR_NAMES.find(
    (name) => ERRORS[name].status === status && ERRORS[name].text === error,
  );
  const name = exact ?? nameWithoutText({ status, error, isOrder });
  return { status, error, name, refusalCode: isRefusalCode(refusalCode) ? refusalCode : null };
}

/** Finds rows without a fixed text: by the status alone, except for a 404. */
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

/** Null when ccxt's own table of HTTP statuses decides. */
export function errorClassOf({ status, name, refusalCode }: Refused): ErrorClassName | null {
  if (refusalCode !== null) return REFUSAL_CLASSES[refusalCode];
  if (name !== null) return ERROR_CLASSES[name];
  return status === 400 ? "BadRequest" : null;
}

/**
 * True when an order with this answer may have been carried out. @rule D5.unknownFate
 */
export function leavesFateOpen({ status, name }: Pick<Refused, "status" | "name">): boolean {
  return status >= 500 && (name === null || !NOT_CARRIED_OUT.has(name));
}

/** Faults after which the order was certainly not carried out. */
const NOT_CARRIED_OUT: ReadonlySet<ErrorName> = new Set([
  "decryptFailed",
  "networkDown",
  "notCarriedOut",
  "ownerChanging",
] as const);
