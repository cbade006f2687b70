import { setTimeout } from "node:timers/promises";
import { type Client, createClient, type OrderOutcome, type OrderRequest } from "@propgate/sdk";
import type { Trader } from "../kills/kill-harness.ts";

/** One HTTP exchange, as the client saw it. */
export interface Exchange {
  readonly call: "order" | "read" | "receipt";
  readonly nonce: string;
  /** Null without an answer. */
  readonly status: number | null;
  /** Text of the error; null for a success. */
  readonly error: string | null;
  /** `data` of an answered order; null otherwise. */
  readonly data: unknown;
}

/** A trader or a reader, with the times of its successes. */
export interface ClientRecord {
  readonly kind: "trader" | "reader";
  readonly key: Trader;
  readonly exchanges: Exchange[];
  /** By the steady clock, milliseconds, rising. */
  readonly successesMs: number[];
  /** The results of its orders, from the SDK. */
  readonly outcomes: OrderOutcome[];
  /** The node that it uses. */
  node: number;
}

export interface ClientLoad {
  readonly records: readonly ClientRecord[];
  /** The clients, to find the fates of orders after the load. */
  readonly traders: readonly { readonly record: ClientRecord; readonly client: Client }[];
  /** Waits until every client has had a success since this moment of the steady clock; false when one is too late. */
  allSucceeded(sinceMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

const BETWEEN_ORDERS_MS = 120;
const BETWEEN_READS_MS = 100;
const LOOK_EVERY_MS = 25;
/** A client gives up a request after this time and uses the next node. */
const REQUEST_TIMEOUT_MS = 3_000;
const LONGEST_WAIT_MS = 500;

/** Clients that trade and read without a pause, each at one node until a request fails there. */
export function startLoad(plan: {
  readonly baseUrls: readonly string[];
  readonly traders: readonly Trader[];
  /** The keys of each reader; the reader uses them in turn, because a key has few reads a minute. */
  readonly readers: readonly (readonly Trader[])[];
  /** How long a client looks for the fate of an order before the next one; the SDK's own time when null. */
  readonly settleMs: number | null;
  /** The longest time without a success of some client after a failure. */
  readonly recoverMaxMs: number;
  /** An integer of at least 0 and below the limit. */
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
    const record = recordOf("trader", key, index % plan.baseUrls.length);
    const fetch = movingFetch(plan.baseUrls, record);
    return { record, client: connect(key, fetch) };
  });
  const readers = plan.readers.flatMap((keys, index) => {
    const [first] = keys;
    if (first === undefined) return [];
    const record = recordOf("reader", first, index % plan.baseUrls.length);
    const fetch = movingFetch(plan.baseUrls, record);
    return [{ record, clients: keys.map((key) => connect(key, fetch)) }];
  });
  const running = [
    ...traders.map((one) => trade(one, plan.below, stop.signal)),
    ...readers.map((one) => read(one, stop.signal)),
  ];
  const records = [...traders, ...readers].map(({ record }) => record);
  return {
    records,
    traders,
    async allSucceeded(sinceMs) {
      const isLate = ({ successesMs }: ClientRecord): boolean =>
        (successesMs.at(-1) ?? 0) < sinceMs;
      const endMs = performance.now() + plan.recoverMaxMs;
      while (records.some(isLate) && performance.now() < endMs) await setTimeout(LOOK_EVERY_MS);
      return !records.some(isLate);
    },
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

function recordOf(kind: ClientRecord["kind"], key: Trader, node: number): ClientRecord {
  return { kind, key, exchanges: [], successesMs: [], outcomes: [], node };
}

/** Places orders one at a time, and finds out the fate of each before the next. */
async function trade(
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

async function read(
  { record, clients }: { readonly record: ClientRecord; readonly clients: readonly Client[] },
  stop: AbortSignal,
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    try {
      await clients[turn % clients.length]?.positions();
      record.successesMs.push(performance.now());
    } catch {
      // The exchange is recorded; the next read goes to the next node.
    }
    await setTimeout(BETWEEN_READS_MS);
  }
}

/** An odd number, so that each kind of order comes on both pairs. */
const ORDERS_PER_ROUND = 9;

/** Buys, and sometimes flattens, places an order that never fills, or cancels these. */
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

/** A `fetch` that goes to one node, and to the next one after a failure, as a balancer's client does. */
function movingFetch(baseUrls: readonly string[], record: ClientRecord): typeof globalThis.fetch {
  const { exchanges } = record;
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const used = record.node;
    const failed = (): void => {
      if (record.node === used) record.node = (used + 1) % baseUrls.length;
    };
    const call = callOf(pathname, init?.method);
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

function callOf(path: string, method: string | undefined): Exchange["call"] {
  if (method === "POST") return "order";
  return path.includes("/receipts/") ? "receipt" : "read";
}

function partOf(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return null;
  return Object.entries(body).find(([key]) => key === name)?.[1] ?? null;
}
