import { PATH_PREFIX } from "./version.ts";
import type { Scope } from "./words.ts";

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 502 | 503;

export interface Endpoint {
  readonly method: "GET" | "POST";
  /** As it stands in the request line, without the query. */
  readonly path: string;
  readonly scope: Scope;
  /** Query parameters it knows; others are ignored. */
  readonly query: readonly string[];
  /** Every status but 200 that it may answer with, and no other. @rule S7.statuses */
  readonly errorStatuses: readonly ErrorStatus[];
  readonly summary: string;
}

const READ_ERRORS = [401, 403, 404, 409, 429, 500, 502, 503] as const;

/** The six endpoints of the public API. @rule S4.endpoints */
export const ENDPOINTS = {
  getAccount: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/account`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "The account: equity, evaluation, challenge, drawdown, performance",
  },
  getPositions: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/positions`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "Open positions",
  },
  getOrders: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/orders`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "Resting orders and bracket legs",
  },
  getTrades: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/trades`,
    scope: "trade:read",
    query: ["accountId"],
    errorStatuses: READ_ERRORS,
    summary: "Closed trades, newest first",
  },
  getPayouts: {
    method: "GET",
    path: `${PATH_PREFIX}/trading/payouts`,
    scope: "trade:read",
    query: ["accountId", "limit", "cursor"],
    errorStatuses: [400, ...READ_ERRORS],
    summary: "Closed payout cycles and the estimate for the cycle in progress",
  },
  placeOrder: {
    method: "POST",
    path: `${PATH_PREFIX}/trading/orders`,
    scope: "trade:place",
    query: [],
    errorStatuses: [400, 401, 403, 404, 409, 429, 500],
    summary: "Places, edits or cancels an order, or flattens positions",
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

export const ENDPOINT_NAMES = [
  "getAccount",
  "getPositions",
  "getOrders",
  "getTrades",
  "getPayouts",
  "placeOrder",
] as const satisfies readonly EndpointName[];

/** What a method and path (no query) lead to. `allow` are the methods that the path does have. */
export type RouteMatch =
  | { readonly kind: "endpoint"; readonly name: EndpointName }
  | { readonly kind: "wrongMethod"; readonly allow: readonly string[] }
  | { readonly kind: "unknownPath" };

/** @rule D2.routes */
export function matchEndpoint(method: string, path: string): RouteMatch {
  const here = ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].path === path);
  const name = here.find((one) => ENDPOINTS[one].method === method);
  if (name !== undefined) return { kind: "endpoint", name };
  if (here.length === 0) return { kind: "unknownPath" };
  return { kind: "wrongMethod", allow: here.map((one) => ENDPOINTS[one].method) };
}
