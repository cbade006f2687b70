import {
  type Account,
  ENDPOINTS,
  type EndpointName,
  type OrderResult,
  type Payouts,
  type PendingOrder,
  type PositionItem,
  type TradeItem,
} from "@propgate/contract";
import { type Now, systemNow } from "./clock.ts";
import {
  RejectedError,
  UnexpectedAnswerError,
  UnknownFateError,
  UnreachableError,
} from "./errors.ts";
import type { OrderRequest } from "./order-request.ts";
import { type NewNonce, randomNonce } from "./random.ts";
import { DEFAULT_RETRY, type RetryPlan, withRetry } from "./retry.ts";
import { type Connection, send } from "./send.ts";

export interface ClientSettings {
  /** Where the service is, without a path: `https://trade.example.com`. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** The word in the header names; `Service` when absent. */
  readonly brand?: string;
  /** How long one request may take; 10 s when absent. */
  readonly timeoutMs?: number;
  /** How reads are repeated; `{ attempts: 1 }` repeats none. Orders never are. */
  readonly retry?: Partial<RetryPlan>;
  readonly now?: Now;
  readonly newNonce?: NewNonce;
  readonly fetch?: typeof globalThis.fetch;
}

export interface PayoutsQuery {
  /** Rows on a page, 1 to 200. */
  readonly limit?: number;
  /** `nextCursor` of the page before; absent for the first. */
  readonly cursor?: string;
}

/**
 * One method for each endpoint. Reads are repeated after a 429, 502 or 503, signed afresh;
 * `placeOrder` never is, whatever happens. @rule S4.endpoints S7.R2
 */
export interface Client {
  account(): Promise<Account>;
  positions(): Promise<readonly PositionItem[]>;
  pendingOrders(): Promise<readonly PendingOrder[]>;
  /** Newest first. */
  trades(): Promise<readonly TradeItem[]>;
  payouts(query?: PayoutsQuery): Promise<Payouts>;
  /** Throws UnknownFateError when nobody can say whether the order was accepted. */
  placeOrder(order: OrderRequest): Promise<OrderResult>;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** A client for one key; it keeps no state, so one serves a whole program. */
export function createClient(settings: ClientSettings): Client {
  const connection: Connection = {
    baseUrl: settings.baseUrl,
    keyId: settings.keyId,
    secret: settings.secret,
    brand: settings.brand,
    timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    now: settings.now ?? systemNow,
    newNonce: settings.newNonce ?? randomNonce,
    fetch: settings.fetch ?? globalThis.fetch,
  };
  const plan: RetryPlan = { ...DEFAULT_RETRY, ...settings.retry };
  const read = <Data>(endpoint: ReadName, query = ""): Promise<Data> =>
    withRetry(plan, () => {
      const target = ENDPOINTS[endpoint].path + query;
      return send<Data>(connection, { method: "GET", target });
    });
  return {
    account: () => read("getAccount"),
    positions: () => read("getPositions"),
    pendingOrders: () => read("getOrders"),
    trades: () => read("getTrades"),
    payouts: (query = {}) => read("getPayouts", queryString(query)),
    placeOrder: (order) => placeOnce(connection, order),
  };
}

type ReadName = Exclude<EndpointName, "placeOrder">;

/** @rule S4.2.notIdempotent */
async function placeOnce(connection: Connection, order: OrderRequest): Promise<OrderResult> {
  const { method, path: target } = ENDPOINTS.placeOrder;
  try {
    return await send<OrderResult>(connection, { method, target, body: JSON.stringify(order) });
  } catch (error) {
    if (error instanceof UnreachableError || error instanceof UnexpectedAnswerError) {
      throw new UnknownFateError(null, error);
    }
    if (error instanceof RejectedError && error.status >= 500) {
      throw new UnknownFateError(error.status, error);
    }
    throw error;
  }
}

function queryString(query: PayoutsQuery): string {
  const parameters = new URLSearchParams();
  if (query.limit !== undefined) parameters.set("limit", String(query.limit));
  if (query.cursor !== undefined) parameters.set("cursor", query.cursor);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
