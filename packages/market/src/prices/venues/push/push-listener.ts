import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  type ConnectionLimiter,
  createConnectionLimiter,
  interceptConnections,
  type ListenAddress,
  listenerPort,
  listenOrigin,
  type Timer,
} from "@propgate/base";
import { WebSocketServer } from "ws";
import { UNAUTHORIZED } from "./push-refusal.ts";
import { PUSH_PATH, type PushServices, servePush } from "./push-request.ts";
import { PUSH_MESSAGE_BYTES_MAX, servePushStream } from "./push-stream.ts";

/** The open listener for pushed quotes. */
export interface PushListener {
  /** The address at which it answers: `http://127.0.0.1:8790`. */
  readonly origin: string;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 256;
const HEADER_BYTES_MAX = 16_384;
const HEADERS_MS_MAX = 10_000;
const HEADERS_CHECKED_EVERY_MS = 2_000;
/** A connection without a byte for this long is closed. A client keeps its stream open with empty lines. */
const IDLE_MS_MAX = 60_000;

export interface PushListenerOptions extends PushServices {
  readonly listen: ListenAddress;
  readonly timer: Timer;
  /** Addresses and blocks whose connections do not count against the maximum of their network. */
  readonly exempt: readonly string[];
}

/** Opens the listener. Rejects when its address cannot be used. */
export async function openPushListener(options: PushListenerOptions): Promise<PushListener> {
  const { timer } = options;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    response.on("error", () => undefined);
    servePush({ request, response, timer }, options).catch((cause: unknown) => {
      options.failed(cause);
      request.destroy();
    });
  };
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS_MAX,
      connectionsCheckingInterval: HEADERS_CHECKED_EVERY_MS,
      // The body of a request may be a stream of quotes without an end.
      requestTimeout: 0,
      keepAliveTimeout: IDLE_MS_MAX,
    },
    serve,
  );
  const room = limitConnections(server, options.exempt);
  server.timeout = IDLE_MS_MAX;
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A client with neither the token nor signing headers gets no `100 Continue`, so it never sends its body.
    const { access } = options;
    if (access.isSigned(request) || access.isBearer(request)) response.writeContinue();
    serve(request, response);
  });
  const sockets = acceptStreams(server, options);
  await listening(server, options.listen);
  const port = listenerPort(server.address());
  return {
    origin: listenOrigin({ host: options.listen.host, port }),
    close: () =>
      new Promise((resolve) => {
        room.closeWaiting();
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Limits the connections of the server. An idle connection may be ended to make room for a new one; a connection with a
 * request or a stream is not idle.
 */
function limitConnections(server: Server, exempt: readonly string[]): ConnectionLimiter {
  const busy = new WeakSet<Duplex>();
  const room = createConnectionLimiter({
    max: CONNECTIONS_MAX,
    exempt,
    waitMsMax: HEADERS_MS_MAX,
    isIdle: (socket) => !busy.has(socket),
    serve(socket) {
      serve(socket);
      socket.resume();
    },
    refuse: (socket) => socket.destroy(),
  });
  const serve = interceptConnections(server, (socket) => room.admit(socket));
  const follow = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
  };
  server.prependListener("request", follow);
  server.prependListener("checkContinue", follow);
  server.prependListener("upgrade", (_, socket: Duplex) => busy.add(socket));
  return room;
}

function acceptStreams(server: Server, options: PushListenerOptions): WebSocketServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: PUSH_MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const { access } = options;
    const isAllowed = access.isSigned(request)
      ? access.signedRequestProblem(request, Buffer.alloc(0)) === null
      : access.isBearer(request);
    if (!isAllowed) options.unauthorized();
    if (request.url !== PUSH_PATH) refuseUpgrade(socket, "404 Not Found", `use ${PUSH_PATH}`);
    else if (!isAllowed) refuseUpgrade(socket, "401 Unauthorized", UNAUTHORIZED.message);
    else sockets.handleUpgrade(request, socket, head, (one) => servePushStream(one, options));
  });
  return sockets;
}

function refuseUpgrade(socket: Duplex, status: string, message: string): void {
  const body = `${JSON.stringify({ error: message })}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function listening(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
