import type { Exchange } from "ccxt";

/** The names of the ccxt error classes that this exchange uses. */
export const ERROR_CLASS_NAMES = [
  "AccountNotEnabled",
  "AccountSuspended",
  "ArgumentsRequired",
  "AuthenticationError",
  "BadRequest",
  "BadResponse",
  "BadSymbol",
  "BaseError",
  "DuplicateOrderId",
  "ExchangeClosedByUser",
  "ExchangeError",
  "ExchangeNotAvailable",
  "InsufficientFunds",
  "InvalidNonce",
  "InvalidOrder",
  "MarketClosed",
  "NetworkError",
  "NotSupported",
  "OperationRejected",
  "OrderNotFound",
  "PermissionDenied",
  "RateLimitExceeded",
  "RequestTimeout",
  "UnsubscribeError",
] as const;
export type ErrorClassName = (typeof ERROR_CLASS_NAMES)[number];

/** The class from which ccxt derives its exchanges. */
export type ExchangeClass = typeof Exchange;

type ErrorClass = new (message: string) => Error;

/** The parts of ccxt that this exchange uses, as `import ccxt from "ccxt"` gives them. */
export type CcxtModule = { readonly Exchange: ExchangeClass } & {
  readonly [Name in ErrorClassName]: ErrorClass;
};

/**
 * Throws a TypeError with the remedy when the argument is not ccxt. The module is an argument, because `import` and
 * `require` load different copies, and errors must be instances of the classes that the bot catches.
 */
export function checkCcxt(given: unknown): asserts given is CcxtModule {
  const names: readonly string[] = ["Exchange", ...ERROR_CLASS_NAMES];
  const missing = names.find((name) => typeof memberOf(given, name) !== "function");
  if (missing === undefined) return;
  throw new TypeError(
    `propgateIn needs the module ccxt, which has no '${missing}' here: npm install ccxt@4.5, import ccxt from "ccxt", propgateIn(ccxt)`,
  );
}

function memberOf(given: unknown, name: string): unknown {
  if ((typeof given !== "object" && typeof given !== "function") || given === null)
    return undefined;
  return Reflect.get(given, name);
}

/** The context of every call: an exchange, and the ccxt module of its class. */
export interface ExchangeContext {
  readonly ccxt: CcxtModule;
  readonly exchange: Exchange;
}

/** A ccxt error of this class. Its text begins with the exchange's id, as in ccxt. */
export function ccxtError(desk: ExchangeContext, name: ErrorClassName, text: string): Error {
  return new desk.ccxt[name](`${desk.exchange.id} ${text}`);
}
