import type { Exchange } from "ccxt";

/** The error classes of ccxt that this exchange throws, by their names there. */
export const ERROR_CLASS_NAMES = [
  "AccountNotEnabled",
  "AccountSuspended",
  "ArgumentsRequired",
  "AuthenticationError",
  "BadRequest",
  "BadResponse",
  "BadSymbol",
  "DuplicateOrderId",
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
] as const;
export type ErrorClassName = (typeof ERROR_CLASS_NAMES)[number];

export type ExchangeClass = typeof Exchange;

type ErrorClass = new (message: string) => Error;

/** What is used of ccxt: the module itself, as `import ccxt from "ccxt"` gives it. */
export type CcxtModule = { readonly Exchange: ExchangeClass } & {
  readonly [Name in ErrorClassName]: ErrorClass;
};

/**
 * Says what to install or pass when this is not ccxt. The module is an argument, so that the errors
 * thrown are instances of the classes that the bot catches: `import` and `require` have a copy each.
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

/** One exchange and the ccxt it was made with: what every function here needs. */
export interface Desk {
  readonly ccxt: CcxtModule;
  readonly exchange: Exchange;
}

/** An error of ccxt's, in its way of wording: the exchange's id first. */
export function ccxtError(desk: Desk, name: ErrorClassName, text: string): Error {
  return new desk.ccxt[name](`${desk.exchange.id} ${text}`);
}
