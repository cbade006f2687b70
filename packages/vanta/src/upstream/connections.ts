import { type ClientRequest, Agent as HttpAgent, type RequestOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, connect as openTcp, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as openTls } from "node:tls";
import type { Timer } from "@propgate/base";
import type { BaseUrl } from "./base-url.ts";

/** How one request gets its connection. */
export interface ConnectionSource {
  /** Options for `http.request`. */
  readonly options: Pick<RequestOptions, "agent" | "createConnection">;
  /**
   * Calls `ready` once the connection takes bytes; `wasUsed` is true when the connection carried a request before.
   * Calls `late` when the connection takes too long.
   */
  whenReady(
    request: ClientRequest,
    then: { readonly ready: (wasUsed: boolean) => void; readonly late: () => void },
  ): void;
  /** Ends the request. A connection of its own is reset, so that the system sends none of the bytes it still has. */
  abandon(request: ClientRequest): void;
}

/** Connections to one upstream. */
export interface Connections {
  /** One of the kept connections, or a new one that is kept afterwards. It may have been closed by the other side. */
  keptConnection(): ConnectionSource;
  /** A new connection for this request alone, which therefore cannot be stale. */
  newConnection(): ConnectionSource;
  close(): void;
}

/** The address of an upstream, and the limits of the connections to it. */
export interface ConnectionLimits {
  readonly base: BaseUrl;
  readonly timer: Timer;
  readonly connectTimeoutMs: number;
  /** The maximum number of connections that are kept, and how long an idle one is kept. */
  readonly socketsMax: number;
  readonly idleMs: number;
}

export function createConnections(limits: ConnectionLimits): Connections {
  const { base } = limits;
  const { whenReady, watch } = createReadiness(limits);
  const agent = createAgent(limits, watch);
  /**
   * The connections that carry one request each. `close` ends them, because an order under way would keep a stopped
   * process alive.
   */
  const own = new Set<Socket>();
  const ownSocket = (): Socket => {
    const socket = openTcp({ host: base.hostname, port: base.port, noDelay: true });
    own.add(socket);
    socket.once("close", () => own.delete(socket));
    return socket;
  };
  return {
    keptConnection: () => ({
      options: { agent },
      whenReady,
      abandon: (request) => void request.destroy(),
    }),
    newConnection() {
      const tcp: { socket: Socket | null } = { socket: null };
      return {
        options: {
          createConnection() {
            tcp.socket = ownSocket();
            return base.isSecure ? secureSocket(tcp.socket, base.hostname) : tcp.socket;
          },
        },
        whenReady,
        abandon(request) {
          if (tcp.socket?.connecting === false) tcp.socket.resetAndDestroy();
          request.destroy();
        },
      };
    },
    close() {
      agent.destroy();
      for (const socket of own) socket.destroy();
    },
  };
}

function createAgent(
  { base, socketsMax, idleMs }: ConnectionLimits,
  watch: (made: Duplex) => void,
): HttpAgent {
  const kept = {
    keepAlive: true,
    maxSockets: socketsMax,
    maxFreeSockets: socketsMax,
    timeout: idleMs,
  };
  const agent = base.isSecure
    ? new HttpsAgent({ ...kept, rejectUnauthorized: true })
    : new HttpAgent(kept);
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const made = create(options, callback);
    if (made) watch(made);
    return made;
  };
  return agent;
}

/**
 * Remembers which connections are ready, because Node's `reusedSocket` is false for a request that waited for a kept
 * connection. A kept connection is watched from its beginning: its first request may end before it gets the connection.
 */
function createReadiness({ base, timer, connectTimeoutMs }: ConnectionLimits): {
  readonly whenReady: ConnectionSource["whenReady"];
  readonly watch: (made: Duplex) => void;
} {
  // A secure connection is not ready before its certificate is accepted.
  const isReady = base.isSecure ? "secureConnect" : "connect";
  const readySockets = new WeakSet<Duplex>();
  const watch = (made: Duplex): void => {
    made.once(isReady, () => readySockets.add(made));
  };
  const whenReady: ConnectionSource["whenReady"] = (request, { ready, late }) => {
    request.once("socket", (socket) => {
      if (readySockets.has(socket)) {
        ready(true);
        return;
      }
      const cancel = timer.after(connectTimeoutMs, late);
      socket.once("close", cancel);
      socket.once(isReady, () => {
        cancel();
        ready(false);
      });
    });
  };
  return { whenReady, watch };
}

function secureSocket(socket: Socket, hostname: string): Socket {
  return openTls({
    socket,
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
  });
}
