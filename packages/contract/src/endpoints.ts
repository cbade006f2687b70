import { canonicalId } from "./requests/order-id.ts";
import { PATH_PREFIX } from "./version.ts";
import type { Scope } from "./words.ts";

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 502 | 503;

/** A signed endpoint of the public API. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** The path without the query; `{nonce}` and `{orderUuid}` match one segment. */
  readonly path: string;
  readonly scope: Scope;
  /**
   * Query parameters that the endpoint reads; others are ignored. Every endpoint reads `accountId`, also one that does
   * not list it.
   */
  readonly query: readonly string[];
  /** Every status other than 200 that the endpoint may answer with. @rule S7.statuses decides */
  readonly errorStatuses: readonly ErrorStatus[];
  readonly summary: string;
  /** Why accounts at a validator do not have the endpoint; null when they have it. */
  readonly notAtValidators: string | null;
  /** Whether an account that is not set up yet has the endpoint. @rule D8.states */
  readonly beforeSetup: boolean;
}

const OWN_PRICES =
  "the account trades at the prices of its validator, which publishes none; this service's own prices are not those";

const READ_ERRORS = [401, 403, 404, 409, 429, 500, 502, 503] as const;

/** The error statuses of an order, which every other write has too. */
const WRITE_ERRORS = [400, 401, 403, 404, 409, 429, 500] as const;

export const ENDPOINT_NAMES = [
  "getAccount",
  "getPositions",
  "getOrders",
  "getTrades",
  "getPayouts",
  "placeOrder",
] as const;

export type EndpointName = (typeof ENDPOINT_NAMES)[number];

/**
 * The six endpoints of the specification, each with its method, path, scope, query parameters and error statuses.
 * @rule S4.endpoints decides
 */
export const ENDPOINTS = {
  getAccount: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/account`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "The account: equity, evaluation, challenge, drawdown, performance",
    notAtValidators: null,
    beforeSetup: false,
  },
  getPositions: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/positions`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "Open positions",
    notAtValidators: null,
    beforeSetup: false,
  },
  getOrders: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/orders`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "Pending orders and bracket legs",
    notAtValidators: null,
    beforeSetup: false,
  },
  getTrades: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/trades`,
    scope: "trade:read",
    query: ["accountId", "after", "limit"],
    // 400 is only for a wrong `after` or `limit`, the additive parameters.
    errorStatuses: [400, ...READ_ERRORS],
    summary: "Closed trades, newest first",
    notAtValidators: null,
    beforeSetup: false,
  },
  getPayouts: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/payouts`,
    scope: "trade:read",
    query: ["accountId", "limit", "cursor"],
    errorStatuses: [400, ...READ_ERRORS],
    summary: "Closed payout cycles and the estimate for the cycle in progress",
    notAtValidators: null,
    beforeSetup: true,
  },
  placeOrder: {
    method: "POST",
    path: `${PATH_PREFIX}/trading/orders`,
    scope: "trade:place",
    query: [],
    errorStatuses: WRITE_ERRORS,
    summary: "Places, edits or cancels an order, or flattens positions",
    notAtValidators: null,
    beforeSetup: true,
  },
} as const satisfies Record<EndpointName, Endpoint>;

export const ADDITIVE_ENDPOINT_NAMES = [
  "getInstruments",
  "getQuotes",
  "getCandles",
  "getReceipt",
  "getEvents",
  "getEventStream",
  "getOrder",
  "getOrderHistory",
  "getFills",
  "previewOrder",
  "cancelAllAfter",
] as const;

export type AdditiveEndpointName = (typeof ADDITIVE_ENDPOINT_NAMES)[number];

/** These endpoints need no trade history, so none of them has a 502. */
const ADDITIVE_ERRORS = [401, 403, 404, 409, 429, 500, 503] as const;

/**
 * The signed endpoints outside the specification. Receipts have a budget of their own; the preview and the other reads
 * use the read budget. @rule D9.additive D10.receiptBudget
 */
export const ADDITIVE_ENDPOINTS = {
  getInstruments: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/instruments`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: ADDITIVE_ERRORS,
    summary: "Every pair, the limits of its orders, and whether its market is open",
    notAtValidators: null,
    beforeSetup: false,
  },
  getQuotes: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/quotes`,
    scope: "trade:read",
    query: ["accountId", "pairs"],
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The newest quote of each pair",
    notAtValidators: OWN_PRICES,
    beforeSetup: false,
  },
  getCandles: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/candles`,
    scope: "trade:read",
    query: ["accountId", "tradePair", "interval", "after", "limit"],
    // The service stores candles itself: it answers while the trading network is down, but not without the database.
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The prices of a pair by minute, hour or day, oldest first",
    notAtValidators: OWN_PRICES,
    beforeSetup: false,
  },
  getReceipt: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/receipts/{nonce}`,
    scope: "trade:read",
    query: ["accountId"],
    // The service stores receipts itself: it answers while the trading network is down, but not without the database.
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The outcome of an earlier order request of this key, by its nonce",
    notAtValidators: null,
    beforeSetup: true,
  },
  getEvents: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/events`,
    scope: "trade:read",
    query: ["accountId", "after", "limit", "types", "wait", "proof"],
    // The service stores the journal itself: it answers while the trading network is down, but not without the
    // database.
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The account's events in order, each exactly once; can wait for the next event",
    notAtValidators: null,
    beforeSetup: false,
  },
  getEventStream: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/events/stream`,
    scope: "trade:read",
    query: ["accountId", "after", "types", "proof", "quotes", "every"],
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The events of the account as they happen, and quotes, as server-sent events",
    notAtValidators: null,
    beforeSetup: false,
  },
  getOrder: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/orders/{orderUuid}`,
    scope: "trade:read",
    query: ["accountId", "after"],
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "One order or leg of any status, with its fills, legs and events",
    notAtValidators: null,
    beforeSetup: false,
  },
  getOrderHistory: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/order-history`,
    scope: "trade:read",
    query: ["accountId", "after", "limit", "tradePair", "since"],
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "Orders and legs of any status, oldest first",
    notAtValidators: null,
    beforeSetup: false,
  },
  getFills: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/fills`,
    scope: "trade:read",
    query: ["accountId", "after", "limit", "tradePair", "since"],
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The fills of orders, oldest first",
    notAtValidators: null,
    beforeSetup: false,
  },
  previewOrder: {
    method: "POST",
    path: `${PATH_PREFIX}/trading/preview`,
    scope: "trade:read",
    query: [],
    errorStatuses: [400, ...ADDITIVE_ERRORS],
    summary: "The effect of an order, without placing it",
    notAtValidators:
      "the account's validator has no preview; an order's effect is known once it has answered",
    beforeSetup: true,
  },
  cancelAllAfter: {
    method: "POST",
    path: `${PATH_PREFIX}/trading/cancel-all-after`,
    scope: "trade:place",
    query: [],
    errorStatuses: WRITE_ERRORS,
    summary:
      "The dead man's switch: cancels all orders, and closes all positions if requested, unless renewed in time",
    notAtValidators:
      "the account's orders are at its validator, which has no dead man's switch; cancel or flatten in time instead",
    beforeSetup: true,
  },
} as const satisfies Record<AdditiveEndpointName, Endpoint>;

/**
 * Every signed endpoint: the six of the specification, then the additive ones. The gates take an endpoint from here, so
 * they check the additive ones like the six. @rule D9.additive decides
 */
export const SIGNED_ENDPOINTS = { ...ENDPOINTS, ...ADDITIVE_ENDPOINTS } as const;

export type SignedEndpointName = EndpointName | AdditiveEndpointName;

/** Every signed endpoint except the event stream, whose successful answer has no envelope. */
export type EnvelopedName = Exclude<SignedEndpointName, "getEventStream">;

export const SIGNED_ENDPOINT_NAMES = [
  ...ENDPOINT_NAMES,
  ...ADDITIVE_ENDPOINT_NAMES,
] as const satisfies readonly SignedEndpointName[];

export function isAdditive(name: SignedEndpointName): name is AdditiveEndpointName {
  return Object.hasOwn(ADDITIVE_ENDPOINTS, name);
}

/** True for the endpoints that change an account. Each of their requests has a receipt. @rule D9.receipts */
export function isWrite(name: SignedEndpointName): boolean {
  return name === "placeOrder" || name === "cancelAllAfter";
}

/** The result of `matchEndpoint`. `allow` lists the methods that the path has. */
export type RouteMatch =
  | { readonly kind: "endpoint"; readonly name: SignedEndpointName }
  | { readonly kind: "wrongMethod"; readonly allow: readonly string[] }
  | { readonly kind: "unknownPath" };

/**
 * Finds the signed endpoint of a method and a path without its query. An unknown path becomes a 404, a known path with
 * another method a 405 whose `Allow` is `allow`. @rule D2.routes decides
 */
export function matchEndpoint(method: string, path: string): RouteMatch {
  const samePath = SIGNED_ENDPOINT_NAMES.filter((name) =>
    matchesPattern(SIGNED_ENDPOINTS[name].path, path),
  );
  const name = samePath.find((one) => SIGNED_ENDPOINTS[one].method === method);
  if (name !== undefined) return { kind: "endpoint", name };
  if (samePath.length === 0) return { kind: "unknownPath" };
  return { kind: "wrongMethod", allow: samePath.map((one) => SIGNED_ENDPOINTS[one].method) };
}

const NONCE_PARAMETER = "{nonce}";
const RECEIPTS = ADDITIVE_ENDPOINTS.getReceipt.path.slice(0, -NONCE_PARAMETER.length);

const ORDER = ADDITIVE_ENDPOINTS.getOrder.path.slice(0, -"{orderUuid}".length);

/** The path of GET orders/{orderUuid}, as it is signed and sent. @rule D9.orderLife */
export function orderPath(orderUuid: string): string {
  return ORDER + encodeURIComponent(orderUuid);
}

/** The path of a nonce's receipt, as it is signed and sent, with escapes for characters that a path cannot contain. */
export function receiptPath(nonce: string): string {
  return RECEIPTS + encodeURIComponent(nonce);
}

/**
 * The nonce in a receipt's path, without escapes; null when the path is not a receipt's or an escape in it is invalid.
 */
export function receiptNonce(path: string): string | null {
  return parameterOf("getReceipt", path);
}

/**
 * The ids that the path of GET orders/{orderUuid} may mean: its id in the form of the service, and as it was sent, the
 * form of a validator. Empty for any other path, and when an escape in the path is invalid. @rule D12.idCase
 */
export function orderIdsOfPath(path: string): ReadonlySet<string> {
  const id = parameterOf("getOrder", path);
  return new Set(id === null ? [] : [canonicalId(id), id]);
}

function parameterOf(endpoint: "getReceipt" | "getOrder", path: string): string | null {
  const pattern = ADDITIVE_ENDPOINTS[endpoint].path;
  if (!matchesPattern(pattern, path)) return null;
  try {
    return decodeURIComponent(path.slice(pattern.indexOf("{")));
  } catch {
    return null;
  }
}

/** True when a path matches the pattern of an endpoint. A parameter is always the last segment, and never empty. */
function matchesPattern(pattern: string, path: string): boolean {
  const start = pattern.indexOf("{");
  if (start < 0) return pattern === path;
  return path.startsWith(pattern.slice(0, start)) && /^[^/]+$/.test(path.slice(start));
}
