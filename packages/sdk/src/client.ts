import {
  type Account,
  ADDITIVE_ENDPOINTS,
  DEFAULT_BRAND,
  ENDPOINTS,
  type InstrumentItem,
  type Payouts,
  type PendingOrder,
  type PositionItem,
  type Preview,
  type QuoteItem,
  type Receipt,
  receiptPath,
  type ServiceTime,
  TIME_PATH,
  type TradeItem,
} from "@propgate/contract";
import { type Now, serviceClock, systemNow } from "./clock.ts";
import { type Health, readHealth } from "./health.ts";
import type { OrderOutcome } from "./orders/order-outcome.ts";
import type { OrderRequest } from "./orders/order-request.ts";
import { DEFAULT_SETTLING, placeOrder } from "./orders/place-order.ts";
import { settleOrder } from "./orders/settle-order.ts";
import { type NewNonce, randomNonce } from "./random.ts";
import { sendRead } from "./read.ts";
import { DEFAULT_RETRY, type RetryPlan, withRetry } from "./retry.ts";
import { ask, type Connection, dataOf } from "./send.ts";

export interface ClientSettings {
  /** Where the service is, without a path: `https://trade.example.com`. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** The word in the header names; `Service` when absent. */
  readonly brand?: string;
  /** How long one request may take; 10 s when absent. */
  readonly timeoutMs?: number;
  /**
   * Throws InvalidOrderError before an order is sent that holds a field nothing reads or that the
   * service would refuse, and MissingLegError when a stop or target was not attached. Off when absent.
   */
  readonly strict?: boolean;
  /** How reads are repeated; `{ attempts: 1 }` repeats none. Orders never are. */
  readonly retry?: Partial<RetryPlan>;
  /** How the fate of an order is asked for whose answer was lost; about twenty seconds when absent. */
  readonly settling?: Partial<RetryPlan>;
  readonly now?: Now;
  /** Nonces of an alphabet that a path can hold. */
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
 * One method for each endpoint. Reads throw RejectedError, UnreachableError or UnexpectedAnswerError,
 * each with a `code`; they are repeated after a 429, 502 or 503 and after no answer, signed afresh.
 * What the service adds to an answer is kept, so a newer service serves an older client.
 * @rule S4.endpoints S7.R2 S9.additive
 */
export interface Client {
  account(): Promise<Account>;
  positions(): Promise<readonly PositionItem[]>;
  pendingOrders(): Promise<readonly PendingOrder[]>;
  /** Newest first. */
  trades(): Promise<readonly TradeItem[]>;
  payouts(query?: PayoutsQuery): Promise<Payouts>;
  /**
   * Sends the order once, whatever happens, and resolves with what became of it: `accepted`,
   * `rejected` or, when nobody could say in time, `unknown`. Nothing the service or the network does
   * makes it throw; with `strict`, what is wrong with the order or its legs does.
   */
  placeOrder(order: OrderRequest): Promise<OrderOutcome>;
  /**
   * Asks once more what became of an order, by its nonce, as after `unknown` or when the program was
   * started again. One that has not arrived yet is withdrawn, so that it cannot arrive any more.
   */
  settle(nonce: string): Promise<OrderOutcome>;
  /** What the order would do at the quotes of now; nothing is placed. */
  preview(order: OrderRequest): Promise<Preview>;
  /** What became of the order with this nonce; `unseen` may still be on its way: see `settle`. */
  receipt(nonce: string): Promise<Receipt>;
  instruments(): Promise<readonly InstrumentItem[]>;
  /** Of these pairs, of all when absent; pairs without a quote are not listed. */
  quotes(pairs?: readonly string[]): Promise<readonly QuoteItem[]>;
  /** The service's clock; not signed. */
  time(): Promise<ServiceTime>;
  /** Whether the service is well, a service that is not included; not signed. */
  health(): Promise<Health>;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** A client for one key. It keeps nothing but the distance of the two clocks: one serves a program. */
export function createClient(settings: ClientSettings): Client {
  const connection: Connection = {
    baseUrl: settings.baseUrl,
    keyId: settings.keyId,
    secret: settings.secret,
    brand: settings.brand ?? DEFAULT_BRAND,
    timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    clock: serviceClock(settings.now ?? systemNow),
    newNonce: settings.newNonce ?? randomNonce,
    fetch: settings.fetch ?? globalThis.fetch,
  };
  const plan: RetryPlan = { ...DEFAULT_RETRY, ...settings.retry };
  const placing = {
    connection,
    plan: { ...DEFAULT_RETRY, ...DEFAULT_SETTLING, ...settings.settling },
    isStrict: settings.strict ?? false,
  };
  const read = <Data>(target: string): Promise<Data> =>
    withRetry(plan, () => sendRead<Data>(connection, { method: "GET", target }));
  return {
    account: () => read(ENDPOINTS.getAccount.path),
    positions: () => read(ENDPOINTS.getPositions.path),
    pendingOrders: () => read(ENDPOINTS.getOrders.path),
    trades: () => read(ENDPOINTS.getTrades.path),
    payouts: (query = {}) => read(ENDPOINTS.getPayouts.path + queryString(query)),
    placeOrder: (order) => placeOrder(placing, order),
    settle: (nonce) => settleOrder({ connection, plan: placing.plan, nonce, sent: null }),
    preview(order) {
      const outgoing = {
        method: "POST",
        target: ADDITIVE_ENDPOINTS.previewOrder.path,
        body: JSON.stringify(order),
      } as const;
      return withRetry(plan, () => sendRead<Preview>(connection, outgoing));
    },
    receipt: (nonce) => read(receiptPath(nonce)),
    instruments: () => read(ADDITIVE_ENDPOINTS.getInstruments.path),
    quotes: (pairs) => {
      const query = pairs === undefined ? "" : `?pairs=${encodeURIComponent(pairs.join(","))}`;
      return read(ADDITIVE_ENDPOINTS.getQuotes.path + query);
    },
    time: () =>
      withRetry(plan, async () => {
        const answer = await ask(connection, TIME_PATH);
        return dataOf(answer) as ServiceTime;
      }),
    health: () => withRetry(plan, () => readHealth(connection)),
  };
}

function queryString(query: PayoutsQuery): string {
  const parameters = new URLSearchParams();
  if (query.limit !== undefined) parameters.set("limit", String(query.limit));
  if (query.cursor !== undefined) parameters.set("cursor", query.cursor);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
