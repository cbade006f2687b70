import { type AccountId, accountId } from "@propgate/core";
import { type Signer, signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import type { ClientCall, HttpExchange } from "./checker.ts";
import { type ClientMemory, drawOrder, type OrderFields } from "./draw-orders.ts";
import { type AccountClass, type Market, PAIRS_OF_CLASS } from "./market.ts";
import type { NodeRequest } from "./node/simulated-node.ts";
import type { RandomDraw } from "./random-draw.ts";

/** A key with its secret and scopes. */
export interface HeldKey extends Signer {
  readonly scopes: "read" | "place" | "both";
}

/** A client that trades on one account. */
export interface SimulatedTrader {
  readonly accountId: AccountId;
  readonly keys: HeldKey[];
  readonly memory: ClientMemory;
  readonly pairs: readonly string[];
  /** True for a trader that places as many pending orders as possible. */
  readonly hoards: boolean;
  /** True after an answer showed that the account cannot trade, until the operator provisions it. */
  isOver: boolean;
}

/** A signed request, ready to be sent once or repeatedly. */
export interface ClientRequest extends NodeRequest {
  readonly accountId: AccountId;
  readonly keyId: string;
  readonly nonce: string;
  readonly call: ClientCall;
}

/** The clients of the service. They sign random requests and remember the answers. */
export interface Clients {
  readonly traders: readonly SimulatedTrader[];
  /** The traders whose account can trade as far as they know. */
  readonly active: readonly SimulatedTrader[];
  join(id: string, accountClass: AccountClass): void;
  /** The next request of a random trader; null while no trader has a key. */
  draw(nowMs: number): ClientRequest | null;
  /** A request of a random trader for a large position of the pair; null when no trader may trade it. */
  drawLarge(pair: string, nowMs: number): ClientRequest | null;
  receive(exchange: HttpExchange): void;
}

const ORDERS = "/api/v1/trading/orders";
const SWITCH = "/api/v1/trading/cancel-all-after";
/** The share of writes that arm or end the dead man's switch. */
const SWITCHES = 0.04;
/** The `seconds` of switch calls and their weights; 0 ends the switch. Most deadlines pass within the run. */
const SECONDS = { 0: 3, 1: 3, 5: 4, 30: 4, 600: 3, 86400: 1 } as const;
const MEMORY_MAX = 24;
/** The highest leverage of a position that is large on purpose. */
const LARGE_MAX = 5;
const HOARDERS = 0.15;
const SKEW_MAX_MS = 60_000;
const STALE_MS = 360_000;
const READS = { account: 5, positions: 4, orders: 4, trades: 2, payouts: 2 } as const;
const PAYOUT_QUERIES = [
  "",
  "?limit=1",
  "?limit=200",
  "?limit=0",
  "?limit=x",
  "?cursor=made-up",
] as const;
const REQUEST_KINDS = {
  right: 94,
  badSignature: 2,
  stale: 1,
  oldNonce: 1,
  otherAccount: 1,
} as const;

export function createClients(draw: RandomDraw, market: Market): Clients {
  const traders: SimulatedTrader[] = [];
  let nonces = 0;
  let lastNonce = "n-0";

  const nextNonce = (): string => {
    nonces += 1;
    return `n-${nonces}`;
  };

  return {
    traders,
    get active() {
      return traders.filter(({ isOver }) => !isOver);
    },
    join(id, accountClass) {
      traders.push({
        accountId: accountId(id),
        keys: [],
        memory: { orders: new Map(), positions: new Set(), pairs: new Map() },
        pairs: PAIRS_OF_CLASS[accountClass],
        hoards: draw.chance(HOARDERS),
        isOver: false,
      });
    },
    draw(nowMs) {
      const trader = drawTrader(draw, traders);
      if (trader === null) return null;
      const key = draw.pick(trader.keys);
      const requestKind = draw.weighted(REQUEST_KINDS);
      const call = drawCall({ draw, market, trader, key });
      const fresh = nextNonce();
      const nonce = requestKind === "oldNonce" ? lastNonce : fresh;
      lastNonce = nonce;
      const stale = requestKind === "stale" ? STALE_MS * draw.pick([-1, 1]) : 0;
      const atMs = nowMs + stale + draw.between(-SKEW_MAX_MS, SKEW_MAX_MS);
      const named = requestKind === "otherAccount" ? draw.pick(traders).accountId : null;
      const signer = requestKind === "badSignature" ? { ...key, secret: `${key.secret}x` } : key;
      return signedRequest({ trader, call, signer, nonce, atMs, named });
    },
    drawLarge(pair, nowMs) {
      const able = traders.filter(({ isOver, pairs, keys }) => {
        return !isOver && pairs.includes(pair) && keys.some(({ scopes }) => scopes !== "read");
      });
      if (able.length === 0) return null;
      const trader = draw.pick(able);
      const key = draw.pick(trader.keys.filter(({ scopes }) => scopes !== "read"));
      const size = {
        leverage: draw.between(1, LARGE_MAX),
        order_type: draw.pick(["LONG", "SHORT"]),
      };
      const trade = { execution_type: "MARKET", trade_pair: pair, ...size };
      const call: ClientCall = { kind: "trade", trade };
      const nonce = nextNonce();
      return signedRequest({ trader, call, signer: key, nonce, atMs: nowMs, named: null });
    },
    receive({ accountId: id, keyId, call, outcome }) {
      const trader = traders.find((one) => one.accountId === id);
      if (outcome.kind === "lost" || trader === undefined) return;
      if (outcome.status === 200) remember(trader.memory, call, envelopeDataOf(outcome.body));
      else takeRefusal(trader, keyId, fieldOf(outcome.body, "error"));
    },
  };
}

function drawTrader(draw: RandomDraw, traders: readonly SimulatedTrader[]): SimulatedTrader | null {
  const ready = traders.filter(({ keys }) => keys.length > 0);
  if (ready.length === 0) return null;
  const going = ready.filter(({ isOver }) => !isOver);
  // Traders whose account has ended still send a request sometimes.
  return draw.pick(going.length === 0 || draw.chance(0.04) ? ready : going);
}

/**
 * Draws a read or a write that the scopes of the key allow. In one of a hundred draws, a key with only one scope makes
 * the call that it may not make.
 */
function drawCall(given: {
  readonly draw: RandomDraw;
  readonly market: Market;
  readonly trader: SimulatedTrader;
  readonly key: HeldKey;
}): ClientCall {
  const { draw, market, trader, key } = given;
  const places = key.scopes === "both" ? draw.chance(0.6) : key.scopes === "place";
  if (places === draw.chance(0.01)) {
    return { kind: "read", target: drawTarget(draw, trader.accountId) };
  }
  return draw.chance(SWITCHES)
    ? { kind: "switch", body: drawSwitch(draw) }
    : { kind: "trade", trade: drawOrder(draw, market, trader) };
}

function drawSwitch(draw: RandomDraw): Readonly<Record<string, unknown>> {
  if (draw.chance(0.03)) return { seconds: draw.pick([-1, 0.5, 86_401, "60", null]) };
  const seconds = Number(draw.weighted(SECONDS));
  return draw.chance(0.2) ? { seconds } : { seconds, action: draw.pick(["cancel", "flatten"]) };
}

function signedRequest(given: {
  readonly trader: SimulatedTrader;
  readonly call: ClientCall;
  readonly signer: Signer;
  readonly nonce: string;
  readonly atMs: number;
  /** The account that the request names; null when it names none. */
  readonly named: AccountId | null;
}): ClientRequest {
  const { trader, call, signer, nonce, atMs } = given;
  const request = plainRequest(given);
  const timestamp = String(Math.round(atMs));
  const headers = {
    ...signedHeaders(signer, { ...request, timestamp, nonce }),
    ...(request.body === "" ? {} : { "Content-Type": "application/json" }),
  };
  const asSent: ClientCall = call.kind === "read" ? { ...call, target: request.target } : call;
  const by = { accountId: trader.accountId, keyId: signer.keyId };
  return { ...request, ...by, headers, nonce, call: asSent };
}

function plainRequest({
  call,
  named,
}: {
  readonly call: ClientCall;
  readonly named: string | null;
}): {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body: string;
} {
  if (call.kind === "read") {
    const query =
      named === null ? "" : `${call.target.includes("?") ? "&" : "?"}accountId=${named}`;
    return { method: "GET", target: `${call.target}${query}`, body: "" };
  }
  const body = JSON.stringify({
    ...(named === null ? {} : { accountId: named }),
    ...(call.kind === "trade" ? { trade: call.trade } : call.body),
  });
  return { method: "POST", target: call.kind === "trade" ? ORDERS : SWITCH, body };
}

function drawTarget(draw: RandomDraw, own: AccountId): string {
  const endpoint = draw.weighted(READS);
  if (endpoint === "payouts") return `/api/v1/trading/payouts${draw.pick(PAYOUT_QUERIES)}`;
  const query = draw.chance(0.1) ? `?accountId=${own}` : "";
  return `/api/v1/trading/${endpoint}${query}`;
}

const ENDS = ["The account is eliminated and takes no orders", "Account not found"];
const NOT_YET = "Account is not ready for trading (missing subaccount_id)";

function takeRefusal(trader: SimulatedTrader, keyId: string, error: unknown): void {
  if (error === "Invalid key") {
    const at = trader.keys.findIndex((key) => key.keyId === keyId);
    if (at !== -1) trader.keys.splice(at, 1);
  }
  if (ENDS.some((text) => text === error) || error === NOT_YET) trader.isOver = true;
}

/** Remembers the orders and positions that an answer shows. */
function remember(memory: ClientMemory, call: ClientCall, data: unknown): void {
  if (call.kind === "trade") rememberTrade(memory, call.trade, data);
  else if (call.kind === "switch") return;
  else if (call.target.includes("/orders")) {
    for (const one of listOrEmpty(data)) rememberPending(memory, one);
  } else if (call.target.includes("/positions")) rememberPositions(memory, data);
}

const PENDING_TYPES: readonly unknown[] = ["LIMIT", "STOP_LIMIT", "LIMIT_EDIT"];

function rememberTrade(memory: ClientMemory, trade: OrderFields, data: unknown): void {
  const { execution_type: type, trade_pair: pair } = trade;
  if (type === "MARKET" && typeof pair === "string") {
    if (trade.order_type === "FLAT") memory.pairs.delete(pair);
    else if (!memory.pairs.has(pair)) memory.pairs.set(pair, String(trade.order_type));
  }
  if (PENDING_TYPES.includes(type)) keepOrder(memory, fieldOf(data, "order_uuid"), trade);
  if (typeof pair !== "string") return;
  for (const leg of listOrEmpty(fieldOf(fieldOf(data, "order"), "bracketOrders"))) {
    keepOrder(memory, fieldOf(leg, "orderUuid"), { trade_pair: pair, ...legTrade(leg) });
  }
}

const LEG_WORDS = {
  stop_loss: "stopLoss",
  take_profit: "takeProfit",
  quantity: "quantity",
  value: "value",
  bracket_pct: "bracketPct",
} as const;

/** The fields of a leg in the form of a request, for a later edit. */
function legTrade(leg: unknown): OrderFields {
  const trade: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(LEG_WORDS)) {
    const value = fieldOf(leg, field);
    if (typeof value === "number") trade[name] = value;
  }
  const percent = fieldOf(leg, "trailingPercent");
  const distance = fieldOf(leg, "trailingValue");
  if (typeof percent === "number") trade.trailing_stop = { trailing_percent: percent };
  if (typeof distance === "number") trade.trailing_stop = { trailing_value: distance };
  return trade;
}

function rememberPending(memory: ClientMemory, one: unknown): void {
  const isLeg = fieldOf(one, "executionType") === "BRACKET";
  const trade = isLeg ? { trade_pair: fieldOf(one, "tradePair"), ...legTrade(one) } : null;
  keepOrder(memory, fieldOf(one, "orderUuid"), trade);
}

function rememberPositions({ positions, pairs }: ClientMemory, data: unknown): void {
  positions.clear();
  pairs.clear();
  for (const one of listOrEmpty(data)) {
    const pair = fieldOf(one, "tradePair");
    if (typeof pair === "string") pairs.set(pair, String(fieldOf(one, "positionType")));
    const uuid = fieldOf(one, "positionUuid");
    if (typeof uuid === "string") positions.add(uuid);
  }
}

function keepOrder({ orders }: ClientMemory, uuid: unknown, trade: OrderFields | null): void {
  if (typeof uuid !== "string") return;
  const known = trade ?? orders.get(uuid) ?? null;
  orders.delete(uuid);
  orders.set(uuid, known);
  for (const oldest of [...orders.keys()].slice(0, -MEMORY_MAX)) orders.delete(oldest);
}

/** The `data` of an envelope; undefined when there is none. */
export function envelopeDataOf(body: unknown): unknown {
  return fieldOf(body, "data");
}

/** A field of a value; undefined when the value is not an object or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/** The value when it is a list, else an empty list. */
export function listOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
