import {
  ACCOUNT,
  CANDLE,
  conforms,
  FILLS,
  INSTRUMENT,
  isRecord,
  LIMITS,
  linked,
  ORDER_HISTORY,
  ORDER_LIFE,
  ORDER_RESULT,
  PATH_PREFIX,
  PENDING_ORDER,
  POSITION,
  QUOTE,
  RECEIPT,
  type Schema,
  SERVICE_TIME,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
  SWITCH_RESULT,
  schemaProblemOf,
  TRADE,
} from "@propgate/contract";
import { ccxtError, type ExchangeContext } from "./ccxt-module.ts";

/** One call of the API: its branch of ccxt's tree of calls, its cost and the schema of its `data`. */
export interface ApiCall<Data> {
  readonly api: "private" | "public";
  readonly method: "GET" | "POST";
  /** The path below the API's prefix. `{nonce}` and `{orderUuid}` are filled in from the parameters. */
  readonly path: string;
  /**
   * The cost in the read budget: 1 for each read, 0 for receipts, for orders, for the dead man's switch and for calls
   * without a signature. @rule S8.read D10.receiptBudget
   */
  readonly cost: number;
  readonly data: Schema<Data>;
}

const listOf = <Item>(item: Schema<Item>): Schema<readonly Item[]> => ({
  json: { type: "array", items: item.json },
});

const pathBelowPrefix = (path: string): string => path.slice(PATH_PREFIX.length + 1);

const readCall = <Data>(
  endpoint: Exclude<SignedEndpointName, "placeOrder" | "cancelAllAfter">,
  data: Schema<Data>,
) =>
  ({
    api: "private",
    method: "GET",
    path: pathBelowPrefix(SIGNED_ENDPOINTS[endpoint].path),
    cost: 1,
    data,
  }) satisfies ApiCall<Data>;

/** The calls of the API that this exchange makes. */
export const API_CALLS = {
  account: readCall("getAccount", linked(ACCOUNT)),
  positions: readCall("getPositions", listOf(linked(POSITION))),
  orders: readCall("getOrders", listOf(PENDING_ORDER)),
  trades: readCall("getTrades", listOf(linked(TRADE))),
  instruments: readCall("getInstruments", listOf(linked(INSTRUMENT))),
  quotes: readCall("getQuotes", listOf(QUOTE)),
  candles: readCall("getCandles", listOf(CANDLE)),
  receipt: { ...readCall("getReceipt", RECEIPT), cost: 0 },
  order: readCall("getOrder", linked(ORDER_LIFE)),
  orderHistory: readCall("getOrderHistory", linked(ORDER_HISTORY)),
  fills: readCall("getFills", linked(FILLS)),
  time: { api: "public", method: "GET", path: "time", cost: 0, data: SERVICE_TIME },
  placeOrder: {
    api: "private",
    method: "POST",
    path: pathBelowPrefix(SIGNED_ENDPOINTS.placeOrder.path),
    cost: 0,
    data: ORDER_RESULT,
  },
  cancelAllAfter: {
    api: "private",
    method: "POST",
    path: pathBelowPrefix(SIGNED_ENDPOINTS.cancelAllAfter.path),
    cost: 0,
    data: SWITCH_RESULT,
  },
} as const satisfies Record<string, ApiCall<unknown>>;

/** The call that reads `target`, the whole path of an endpoint or of a receipt. */
export function callForTarget(target: string): ApiCall<unknown> {
  const path = pathBelowPrefix(target);
  return (
    Object.values(API_CALLS).find((call) => call.path === path) ?? { ...API_CALLS.receipt, path }
  );
}

/** The path of the service's health, which is not below the API's prefix. */
export const HEALTH_PATH = "/health";

/** The settings of ccxt's throttle for the read budget: as many reads in any window as the contract allows. */
export const THROTTLE_SETTINGS = {
  rateLimit: LIMITS.readWindowMs / LIMITS.readBudgetPerWindow,
  rateLimiterAlgorithm: "rollingWindow",
  rollingWindowSize: LIMITS.readWindowMs,
} as const;

/** The parameters and extra headers of one call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Extra headers, such as the nonce of an order. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends one request through ccxt's own `request`, and returns its `data` after a check against the contract. Throws the
 * error that `handleErrors` makes of a rejection, ccxt's errors of the transport, or BadResponse.
 */
export async function callApi<Data>(
  desk: ExchangeContext,
  call: ApiCall<Data>,
  input: CallInput = {},
): Promise<Data> {
  return (await callApiPage(desk, call, input)).data;
}

/** Sends one request as `callApi` does, and returns `next` too, which some answers have beside `data`. */
export async function callApiPage<Data>(
  desk: ExchangeContext,
  call: ApiCall<Data>,
  input: CallInput = {},
): Promise<{ readonly data: Data; readonly next: unknown }> {
  const { path, api, method, cost } = call;
  const answer: unknown = await desk.exchange.request(
    path,
    api,
    method,
    input.params ?? {},
    input.headers,
    undefined,
    { cost },
  );
  const isSuccess = isRecord(answer) && answer.success === true;
  const { data, next }: Readonly<Record<string, unknown>> = isSuccess ? answer : {};
  if (conforms(call.data, data)) return { data, next };
  const problem = schemaProblemOf(call.data.json, data, "data") ?? "data has another shape";
  throw ccxtError(desk, "BadResponse", `${method} ${path}: ${problem}`);
}

/** The error of a page that names itself as the next one, because a client would read that page without end. */
export function repeatedPageError(desk: ExchangeContext, next: unknown): Error {
  return ccxtError(
    desk,
    "BadResponse",
    `the page after ${String(next)} names itself as the next one`,
  );
}
