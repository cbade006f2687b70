import { createHash, createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LIMITS } from "@propgate/contract";
import type { Victim } from "./victim.ts";

/** A trading account with a key that may read and place orders. */
export interface Trader {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}

interface SentRequest {
  readonly trader: Trader;
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly nonce: string;
  readonly body: string;
  readonly signedAtMs: number;
}

/** An order that was answered 200. The journal must have it under this nonce. */
export interface AnsweredOrder {
  readonly accountId: string;
  readonly keyId: string;
  readonly nonce: string;
  readonly orderUuid: string;
}

/** The counts of kills under load, and the requests that were admitted twice. */
export interface KillsUnderLoad {
  /** The number of kills under load. */
  readonly kills: number;
  /** The number of further kills, during starts. */
  readonly killedStarts: number;
  readonly answered: readonly AnsweredOrder[];
  /** The number of requests without an answer, whose fate the client does not know. */
  readonly cut: number;
  /** Replays that were not refused although their request was admitted before. Must be empty. */
  readonly admittedTwice: readonly string[];
  readonly replays: number;
}

export interface KillPlan {
  readonly kills: number;
  /** Called after each kill with its number, from 1. */
  readonly onKill?: (kill: number) => void;
  /** Makes further calls during the load of each kill, until the signal aborts. */
  readonly otherCalls: (stop: AbortSignal) => Promise<void>;
}

const STARTS_PER_KILLED_START = 5;
/** The age up to which a request is replayed: a minute before its signature is too old. */
const REPLAYED_FOR_MS = LIMITS.timestampSkewMs - 60_000;

/**
 * Kills the service at random moments while many clients trade, and starts it again. Then up to twelve answered and
 * twelve unanswered requests are replayed byte for byte. An answered one must get 409, because its nonce is used. An
 * unanswered one is sent twice, and the second time must get 409.
 */
export async function killUnderLoad(
  victim: Victim,
  traders: readonly Trader[],
  { kills, onKill, otherCalls }: KillPlan,
): Promise<KillsUnderLoad> {
  const answered: AnsweredOrder[] = [];
  const admittedTwice: string[] = [];
  let cut = 0;
  let replays = 0;
  let killedStarts = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const admitted: SentRequest[] = [];
    const unknown: SentRequest[] = [];
    const stop = new AbortController();
    const clients = traders.map((trader) =>
      tradeUntilCut({ victim, trader, stop: stop.signal, answered, admitted, unknown }),
    );
    const besides = otherCalls(stop.signal);
    await waitForFirstAnswer(admitted);
    await setTimeout(randomInt(1, 250));
    await victim.kill();
    stop.abort();
    await Promise.all([...clients, besides]);
    onKill?.(kill + 1);
    cut += unknown.length;
    if (randomInt(STARTS_PER_KILLED_START) === 0) {
      killedStarts += 1;
      await victim.startAndKill(randomInt(50, 900));
    }
    await victim.start();
    for (const request of drawSample(admitted.filter(isFresh), 12)) {
      replays += 1;
      const status = await send(victim, request);
      if (status !== 409) admittedTwice.push(`${request.nonce}: ${status} after an answer`);
    }
    for (const request of drawSample(unknown.filter(isFresh), 12)) {
      replays += 2;
      const first = await send(victim, request);
      const second = await send(victim, request);
      if (second !== 409) admittedTwice.push(`${request.nonce}: ${first}, then ${second}`);
    }
  }
  return { kills, killedStarts, answered, cut, admittedTwice, replays };
}

/**
 * True while the signature of the request is still accepted. On a busy machine a start of the service can last longer
 * than signatures are accepted. The answer to a replay would then not depend on the nonce.
 */
function isFresh({ signedAtMs }: SentRequest): boolean {
  return Date.now() - signedAtMs < REPLAYED_FOR_MS;
}

/** Waits for the first answer, because on a busy machine the random moment of the kill may come before it. */
async function waitForFirstAnswer(admitted: readonly SentRequest[]): Promise<void> {
  while (admitted.length === 0) await setTimeout(5);
}

interface Client {
  readonly victim: Victim;
  readonly trader: Trader;
  readonly stop: AbortSignal;
  readonly answered: AnsweredOrder[];
  readonly admitted: SentRequest[];
  readonly unknown: SentRequest[];
}

/** Opens, closes, places, cancels and reads one after the other, until a request fails or the load stops. */
async function tradeUntilCut(client: Client): Promise<void> {
  for (let step = 0; !client.stop.aborted; step += 1) {
    const trade = TRADES[step % TRADES.length] ?? null;
    const request = signRequest(client.trader, trade);
    try {
      const response = await fetch(
        `${client.victim.baseUrl}${request.target}`,
        requestInitOf(request),
      );
      const answer: unknown = await response.json();
      client.admitted.push(request);
      if (response.status === 200 && trade !== null && trade.order_type !== undefined) {
        client.answered.push({ ...idsOf(request), orderUuid: orderUuidOf(answer) });
      }
    } catch {
      client.unknown.push(request);
      return;
    }
  }
}

/** The orders that a client sends one after the other, again and again; null stands for a read. */
const TRADES: readonly (Readonly<Record<string, string | number>> | null)[] = [
  {
    execution_type: "MARKET",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    value: 500,
    stop_loss: 1,
  },
  { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" },
  {
    execution_type: "LIMIT",
    trade_pair: "ETHUSD",
    order_type: "LONG",
    value: 100,
    limit_price: 1,
  },
  { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" },
  null,
];

function signRequest(trader: Trader, trade: object | null): SentRequest {
  const method = trade === null ? "GET" : "POST";
  const body = trade === null ? "" : JSON.stringify({ trade });
  const target = method === "GET" ? "/api/v1/trading/positions" : "/api/v1/trading/orders";
  const signedAtMs = Date.now();
  const timestamp = String(signedAtMs);
  const nonce = randomBytes(16).toString("hex");
  const hash = createHash("sha256").update(body).digest("hex");
  const canonical = ["v1", method, target, timestamp, nonce, hash].join("\n");
  const signature = createHmac("sha256", trader.secret).update(canonical).digest("base64");
  return {
    trader,
    method,
    target,
    nonce,
    body,
    signedAtMs,
    headers: {
      "content-type": "application/json",
      "x-service-key-id": trader.keyId,
      "x-service-timestamp": timestamp,
      "x-service-nonce": nonce,
      "x-service-signature": `v1=${signature}`,
    },
  };
}

async function send(victim: Victim, request: SentRequest): Promise<number> {
  const response = await fetch(`${victim.baseUrl}${request.target}`, requestInitOf(request));
  await response.arrayBuffer();
  return response.status;
}

function requestInitOf({ method, headers, body }: SentRequest): RequestInit {
  return { method, headers, ...(method === "POST" ? { body } : {}) };
}

function idsOf(request: SentRequest): Omit<AnsweredOrder, "orderUuid"> {
  const { accountId, keyId } = request.trader;
  return { accountId, keyId, nonce: request.nonce };
}

function orderUuidOf(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "data" in answer) {
    const { data } = answer;
    if (typeof data === "object" && data !== null && "order_uuid" in data) {
      return String(data.order_uuid);
    }
  }
  throw new Error(`an accepted order without an id: ${JSON.stringify(answer)}`);
}

function drawSample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  const start = randomInt(0, items.length - count);
  return items.slice(start, start + count);
}

/** A fresh master key and operator token for one run. */
export function createCredentials(): {
  readonly masterKey: string;
  readonly operatorToken: string;
} {
  return { masterKey: randomBytes(32).toString("base64"), operatorToken: `op-${randomUUID()}` };
}
