import {
  ADDITIVE_ENDPOINTS,
  type CandleInterval,
  ENDPOINTS,
  type EventType,
  LIMITS,
  type Linked,
  orderPath,
  receiptPath,
  type SwitchActionWord,
  TIME_PATH,
} from "@propgate/contract";
import {
  type ClientSettings,
  connectionOf,
  readTimeout,
  settleTimeoutOf,
} from "./client-settings.ts";
import { withDeadline } from "./deadline.ts";
import type {
  Account,
  CandleItem,
  EventsPage,
  Fills,
  InstrumentItem,
  OrderHistory,
  OrderLife,
  Payouts,
  PendingOrder,
  PositionItem,
  Preview,
  QuoteItem,
  Receipt,
  ServiceTime,
  SwitchResult,
  TradeItem,
} from "./described/described-types.ts";
import {
  type EventStream,
  type EventStreamOptions,
  type EventStreamQuery,
  eventStream,
} from "./events/event-stream.ts";
import { type Health, readHealth } from "./health.ts";
import { createFatePort } from "./orders/fate-port.ts";
import { orderBody } from "./orders/order-body.ts";
import type { OrderOutcome } from "./orders/order-outcome.ts";
import type { OnProgress } from "./orders/order-progress.ts";
import type { OrderRequest } from "./orders/order-request.ts";
import { placeOrder } from "./orders/place-order.ts";
import { DEFAULT_SETTLING, type PlacementContext } from "./orders/placement-context.ts";
import { settleOrder } from "./orders/settle-order.ts";
import { queryString } from "./query-string.ts";
import { sendRead } from "./read.ts";
import { DEFAULT_RETRY, type RetryPlan, withRetry } from "./retry.ts";
import { type Connection, dataOf, pageOf, sendUnsigned } from "./send.ts";

/** The values that a caller may set for a single call: a signal that aborts it, and a time limit. */
export interface CallOptions {
  /**
   * Aborts the call. A read then throws AbortedError. A call that places or settles an order resolves with the order's
   * nonce.
   */
  readonly signal?: AbortSignal;
  /** The time limit of each request of this call in milliseconds; the client's `timeoutMs` when absent. */
  readonly timeoutMs?: number;
}

/** Options of a call that places or settles an order. */
export interface OrderCallOptions extends CallOptions {
  /** The time limit of the whole call in milliseconds; the client's `settleTimeoutMs` when absent. */
  readonly settleTimeoutMs?: number;
  /**
   * Called before each step of placing or settling the order, and awaited before the order is sent. The first call has
   * the nonce of the order.
   */
  readonly onProgress?: OnProgress;
}

/** Options of a call that reads the life of one order. */
export interface LifeOptions extends CallOptions {
  /** Only events after this cursor: `next` of the previous page, or an event's cursor. All events when absent. */
  readonly after?: string;
}

/** Options of a call that arms or ends the dead man's switch. */
export interface SwitchOptions extends CallOptions {
  /** The action at the deadline; `cancel` when absent. */
  readonly action?: SwitchActionWord;
}

/** Selects the page of closed trades that `tradesPage` reads. */
export interface TradesQuery {
  /** `next` of the previous page; the newest trades when absent. */
  readonly after?: string;
  /** Trades on a page, 1 to 500; 100 when absent. */
  readonly limit?: number;
}

/** Trades, newest first. A page may have fewer trades than its limit; only `next` shows whether more follow. */
export interface TradesPage<Unsent extends Linked = never> {
  readonly items: readonly TradeItem<Unsent>[];
  /** The `after` of the next older page; null on the last one. */
  readonly next: string | null;
}

/** Candles, oldest first. A page may have fewer candles than its limit; only `next` shows whether more follow. */
export interface CandlesPage {
  readonly items: readonly CandleItem[];
  /** The `after` of the next page; null when no candle follows, as after the newest ones. */
  readonly next: number | null;
}

/** Selects the page of closed payout cycles that `payouts` reads. */
export interface PayoutsQuery {
  /** Cycles on a page, 1 to 200; 50 when absent. */
  readonly limit?: number;
  /** `nextCursor` of the previous page; the first page when absent. */
  readonly cursor?: string;
}

/** Selects the candles that `candles` and `candlesPage` read: one pair, one interval, and where they begin. */
export interface CandlesQuery {
  /** One pair in any spelling, such as `BTC/USD`. */
  readonly tradePair: string;
  readonly interval: CandleInterval;
  /**
   * Only candles that start later than this, Unix milliseconds: 0 begins with the first candle, and `next` of a page
   * continues after it. The newest candles when absent.
   */
  readonly after?: number;
  /** Candles on a page, 1 to 1000; 200 when absent. */
  readonly limit?: number;
}

/** Selects the events that `eventsPage` reads: after which position, how many, and of which types. */
export interface EventsQuery {
  /**
   * Only events after this position: `next` of the previous page, the `cursor` of an event, or a sequence. From the
   * first event when absent.
   */
  readonly after?: string | number;
  /** Events on a page, 1 to 500; 100 when absent. */
  readonly limit?: number;
  /** Only these types; all when absent. */
  readonly types?: readonly EventType[];
  /** Seconds to wait, up to 25, when there is no event yet; no wait when absent. */
  readonly wait?: number;
  /** When true, each event has the line of the journal and its hash; not with `types`. */
  readonly proof?: boolean;
}

/** Selects the past orders or fills that `orderHistory` and `fills` read. */
export interface HistoryQuery {
  /** Only orders or fills after this position: `next` of the previous page, a cursor, or a sequence. */
  readonly after?: string | number;
  /** Items on a page, 1 to 500; 100 when absent. */
  readonly limit?: number;
  /** One pair in any spelling; all pairs when absent. */
  readonly tradePair?: string;
  /** Only orders or fills from this time on, Unix milliseconds. */
  readonly since?: number;
}

/**
 * One method for each endpoint. Reads throw RejectedError, UnreachableError, UnexpectedAnswerError or AbortedError,
 * each with a `code`. They are repeated after a 429, 502, 503 or 504, after no answer, and after a 409 of their nonce,
 * with a new signature. Unknown fields and words of a newer service are kept. `Client<Linked>` is for an account that
 * may be linked to a validator: a figure that the validator did not send is null.
 * @rule S4.endpoints S7.R2 S9.additive D13.types
 */
export interface Client<Unsent extends Linked = never> {
  /** Equity, evaluation, challenge progress, drawdown and performance at this moment. */
  account(options?: CallOptions): Promise<Account<Unsent>>;
  /** Open positions. */
  positions(options?: CallOptions): Promise<readonly PositionItem<Unsent>[]>;
  /** Pending orders, and the legs of positions. */
  pendingOrders(options?: CallOptions): Promise<readonly PendingOrder[]>;
  /** All closed trades, newest first. */
  trades(options?: CallOptions): Promise<readonly TradeItem<Unsent>[]>;
  /** One page of closed trades, newest first. */
  tradesPage(query?: TradesQuery, options?: CallOptions): Promise<TradesPage<Unsent>>;
  /** One page of closed payout cycles, newest first, and the estimate of the cycle in progress. */
  payouts(query?: PayoutsQuery, options?: CallOptions): Promise<Payouts<Unsent>>;
  /**
   * Sends the order once and resolves with its fate: `accepted`, `rejected`, or `unknown` when no clear answer came in
   * time. It does not throw for failures of the service or the network, nor for an aborted signal. A number that is not
   * finite throws InvalidOrderError. With `strict`, any other invalid order and a missing leg throw too.
   * @rule D10.settleDeadline
   */
  placeOrder(order: OrderRequest, options?: OrderCallOptions): Promise<OrderOutcome>;
  /**
   * Finds out the fate of an earlier order by its nonce alone, for instance after `unknown` or after a restart of the
   * program. An order that has not arrived yet is withdrawn, so that it can never be accepted.
   */
  settle(nonce: string, options?: OrderCallOptions): Promise<OrderOutcome>;
  /**
   * The dead man's switch: cancels all orders and legs after this many seconds, and with `flatten` closes all positions
   * too, unless the call is made again in time. 0 disarms the switch. Arming twice has the same effect as once, so the
   * call is repeated like a read. @rule D9.cancelAllAfter
   */
  cancelAllAfter(seconds: number, options?: SwitchOptions): Promise<SwitchResult>;
  /** The effect that the order would have at the present quotes. It places no order. */
  preview(order: OrderRequest, options?: CallOptions): Promise<Preview>;
  /** The receipt of the order with this nonce. An order that is `unseen` may still arrive; `settle` withdraws it. */
  receipt(nonce: string, options?: CallOptions): Promise<Receipt>;
  /** Every pair, the limits of its orders, and whether its market is open. */
  instruments(options?: CallOptions): Promise<readonly InstrumentItem<Unsent>[]>;
  /** The newest quotes of these pairs, or of all pairs when `pairs` is absent. A pair without a quote is not listed. */
  quotes(pairs?: readonly string[], options?: CallOptions): Promise<readonly QuoteItem[]>;
  /**
   * Candles of a pair, oldest first, each for one interval of the query's length. An interval without quotes has no
   * candle; `isComplete` is false for the candle of the running interval.
   */
  candles(query: CandlesQuery, options?: CallOptions): Promise<readonly CandleItem[]>;
  /** One page of the candles that `candles` returns, with the `after` of the next page. */
  candlesPage(query: CandlesQuery, options?: CallOptions): Promise<CandlesPage>;
  /**
   * The events of the account as they happen, in order, each once:
   * `for await (const event of client.events({ after }))`. After a lost connection a new one continues after the
   * last event. Without `types` each event is checked by the journal's hashes. The iteration ends when the signal
   * aborts, at the head with `until: "head"`, and after `account.closed`. Throws HistoryDiffersError when the past was
   * changed, and RejectedError for a rejection that no retry can repair.
   */
  events(query?: EventStreamQuery, options?: EventStreamOptions): EventStream<Unsent>;
  /**
   * One page of the account's events, oldest first. Pass its `next` as `after` to get the next page. When the service
   * rejects a `next` with `history differs`, the past was changed.
   */
  eventsPage(query?: EventsQuery, options?: CallOptions): Promise<EventsPage<Unsent>>;
  /**
   * The life of an order or leg of any status, by its id. Throws RejectedError with `orderNotFound` for an unknown id.
   */
  order(orderUuid: string, options?: LifeOptions): Promise<OrderLife<Unsent>>;
  /** Orders and legs of any status, oldest first. Without `after` and `since` they are the newest ones. */
  orderHistory(query?: HistoryQuery, options?: CallOptions): Promise<OrderHistory<Unsent>>;
  /** Fills, oldest first. Without `after` and `since` they are the newest ones. */
  fills(query?: HistoryQuery, options?: CallOptions): Promise<Fills<Unsent>>;
  /** The service's clock. The request is not signed. */
  time(options?: CallOptions): Promise<ServiceTime>;
  /**
   * The service's health. A service with a problem still answers, so this does not throw. The request is not signed.
   */
  health(options?: CallOptions): Promise<Health>;
}

/**
 * Creates a client for one key. One client serves a whole program: the only state that it keeps is the difference
 * between the service's clock and its own. Use `createClient<Linked>` for an account that may be linked to a validator.
 * Throws InvalidSettingError for invalid settings.
 */
export function createClient<Unsent extends Linked = never>(
  settings: ClientSettings,
): Client<Unsent> {
  const shared = connectionOf(settings);
  const settleTimeoutMs = settleTimeoutOf(settings);
  const isStrict = settings.strict ?? false;
  const plan: RetryPlan = { ...DEFAULT_RETRY, ...settings.retry };
  const settling: RetryPlan = { ...DEFAULT_RETRY, ...DEFAULT_SETTLING, ...settings.settling };

  const connectionFor = ({ signal, timeoutMs }: CallOptions): Connection => ({
    ...shared,
    timeoutMs: readTimeout("timeoutMs", timeoutMs, shared.timeoutMs),
    signal: signal ?? null,
  });
  const repeated = async <Value>(
    options: CallOptions,
    attempt: (connection: Connection) => Promise<Value>,
  ): Promise<Value> => {
    const connection = connectionFor(options);
    return withRetry({ plan, signal: connection.signal }, () => attempt(connection));
  };
  const read = <Data>(target: string, options: CallOptions): Promise<Data> =>
    repeated(options, (connection) => sendRead<Data>(connection, { method: "GET", target }));
  const readPage = <Page>(target: string, options: CallOptions): Promise<Page> =>
    repeated(options, (connection) =>
      sendRead<Page>(connection, { method: "GET", target }, pageOf),
    );
  const eventsPage = eventPages<Unsent>(read, shared.timeoutMs);
  // One deadline covers the sending of the order and all attempts to find out its fate.
  // @rule D10.settleDeadline decides
  const inTime = async (
    options: OrderCallOptions,
    work: (placing: PlacementContext) => Promise<OrderOutcome>,
  ): Promise<OrderOutcome> => {
    const connection = connectionFor(options);
    const { signal } = connection;
    const limitMs = readTimeout("settleTimeoutMs", options.settleTimeoutMs, settleTimeoutMs);
    return withDeadline({ limitMs, signal }, (deadline) =>
      work({
        connection: { ...connection, signal: deadline.signal },
        deadline,
        plan: settling,
        onProgress: options.onProgress ?? null,
      }),
    );
  };
  return {
    account: (options = {}) => read(ENDPOINTS.getAccount.path, options),
    positions: (options = {}) => read(ENDPOINTS.getPositions.path, options),
    pendingOrders: (options = {}) => read(ENDPOINTS.getOrders.path, options),
    trades: (options = {}) => read(ENDPOINTS.getTrades.path, options),
    tradesPage: ({ after, limit = LIMITS.eventsLimitDefault } = {}, options = {}) => {
      const target = ENDPOINTS.getTrades.path + queryString({ after, limit });
      return readPage<TradesPage<Unsent>>(target, options);
    },
    payouts: (query = {}, options = {}) =>
      read(ENDPOINTS.getPayouts.path + queryString({ ...query }), options),
    placeOrder: (order, options = {}) =>
      inTime(options, (placing) => placeOrder(placing, order, isStrict)),
    settle: (nonce, options = {}) =>
      inTime(options, (placing) =>
        settleOrder({
          ...placing,
          service: createFatePort(placing.connection),
          nonce,
          sent: null,
          mayWithdraw: true,
        }),
      ),
    cancelAllAfter: (seconds, { action = "cancel", ...options } = {}) => {
      const { method, path: target } = ADDITIVE_ENDPOINTS.cancelAllAfter;
      const outgoing = { method, target, body: JSON.stringify({ seconds, action }) };
      return repeated(options, (connection) => sendRead<SwitchResult>(connection, outgoing));
    },
    preview: async (order, options = {}) => {
      const { method, path: target } = ADDITIVE_ENDPOINTS.previewOrder;
      const outgoing = { method, target, body: orderBody(order) };
      return repeated(options, (connection) => sendRead<Preview>(connection, outgoing));
    },
    receipt: (nonce, options = {}) => read(receiptPath(nonce), options),
    instruments: (options = {}) => read(ADDITIVE_ENDPOINTS.getInstruments.path, options),
    quotes: (pairs, options = {}) => {
      const query = pairs === undefined ? "" : `?pairs=${encodeURIComponent(pairs.join(","))}`;
      return read(ADDITIVE_ENDPOINTS.getQuotes.path + query, options);
    },
    candles: (query, options = {}) =>
      read(ADDITIVE_ENDPOINTS.getCandles.path + queryString({ ...query }), options),
    candlesPage: (query, options = {}) =>
      readPage(ADDITIVE_ENDPOINTS.getCandles.path + queryString({ ...query }), options),
    events: (query = {}, options = {}) => {
      const page = (one: EventsQuery) => eventsPage(one, options);
      return eventStream({ connection: connectionFor(options), plan, page }, query, options);
    },
    eventsPage,
    order: (orderUuid, { after, ...options } = {}) =>
      read(orderPath(orderUuid) + queryString({ after }), options),
    orderHistory: (query = {}, options = {}) =>
      read(ADDITIVE_ENDPOINTS.getOrderHistory.path + queryString({ ...query }), options),
    fills: (query = {}, options = {}) =>
      read(ADDITIVE_ENDPOINTS.getFills.path + queryString({ ...query }), options),
    time: (options = {}) => repeated(options, readTime),
    health: (options = {}) => repeated(options, readHealth),
  };
}

const MS_PER_SECOND = 1_000;

function eventPages<Unsent extends Linked>(
  read: <Data>(target: string, options: CallOptions) => Promise<Data>,
  timeoutMs: number,
): Client<Unsent>["eventsPage"] {
  return ({ types, proof, ...query } = {}, options = {}) => {
    const given = { ...query, types: types?.join(","), proof: proof === true ? 1 : undefined };
    // The service may wait the whole time before it answers, so the request's time limit includes it.
    const patientMs = (options.timeoutMs ?? timeoutMs) + (query.wait ?? 0) * MS_PER_SECOND;
    const target = ADDITIVE_ENDPOINTS.getEvents.path + queryString(given);
    return read(target, { ...options, timeoutMs: patientMs });
  };
}

async function readTime(connection: Connection): Promise<ServiceTime> {
  const answer = await sendUnsigned(connection, TIME_PATH);
  return dataOf(connection, answer) as ServiceTime;
}
