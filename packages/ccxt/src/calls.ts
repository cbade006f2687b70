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
  problemOf,
  QUOTE,
  RECEIPT,
  type Schema,
  SERVICE_TIME,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
  SWITCH_RESULT,
  TRADE,
} from "@propgate/contract";
import { ccxtError, type Desk } from "./ccxt-module.ts";

/** One call of the API: its place in ccxt's tree of calls, its cost and the schema of its `data`. */
export interface Call<Data> {
  readonly api: "private" | "public";
  readonly method: "GET" | "POST";
  /** The path below the API's prefix. `{nonce}` and `{orderUuid}` are filled in from the parameters. */
  readonly path: string;
  /**
   * The cost in the read budget: 1 for each read, 0 for receipts, for orders and for calls without a signature.
   * @rule S8.read D10.receiptBudget
   */
  readonly cost: number;
  readonly data: Schema<Data>;
}

const listOf = <Item>(item: Schema<Item>): Schema<readonly Item[]> => ({
  json: { type: "array", items: item.json },
});

const below = (path: string): string => path.slice(PATH_PREFIX.length + 1);

const read = <Data>(
  endpoint: Exclude<SignedEndpointName, "placeOrder" | "cancelAllAfter">,
  data: Schema<Data>,
) =>
  ({
    api: "private",
    method: "GET",
    path: below(SIGNED_ENDPOINTS[endpoint].path),
    cost: 1,
    data,
  }) satisfies Call<Data>;

/** The calls of the API that this exchange makes. */
export const CALLS = {
  account: read("getAccount", linked(ACCOUNT)),
  positions: read("getPositions", listOf(linked(POSITION))),
  orders: read("getOrders", listOf(PENDING_ORDER)),
  trades: read("getTrades", listOf(linked(TRADE))),
  instruments: read("getInstruments", listOf(linked(INSTRUMENT))),
  quotes: read("getQuotes", listOf(QUOTE)),
  candles: read("getCandles", listOf(CANDLE)),
  receipt: { ...read("getReceipt", RECEIPT), cost: 0 },
  order: read("getOrder", linked(ORDER_LIFE)),
  orderHistory: read("getOrderHistory", linked(ORDER_HISTORY)),
  fills: read("getFills", linked(FILLS)),
  time: { api: "public", method: "GET", path: "time", cost: 0, data: SERVICE_TIME },
  placeOrder: {
    api: "private",
    method: "POST",
    path: below(SIGNED_ENDPOINTS.placeOrder.path),
    cost: 0,
    data: ORDER_RESULT,
  },
  cancelAllAfter: {
    api: "private",
    method: "POST",
    path: below(SIGNED_ENDPOINTS.cancelAllAfter.path),
    cost: 0,
    data: SWITCH_RESULT,
  },
} as const satisfies Record<string, Call<unknown>>;

/** The call that reads `target`, the whole path of an endpoint or of a receipt. */
export function readOf(target: string): Call<unknown> {
  const path = below(target);
  return Object.values(CALLS).find((call) => call.path === path) ?? { ...CALLS.receipt, path };
}

/** The path of the service's health, which is not below the API's prefix. */
export const HEALTH_PATH = "/health";

/** The settings of ccxt's throttle for the read budget: as many reads in any window as the contract allows. */
export const RATE = {
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
export async function ask<Data>(
  desk: Desk,
  call: Call<Data>,
  input: CallInput = {},
): Promise<Data> {
  return (await askPage(desk, call, input)).data;
}

/** The same as `ask`, with `next`, which some answers have beside `data`. */
export async function askPage<Data>(
  desk: Desk,
  call: Call<Data>,
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
  const problem = problemOf(call.data.json, data, "data") ?? "data has another shape";
  throw ccxtError(desk, "BadResponse", `${method} ${path}: ${problem}`);
}
