import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";
import type { EdgeLimits } from "./limits.ts";
import {
  MALFORMED,
  type Refusal,
  refusalBody,
  refusalBytes,
  refusalHeaders,
  refusalOf,
  TOO_MANY_PIPELINED,
} from "./refusals.ts";

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** What the server does on the socket's level, where no route is reached. */
export interface Edge {
  /** For what is no HTTP, is too large, or did not come in time. */
  readonly refuse: (cause: Error & { readonly code?: string }, socket: Duplex) => void;
  /** True, and it has been answered, when the request is one that no route shall see. */
  turnsAway(message: IncomingMessage, response: ServerResponse): boolean;
  /** Takes over what Node would answer by itself, in a form of its own or not at all. */
  guard(server: Server): void;
  /** To be called when the service stops. */
  closeUnused(): void;
}

/**
 * What is no HTTP still gets the envelope, and then the connection closes. What came whole before
 * it on the same connection is answered first: an order that was carried out must not look as if it
 * had been turned away. @rule S1.envelope
 */
export function createEdge(limits: EdgeLimits, security: Readonly<Record<string, string>>): Edge {
  const open = new WeakMap<Duplex, readonly Exchange[]>();
  const broken = new WeakSet<Duplex>();
  const crowded = new WeakSet<Duplex>();
  let connections: ConnectionLimit | null = null;

  const follow = (message: IncomingMessage, response: ServerResponse): void => {
    const { socket } = message;
    if (crowded.has(socket)) return;
    // One that was answered before all of it came stays known until the next one begins.
    const before = [...(open.get(socket) ?? [])].filter(({ response: one }) => !one.closed);
    open.set(socket, [...before, { message, response }]);
    // All that follow are turned away too: the connection closes behind the first of them.
    if (before.length >= limits.pipelinedMax) crowded.add(socket);
  };

  const refuse: Edge["refuse"] = (cause, socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    const exchanges = open.get(socket) ?? [];
    const whole = exchanges.filter(({ message, response }) => message.complete && !response.closed);
    const isAnswered = exchanges.some(
      ({ message, response }) => !message.complete && response.headersSent,
    );
    const end = (): void => {
      if (socket.destroyed) return;
      if (cause.code !== "ECONNRESET" && !isAnswered && socket.writable) {
        socket.write(refusalBytes(refusalOf(cause), security));
      }
      socket.end(() => socket.destroy());
    };
    void Promise.all(whole.map(({ response }) => closed(response))).then(end);
  };

  const answer = (refusal: Refusal, response: ServerResponse): void => {
    response.writeHead(refusal.status, refusalHeaders(refusal, security)).end(refusalBody(refusal));
  };

  /** An idle connection ends, and so does one whose client takes nothing of its answer. */
  const giveUp = (socket: Duplex): void => {
    const isWorkedOn = (open.get(socket) ?? []).some(({ response }) => !response.writableEnded);
    if (!isWorkedOn || socket.writableLength > 0) socket.destroy();
  };

  return {
    refuse,
    turnsAway(message, response) {
      if (crowded.has(message.socket)) answer(TOO_MANY_PIPELINED, response);
      else if (lacksHost(message)) refuse(new Error("no Host"), message.socket);
      else return false;
      return true;
    },
    guard(server) {
      // A client that has said all it wants to say still waits for the answer.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.timeout = limits.stalledMs;
      server.on("timeout", giveUp);
      server.prependListener("request", follow);
      server.on("checkExpectation", (_message, response) => answer(MALFORMED, response));
      server.on("connect", (_message, socket) => refuse(new Error("CONNECT"), socket));
      connections = limitConnections(server, limits, security);
    },
    closeUnused: () => connections?.closeUnused(),
  };
}

/** HTTP/1.1 needs one; nothing here depends on what it says. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}
