import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FailureBody } from "@propgate/contract";

const MALFORMED: FailureBody = { error: "Malformed request" };
const BODY = JSON.stringify(MALFORMED);
const HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": String(Buffer.byteLength(BODY)),
  Connection: "close",
};

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** What the server does on the socket's level, where no route is reached. */
export interface Edge {
  /** For what is no HTTP, or did not come in time. */
  readonly answerMalformed: (cause: Error & { readonly code?: string }, socket: Duplex) => void;
  /** Takes over what Node would answer by itself, in a form of its own or not at all. */
  guard(server: Server): void;
}

/**
 * What is no HTTP still gets the envelope, and then the connection closes. What came whole before
 * it on the same connection is answered first: an order that was carried out must not look as if it
 * had been turned away. @rule S1.envelope
 */
export function createEdge(): Edge {
  const open = new WeakMap<Duplex, readonly Exchange[]>();
  const broken = new WeakSet<Duplex>();

  const follow = (message: IncomingMessage, response: ServerResponse): void => {
    // One that was answered before all of it came stays known until the next one begins.
    const before = [...(open.get(message.socket) ?? [])].filter(({ response: one }) => !one.closed);
    open.set(message.socket, [...before, { message, response }]);
  };

  const answerMalformed: Edge["answerMalformed"] = (cause, socket) => {
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
        socket.write(`HTTP/1.1 400 Bad Request\r\n${headerLines()}\r\n\r\n${BODY}`);
      }
      socket.end(() => socket.destroy());
    };
    void Promise.all(whole.map(({ response }) => closed(response))).then(end);
  };

  return {
    answerMalformed,
    guard(server) {
      // A client that has said all it wants to say still waits for the answer.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.prependListener("request", follow);
      server.on("checkExpectation", (_message, response) =>
        response.writeHead(400, HEADERS).end(BODY),
      );
      server.on("connect", (_message, socket) => answerMalformed(new Error("CONNECT"), socket));
    },
  };
}

/** HTTP/1.1 needs one; nothing here depends on what it says. */
export function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}

function headerLines(): string {
  return Object.entries(HEADERS)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n");
}
