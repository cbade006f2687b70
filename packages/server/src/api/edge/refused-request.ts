import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type BodyIntake, createBodyIntake, hasBody } from "./body-intake.ts";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";
import { createDrain, type Drain, type Exchange } from "./drain.ts";
import type { EdgeLimits } from "./limits.ts";
import { createPartialRequestHeads } from "./partial-request-heads.ts";
import {
  type EdgeRefusal,
  edgeRefusal,
  edgeRefusalBody,
  edgeRefusalBytes,
  edgeRefusalHeaders,
  parserRefusal,
  type RequestLine,
} from "./refusals.ts";
import { routedPath } from "./target-path.ts";

const MALFORMED = edgeRefusal("malformedRequest", null);
const SIGNED_PREFIX = "/api/v1/trading/";

/** The server's work on connections, below any route. */
export interface Edge {
  /** Receives the bodies of all requests of the listener. */
  readonly bodies: BodyIntake;
  /** Ends the listener without losing a request. */
  readonly drain: Drain;
  /** Answers bytes that are not HTTP, a request that is too large, or a timeout, and closes the connection. */
  readonly refuse: (cause: Error & { readonly code?: string }, socket: Duplex) => void;
  /** True when the request was answered here and must not reach a route. */
  refusesRequest(message: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Limits the connections of the server and follows its requests. Replaces Node's own answers by answers in the
   * service's form, or by none.
   */
  attachTo(server: Server): void;
  /** Closes the connections that never sent a byte. Call this when the listener closes without a drain. */
  closeUnused(): void;
}

/**
 * Creates the edge of a listener. Bytes that are not HTTP still get an answer in the envelope; then the connection
 * closes. Complete requests before them on the same connection are answered first, so that a carried-out order does not
 * look rejected. @rule S1.envelope
 */
export function createEdge(limits: EdgeLimits, security: Readonly<Record<string, string>>): Edge {
  const open = new WeakMap<Duplex, readonly Exchange[]>();
  const broken = new WeakSet<Duplex>();
  const overPipelined = new WeakSet<Duplex>();
  /** Connections whose later bytes are ignored, because the answer that closes them is being sent. */
  const stopped = new WeakSet<Duplex>();
  /** Requests that arrived after the one whose answer closes their connection. */
  const ignoredRequests = new WeakSet<IncomingMessage>();
  const heads = createPartialRequestHeads();
  let guarded: { readonly server: Server; readonly connections: ConnectionLimit } | null = null;
  const drain = createDrain({
    limits,
    sockets: () => guarded?.connections.servedSockets() ?? [],
    accepted: () => guarded?.connections.acceptedCount() ?? 0,
    exchangesOf: (socket) => open.get(socket) ?? [],
    ignore: (socket) => stopped.add(socket),
    server() {
      if (guarded === null)
        throw new Error("broken invariant: a listener is guarded from its start");
      return guarded.server;
    },
  });

  const follow = (message: IncomingMessage, response: ServerResponse): void => {
    const { socket } = message;
    heads.complete(socket, hasBody(message));
    if (overPipelined.has(socket)) return;
    // A request that was answered before its body ended stays in the list until the next request starts.
    const before = (open.get(socket) ?? []).filter(({ response: one }) => !one.closed);
    const exchange = { message, response, keepsAlive: response.shouldKeepAlive };
    if (!drain.followRequest(exchange, before)) {
      ignoredRequests.add(message);
      return;
    }
    open.set(socket, [...before, exchange]);
    // All later requests are rejected too: the connection closes after the first of them.
    if (hasTooManyUnanswered(message, before, limits)) overPipelined.add(socket);
    bodies.begin(message, response);
  };

  const refuse: Edge["refuse"] = (cause, socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    const exchanges = open.get(socket) ?? [];
    const whole = exchanges.filter(({ message, response }) => message.complete && !response.closed);
    const rest = exchanges.filter(({ message }) => !message.complete);
    const end = (): void => {
      if (socket.destroyed) return;
      const isAnswered = rest.some(({ response }) => response.headersSent);
      if (cause.code !== "ECONNRESET" && !isAnswered && socket.writable) {
        const [unread] = rest;
        const line = unread === undefined ? heads.lineOf(socket) : lineOf(unread.message);
        socket.write(edgeRefusalBytes(parserRefusal(cause, line), security));
      }
      socket.end(() => socket.destroy());
    };
    void Promise.all(whole.map(({ response }) => untilClosed(response))).then(end);
  };

  /**
   * Ends a connection in the middle of a body. The request gets an answer, after the answers to earlier requests,
   * unless its own answer has begun.
   */
  const endBody = (message: IncomingMessage): void => {
    const { socket } = message;
    const own = (open.get(socket) ?? []).find((exchange) => exchange.message === message);
    if (own === undefined || own.response.headersSent) socket.destroy();
    else refuse(new Error("a body in too many pieces"), socket);
  };
  const bodies = createBodyIntake({
    bytesMax: limits.bodyBytesInFlightMax,
    shareMax: limits.bodyBytesPerNetworkMax,
    end: endBody,
  });

  return {
    bodies,
    drain,
    refuse,
    refusesRequest(message, response) {
      if (ignoredRequests.has(message)) return true;
      if (overPipelined.has(message.socket)) {
        stopped.add(message.socket);
        answerRefused(edgeRefusal("tooManyPipelined", lineOf(message)), response, security);
      } else if (isMisframed(message)) refuse(new Error("no request"), message.socket);
      else return false;
      return true;
    },
    attachTo(server) {
      // A client that half-closed its connection still waits for the answer.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.timeout = limits.stalledMs;
      server.on("timeout", (socket) => endTimedOut(socket, open.get(socket) ?? []));
      server.prependListener("request", follow);
      server.on("checkExpectation", (_, response) => answerRefused(MALFORMED, response, security));
      server.on("connect", (_message, socket) => refuse(new Error("CONNECT"), socket));
      const connections = limitConnections(server, limits, {
        security,
        isIdle: (socket) => (open.get(socket) ?? []).every(({ response }) => response.closed),
        isStopped: (socket) => broken.has(socket) || stopped.has(socket),
        onServed: (socket) => drain.opened(socket),
        onBytes(socket, bytes) {
          if (open.get(socket)?.at(-1)?.message.complete !== false) heads.add(socket, bytes);
        },
      });
      guarded = { server, connections };
    },
    closeUnused: () => guarded?.connections.closeUnused(),
  };
}

/** Requests that Node's parser accepts and a service must reject: RFC 9112, sections 2.3, 3.2 and 3.2.4. */
function isMisframed({ method, url, httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1 || (httpVersion === "1.1" && hosts === 0)) return true;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return true;
  return url === "*" && method !== "OPTIONS";
}

/**
 * Whether too many requests of the connection are unanswered. A signed request counts all of them, an unsigned request
 * counts only the unsigned ones.
 */
function hasTooManyUnanswered(
  message: IncomingMessage,
  before: readonly Exchange[],
  limits: Pick<EdgeLimits, "pipelinedMax" | "pipelinedUnsignedMax">,
): boolean {
  if (isSigned(message)) return before.length >= limits.pipelinedMax;
  const unsigned = before.filter((exchange) => !isSigned(exchange.message));
  return unsigned.length >= limits.pipelinedUnsignedMax;
}

/** Whether the request's endpoint requires a signature. */
function isSigned({ url = "" }: IncomingMessage): boolean {
  return url.startsWith(SIGNED_PREFIX) || routedPath(url).startsWith(SIGNED_PREFIX);
}

/** Ends a connection that has timed out, if it is idle or its client does not read the answer. */
function endTimedOut(socket: Duplex, exchanges: readonly Exchange[]): void {
  const isWorkedOn = exchanges.some(({ response }) => !response.writableEnded);
  if (!isWorkedOn || socket.writableLength > 0) socket.destroy();
}

function lineOf({ method = "", url = "" }: IncomingMessage): RequestLine {
  return { method, target: url };
}

function answerRefused(
  refused: EdgeRefusal,
  response: ServerResponse,
  security: Readonly<Record<string, string>>,
): void {
  response
    .writeHead(refused.status, edgeRefusalHeaders(refused, security))
    .end(edgeRefusalBody(refused));
}

function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}
