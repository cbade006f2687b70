import { createSlots } from "@propgate/base";
import type { Literal } from "../python-literal.ts";
import type { HttpCall } from "./bounded-http.ts";
import type { Gateway, UpstreamResult } from "./port.ts";
import { PAUSED } from "./upstream-host.ts";
import { openUpstream, type UpstreamOptions } from "./upstream-options.ts";
import { withinTime } from "./within-time.ts";

const ANSWER_BYTES_MAX = 262_144;

/** The maximum number of orders that are under way at the same time, of all accounts together. */
const ORDERS_MAX = 64;

const ORDER = {
  method: "POST",
  path: "/api/submit-order",
  answerBytesMax: ANSWER_BYTES_MAX,
  mustSucceed: true,
} as const;

const HEALTH = readOf("/api/health");

function readOf(path: string): HttpCall {
  return { method: "GET", path, body: null, answerBytesMax: ANSWER_BYTES_MAX, mustSucceed: false };
}

/**
 * The gateway over HTTP. Orders and requests for their status have separate slots. An order is sent once, over a
 * connection of its own. An answer with `success` false is a refusal, also with status 200. After a pause of the calls,
 * an order is never the call that tries the host: a request for the gateway's health is sent first, within the order's
 * time limit.
 * @throws CannotStart when the key cannot be sent, or not to this address
 */
export function createGatewayClient(options: UpstreamOptions): Gateway & { close(): void } {
  const { host, limits, close } = openUpstream(options, ORDERS_MAX);
  const orders = createSlots(limits.othersMax);
  const reads = createSlots(limits.readsMax);
  const submit = async (
    order: Pick<HttpCall, "body" | "trace">,
    signal: AbortSignal,
  ): Promise<UpstreamResult<Literal>> => {
    if (host.health().isPaused) {
      await host.call(HEALTH, reads, signal);
      if (host.health().isPaused) return PAUSED;
    }
    return await host.call({ ...ORDER, ...order }, orders, signal);
  };
  return {
    submit: (body, timeoutMs, trace) =>
      withinTime(options.timer, timeoutMs, (signal) =>
        submit({ body: JSON.stringify(body), trace }, signal),
      ),
    status: (orderUuid) =>
      withinTime(options.timer, limits.readTimeoutMs, (signal) =>
        host.call(readOf(`/api/order-status/${encodeURIComponent(orderUuid)}`), reads, signal),
      ),
    health: () => host.health(),
    close,
  };
}
