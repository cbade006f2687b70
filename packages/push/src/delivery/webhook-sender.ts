import { lookup } from "node:dns";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Clock, ListenAddress, Stopwatch, Timer } from "@propgate/base";
import type { DeliveryError } from "@propgate/contract";
import type { AddressRules } from "./address-rules.ts";
import { isCallable } from "./callable-address.ts";
import { createCheckedLookup, type LookUpName } from "./checked-lookup.ts";
import { retryAfterMs } from "./retry-after.ts";
import { signWebhook, type WebhookSigners } from "./sign-webhook.ts";
import { bareHost, parseWebhookAddress } from "./webhook-address.ts";
import { exchangeWebhook, type WebhookExchange } from "./webhook-exchange.ts";

/** A webhook to deliver: its receiver, its payload and the signers. */
export interface WebhookRequest extends WebhookSigners {
  readonly url: string;
  /** The header `webhook-id`, which is the same at every attempt. */
  readonly id: string;
  /** The payload, as JSON. */
  readonly body: string;
  /** Headers in addition to those of every delivery. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The outcome of one delivery. With an answer `status` is set and `error` is null; without one it is the reverse. */
export interface DeliveryResult {
  readonly status: number | null;
  /** The time until the head of the answer, or until the failure. */
  readonly latencyMs: number;
  /**
   * The first 512 bytes of the body as text, without control characters and secrets; null for a compressed body and
   * without an answer.
   */
  readonly answer: string | null;
  readonly error: DeliveryError | null;
  /** The receiver's `Retry-After`, 0 to 24 hours; null unless it came with 429 or 503. */
  readonly retryAfterMs: number | null;
}

/** Delivers webhooks over HTTP, and keeps the connections to their receivers. */
export interface WebhookSender {
  /**
   * Makes one delivery. The receiver may get it twice when it closed a kept connection during the first sending.
   * @throws Error for an id that no header can carry, and for secrets that `signWebhook` does not take
   */
  readonly send: (request: WebhookRequest) => Promise<DeliveryResult>;
  /**
   * Ends the deliveries under way, those without an answer as `reset`. Waits for them, then closes the kept
   * connections.
   */
  readonly close: () => Promise<void>;
}

export interface SenderOptions {
  /**
   * The rules for addresses. Null allows every address over http and https, on the machine of a user who tests a
   * receiver.
   */
  readonly rules: AddressRules | null;
  /** The machine's time, also in a sandbox, because receivers compare the timestamp with their own clock. */
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** Runs in real time, also in a sandbox. */
  readonly timer: Timer;
  /** All listeners of the process, with the addresses to which they are bound at the moment of the call. */
  readonly ownListeners: () => readonly ListenAddress[];
  /** Looks up names; by default the resolver of the system. */
  readonly lookUpName?: LookUpName;
}

const HEAD_MAX_MS = 10_000;
/** How long an idle connection is kept: less than the five seconds after which many servers close one. */
const IDLE_MS = 4000;
const KEEP_ALIVE_OPTIONS = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 8 };

/**
 * Creates a sender of webhooks. All its deliveries have the same address rules, because it keeps connections to
 * receivers, and a kept connection is not judged again.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const agents = {
    plain: new HttpAgent(KEEP_ALIVE_OPTIONS),
    secure: new HttpsAgent(KEEP_ALIVE_OPTIONS),
  };
  const running = new Map<AbortController, Promise<DeliveryResult>>();
  let isClosed = false;
  return {
    async send(request) {
      const over = new AbortController();
      if (isClosed) over.abort("closed");
      const delivery = deliver(request, { ...options, agents, over });
      running.set(over, delivery);
      try {
        return await delivery;
      } finally {
        running.delete(over);
      }
    },
    async close() {
      isClosed = true;
      for (const over of running.keys()) over.abort("closed");
      await Promise.allSettled(running.values());
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

interface DeliveryOptions extends SenderOptions {
  readonly agents: { readonly plain: HttpAgent; readonly secure: HttpAgent };
  readonly over: AbortController;
}

async function deliver(request: WebhookRequest, options: DeliveryOptions): Promise<DeliveryResult> {
  const { stopwatch, timer, over } = options;
  const beganMs = stopwatch.nowMs();
  const cancelLate = timer.after(HEAD_MAX_MS, () => over.abort("late"));
  const exchange = await exchangeChecked(request, options).finally(cancelLate);
  const latencyMs = Math.round(stopwatch.nowMs() - beganMs);
  if (exchange.head === null) {
    const { error } = exchange;
    return { status: null, latencyMs, answer: null, error, retryAfterMs: null };
  }
  const { statusCode: status = 0, headers } = exchange.head;
  const waitMs = retryAfterMs(status, headers["retry-after"], options.clock.now());
  return { status, latencyMs, answer: await exchange.answer, error: null, retryAfterMs: waitMs };
}

/** Judges the address, then sends. Sends once more over a new connection when the receiver had closed a kept one. */
async function exchangeChecked(
  { url: text, id, body, headers, ...signers }: WebhookRequest,
  { rules, clock, timer, ownListeners, lookUpName = lookup, ...options }: DeliveryOptions,
): Promise<WebhookExchange> {
  const parsed = rules === null ? null : parseWebhookAddress(text, rules);
  if (parsed?.ok === false) return REFUSED;
  const url = parsed?.url ?? new URL(text);
  const isAllowed = (address: string): boolean =>
    rules === null || isCallable(address, { url, rules, ownListeners: ownListeners() });
  // Sockets do not look up a literal address, so it is judged here.
  const host = bareHost(url);
  if (isIP(host) !== 0 && !isAllowed(host)) return REFUSED;
  const timestampS = Math.floor(clock.now() / 1000);
  const sent = {
    url,
    headers: {
      ...headers,
      "content-type": "application/json",
      "user-agent": "Propgate-Webhooks",
      ...(await signWebhook({ id, timestampS, body }, signers)),
    },
    body,
    lookup: createCheckedLookup(lookUpName, isAllowed),
    timer,
    signal: options.over.signal,
  };
  const { secure, plain } = options.agents;
  const agent = url.protocol === "https:" ? secure : plain;
  const exchange = await exchangeWebhook({ ...sent, agent });
  return exchange.head === null && exchange.wasStale
    ? exchangeWebhook({ ...sent, agent: false })
    : exchange;
}

const REFUSED: WebhookExchange = { head: null, error: "address", wasStale: false };
