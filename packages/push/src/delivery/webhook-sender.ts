import { lookup } from "node:dns";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Clock, ListenAddress, Stopwatch, Timer } from "@propgate/base";
import type { DeliveryError } from "@propgate/contract";
import type { AddressRules } from "./address-rules.ts";
import { isCallable } from "./callable-address.ts";
import { checkedLookup, type LookUpName } from "./checked-lookup.ts";
import { retryAfterMs } from "./retry-after.ts";
import { signWebhook, type WebhookSigners } from "./sign-webhook.ts";
import { bareHost, parseWebhookAddress } from "./webhook-address.ts";
import { type Exchange, exchangeWebhook } from "./webhook-exchange.ts";

export interface WebhookRequest extends WebhookSigners {
  readonly url: string;
  /** `webhook-id`: the same at every attempt. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** Headers beside those of every delivery. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `status` and `answer` are null without an answer, and `error` is null with any status. */
export interface DeliveryResult {
  readonly status: number | null;
  /** Until the head of the answer, or until the failure. */
  readonly latencyMs: number;
  /** The first 512 bytes as text, without control characters and secrets; null for a compressed body. */
  readonly answer: string | null;
  readonly error: DeliveryError | null;
  /** 0 to 24 hours; null unless the receiver named a time with 429 or 503. */
  readonly retryAfterMs: number | null;
}

export interface WebhookSender {
  /**
   * One delivery. The receiver gets it once, or twice when it closed a kept connection while it was being sent.
   * @throws Error for an id that no header can carry, and for secrets that `signWebhook` does not take
   */
  readonly send: (request: WebhookRequest) => Promise<DeliveryResult>;
  /** Ends the deliveries under way as `reset`, closes the kept connections, and waits for both. */
  readonly close: () => Promise<void>;
}

export interface SenderOptions {
  /** Null on the machine of a user who calls any address over http or https. */
  readonly rules: AddressRules | null;
  /** The machine's time, also in a sandbox: receivers verify signatures by theirs. */
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** Real time, also in a sandbox. */
  readonly timer: Timer;
  /** All listeners of the process, as they are bound now. */
  readonly ownListeners: () => readonly ListenAddress[];
  /** Default: the resolver of the system. */
  readonly lookUpName?: LookUpName;
}

const HEAD_MAX_MS = 10_000;
/** Shorter than the five seconds after which many servers close an idle connection. */
const IDLE_MS = 4000;
const KEPT = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 8 };

/** Sends webhooks. Connections are kept for each receiver, so a sender has one set of address rules. */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const agents = { plain: new HttpAgent(KEPT), secure: new HttpsAgent(KEPT) };
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

/** Judges the address, then sends; sends again over a new connection when a kept one turned out to be closed. */
async function exchangeChecked(
  { url: text, id, body, headers, ...signers }: WebhookRequest,
  { rules, clock, timer, ownListeners, lookUpName = lookup, ...options }: DeliveryOptions,
): Promise<Exchange> {
  const parsed = rules === null ? null : parseWebhookAddress(text, rules);
  if (parsed?.ok === false) return REFUSED;
  const url = parsed?.url ?? new URL(text);
  const isAllowed = (address: string): boolean =>
    rules === null || isCallable(address, { url, rules, ownListeners: ownListeners() });
  // Sockets do not look up a literal address.
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
    lookup: checkedLookup(lookUpName, isAllowed),
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

const REFUSED: Exchange = { head: null, error: "address", wasStale: false };
