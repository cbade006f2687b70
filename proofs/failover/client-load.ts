import { setTimeout } from "node:timers/promises";
import { type Client, createClient, type OrderOutcome, type OrderRequest } from "@propgate/sdk";
import type { Trader } from "../kills/kill-under-load.ts";

/** One HTTP exchange, as the client saw it. */
export interface HttpExchange {
  readonly call: "order" | "read" | "receipt";
  readonly nonce: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The text of the error; null for a success and when no answer came. */
  readonly error: string | null;
  /** `data` of an order that was answered 200; null otherwise. */
  readonly data: unknown;
}

/** A trader or a reader, with its exchanges and the times of its successes. */
export interface ClientRecord {
  readonly kind: "trader" | "reader";
  readonly key: Trader;
  readonly exchanges: HttpExchange[];
  /** The times of the successes by the steady clock, in milliseconds, ascending. */
  readonly successesMs: number[];
  /** The results that the SDK returned for the trader's orders. */
  readonly outcomes: OrderOutcome[];
  /** The index of the node that the client uses. */
  node: number;
}

/** The running clients of a proof. */
export interface ClientLoad {
  readonly records: readonly ClientRecord[];
  /** The traders' clients, with which the fates of orders are found after the load. */
  readonly traders: readonly { readonly record: ClientRecord; readonly client: Client }[];
  /**
   * Waits until every client has had a success since `sinceMs` of the steady clock. False when one has none within
   * `recoverMaxMs`.
   */
  allSucceeded(sinceMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

const BETWEEN_ORDERS_MS = 120;
const BETWEEN_READS_MS = 100;
const POLL_EVERY_MS = 25;
/** A client gives up a request after this time and uses the next node. */
const REQUEST_TIMEOUT_MS = 3_000;
const LONGEST_WAIT_MS = 500;

/** Starts clients that trade and read until `stop`. Each stays at one node until a request fails there. */
export function startClientLoad(plan: {
  readonly baseUrls: readonly string[];
  readonly traders: readonly Trader[];
  /** The keys of each reader. The reader uses them in turn, because a key may make few reads a minute. */
  readonly readers: readonly (readonly Trader[])[];
  /** How long a client looks for the fate of one order before it places the next; null for the SDK's own time. */
  readonly settleMs: number | null;
  /** How long `allSucceeded` waits for a success of every client, at most. */
  readonly recoverMaxMs: number;
  /** Draws an integer of at least 0 and below the limit. */
  readonly below: (limit: number) => number;
}): ClientLoad {
  const stop = new AbortController();
  const connect = (key: Trader, fetch: typeof globalThis.fetch): Client =>
    createClient({
      baseUrl: plan.baseUrls[0] ?? "",
      keyId: key.keyId,
      secret: key.secret,
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(plan.settleMs === null ? {} : { settleTimeoutMs: plan.settleMs }),
      retry: { attempts: 1 },
      settling: { longestWaitMs: LONGEST_WAIT_MS },
      fetch,
    });
  const traders = plan.traders.map((key, index) => {
    const record = createRecord("trader", key, index % plan.baseUrls.length);
    const fetch = failoverFetch(plan.baseUrls, record);
    return { record, client: connect(key, fetch) };
  });
  const readers = plan.readers.flatMap((keys, index) => {
    const [first] = keys;
    if (first === undefined) return [];
    const record = createRecord("reader", first, index % plan.baseUrls.length);
    const fetch = failoverFetch(plan.baseUrls, record);
    return [{ record, clients: keys.map((key) => connect(key, fetch)) }];
  });
  const running = [
    ...traders.map((one) => tradeUntilStopped(one, plan.below, stop.signal)),
    ...readers.map((one) => readUntilStopped(one, stop.signal)),
  ];
  const records = [...traders, ...readers].map(({ record }) => record);
  return {
    records,
    traders,
    async allSucceeded(sinceMs) {
      const isLate = ({ successesMs }: ClientRecord): boolean =>
        (successesMs.at(-1) ?? 0) < sinceMs;
      const endMs = performance.now() + plan.recoverMaxMs;
      while (records.some(isLate) && performance.now() < endMs) await setTimeout(POLL_EVERY_MS);
      return !records.some(isLate);
    },
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

function createRecord(kind: ClientRecord["kind"], key: Trader, node: number): ClientRecord {
  return { kind, key, exchanges: [], successesMs: [], outcomes: [], node };
}

/** Places orders one at a time. `placeOrder` finds out the fate of each before the next. */
async function tradeUntilStopped(
  { record, client }: { readonly record: ClientRecord; readonly client: Client },
  below: (limit: number) => number,
  stop: AbortSignal,
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    const outcome = await client.placeOrder(orderOf(turn, below));
    record.outcomes.push(outcome);
    if (outcome.fate === "accepted") record.successesMs.push(performance.now());
    await setTimeout(BETWEEN_ORDERS_MS);
  }
}

async function readUntilStopped(
  { record, clients }: { readonly record: ClientRecord; readonly clients: readonly Client[] },
  stop: AbortSignal,
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    try {
      await clients[turn % clients.length]?.positions();
      record.successesMs.push(performance.now());
    } catch {
      // `failoverFetch` has recorded the exchange. After a lost connection or a 5xx the next node gets the next read.
    }
    await setTimeout(BETWEEN_READS_MS);
  }
}

/** An odd number: `orderOf` alternates the pair, so each kind of order is placed in both pairs. */
const ORDERS_PER_ROUND = 9;

/**
 * The order with this number: mostly a buy, else a limit order that never fills, a FLAT or a cancellation of all
 * pending orders.
 */
function orderOf(turn: number, below: (limit: number) => number): OrderRequest {
  const trade_pair = turn % 2 === 0 ? "BTCUSD" : "ETHUSD";
  const buy = { trade_pair, order_type: "LONG", value: 100 + below(400) } as const;
  switch (turn % ORDERS_PER_ROUND) {
    case 3:
      return { trade: { execution_type: "LIMIT", ...buy, limit_price: 1 } };
    case 5:
      return { trade: { execution_type: "MARKET", trade_pair, order_type: "FLAT" } };
    case 7:
      return { trade: { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" } };
    default:
      return { trade: { execution_type: "MARKET", ...buy } };
  }
}

/**
 * A `fetch` that goes to the client's node. After a lost connection or a 5xx the next call goes to the next node, as
 * behind a load balancer.
 */
function failoverFetch(baseUrls: readonly string[], record: ClientRecord): typeof globalThis.fetch {
  const { exchanges } = record;
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const used = record.node;
    const failed = (): void => {
      if (record.node === used) record.node = (used + 1) % baseUrls.length;
    };
    const call = callKindOf(pathname, init?.method);
    const nonce = new Headers(init?.headers).get("x-service-nonce") ?? "";
    try {
      const base = baseUrls[used] ?? "";
      const response = await fetch(new URL(pathname + search, base), init);
      const body: unknown = await response.clone().json();
      const { status } = response;
      if (status >= 500) failed();
      const data = call === "order" && status === 200 ? partOf(body, "data") : null;
      const error = status === 200 ? null : String(partOf(body, "error"));
      exchanges.push({ call, nonce, status, error, data });
      return response;
    } catch (cause) {
      failed();
      exchanges.push({ call, nonce, status: null, error: null, data: null });
      throw cause;
    }
  };
}

function callKindOf(path: string, method: string | undefined): HttpExchange["call"] {
  if (method === "POST") return "order";
  return path.includes("/receipts/") ? "receipt" : "read";
}

function partOf(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return null;
  return Object.entries(body).find(([key]) => key === name)?.[1] ?? null;
}
