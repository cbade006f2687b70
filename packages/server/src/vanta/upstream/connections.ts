import { type ClientRequest, Agent as HttpAgent, type RequestOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, connect as openTcp, type Socket } from "node:net";
import { connect as openTls } from "node:tls";
import type { BaseUrl } from "./base-url.ts";

/** How one request gets its connection. */
export interface Connecting {
  /** Options for `http.request`. */
  readonly options: Pick<RequestOptions, "agent" | "createConnection">;
  /** Ends the request. A connection of its own is reset, so that the system sends none of the bytes it still has. */
  abandon(request: ClientRequest): void;
}

/** Connections to one upstream. */
export interface Connections {
  /** One of the kept connections, or a new one that is kept afterwards. It may have been closed by the other side. */
  kept(): Connecting;
  /** A new connection for this request alone, which therefore cannot be stale. */
  fresh(): Connecting;
  close(): void;
}

export function createConnections(
  base: BaseUrl,
  limits: { readonly socketsMax: number; readonly idleMs: number },
): Connections {
  const kept = {
    keepAlive: true,
    maxSockets: limits.socketsMax,
    maxFreeSockets: limits.socketsMax,
    timeout: limits.idleMs,
  };
  const agent = base.isSecure
    ? new HttpsAgent({ ...kept, rejectUnauthorized: true })
    : new HttpAgent(kept);
  return {
    kept: () => ({ options: { agent }, abandon: (request) => void request.destroy() }),
    fresh() {
      const tcp: { socket: Socket | null } = { socket: null };
      return {
        options: {
          createConnection() {
            tcp.socket = openTcp({ host: base.hostname, port: base.port, noDelay: true });
            return base.isSecure ? secured(tcp.socket, base.hostname) : tcp.socket;
          },
        },
        abandon(request) {
          if (tcp.socket?.connecting === false) tcp.socket.resetAndDestroy();
          request.destroy();
        },
      };
    },
    close: () => agent.destroy(),
  };
}

function secured(socket: Socket, hostname: string): Socket {
  return openTls({
    socket,
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
  });
}
