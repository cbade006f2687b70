import { type Agent, type IncomingMessage, request as openRequest } from "node:http";
import { request as openSecureRequest } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import type { Timer } from "@propgate/base";
import type { DeliveryError } from "@propgate/contract";
import { portOf } from "./address-rules.ts";
import { AddressRefused, NameNotResolved } from "./checked-lookup.ts";
import { bareHost } from "./webhook-address.ts";
import { readWebhookAnswer } from "./webhook-answer.ts";

/**
 * One request and its answer. `head` is null when no answer came. `wasStale` is true when the receiver had closed a
 * kept connection, so that the request may be sent again over a new one.
 */
export type WebhookExchange =
  | { readonly head: IncomingMessage; readonly answer: Promise<string | null> }
  | { readonly head: null; readonly error: DeliveryError; readonly wasStale: boolean };

export interface ExchangeOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The kept connections; false opens a connection for this request alone. */
  readonly agent: Agent | false;
  readonly lookup: LookupFunction;
  readonly timer: Timer;
  /**
   * When this signal aborts, the exchange ends: as `reset` when the reason is `closed`, as `timeout` for every other
   * reason.
   */
  readonly signal: AbortSignal;
}

const CONNECT_MAX_MS = 3000;

/**
 * Sends one POST and resolves with the head of its answer, while the body is still being read. It follows no redirect
 * and uses no proxy. A failure is returned, not thrown.
 */
export function exchangeWebhook(options: ExchangeOptions): Promise<WebhookExchange> {
  const { body, timer, signal } = options;
  if (signal.aborted) return Promise.resolve(failedExchange(abortError(signal)));
  return new Promise((resolve) => {
    const request = openPost(options);
    /** The error that is reported when the exchange fails in its present stage. */
    let stage: "connect" | "tls" | "reset" = "connect";
    let isOver = false;
    const end = (exchange: WebhookExchange): void => {
      if (isOver) return;
      isOver = true;
      cancelConnect();
      signal.removeEventListener("abort", onAbort);
      resolve(exchange);
      if (exchange.head === null) request.destroy();
    };
    const onAbort = (): void => end(failedExchange(abortError(signal)));
    const cancelConnect = timer.after(CONNECT_MAX_MS, () => {
      if (stage !== "reset") end(failedExchange("timeout"));
    });
    signal.addEventListener("abort", onAbort);
    request.once("socket", (socket: Socket) => {
      if (request.reusedSocket) {
        stage = "reset";
        return;
      }
      const isSecure = options.url.protocol === "https:";
      socket.once("connect", () => {
        stage = isSecure ? "tls" : "reset";
      });
      socket.once("secureConnect", () => {
        stage = "reset";
      });
    });
    request.on("error", (cause) => {
      const wasStale = request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(codeOf(cause));
      end({ head: null, error: errorOf(cause, stage), wasStale });
    });
    // The request also closes without an error, for example when the receiver switches the connection to another
    // protocol.
    request.on("close", () => end(failedExchange("reset")));
    // Reading begins immediately, because the connection may end before the awaiting caller runs.
    request.on("response", (head) => end({ head, answer: readWebhookAnswer(head, options) }));
    request.end(body);
  });
}

function openPost({ url, headers, body, agent, lookup }: ExchangeOptions) {
  return (url.protocol === "https:" ? openSecureRequest : openRequest)({
    agent,
    lookup,
    method: "POST",
    hostname: bareHost(url),
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    // Set explicitly, because `NODE_TLS_REJECT_UNAUTHORIZED` in the environment could switch off the default.
    rejectUnauthorized: true,
  });
}

function failedExchange(error: DeliveryError): WebhookExchange {
  return { head: null, error, wasStale: false };
}

function abortError(signal: AbortSignal): DeliveryError {
  return signal.reason === "closed" ? "reset" : "timeout";
}

function errorOf(cause: Error, stage: "connect" | "tls" | "reset"): DeliveryError {
  if (cause instanceof AddressRefused) return "address";
  if (cause instanceof NameNotResolved) return "dns";
  // A receiver may reject the client for a missing certificate only after the handshake. So TLS errors are `tls` at any
  // stage.
  return /^(ERR_SSL_|EPROTO$)/.test(codeOf(cause)) ? "tls" : stage;
}

function codeOf(cause: Error): string {
  return "code" in cause ? String(cause.code) : "";
}
