import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemStopwatch, systemTimer, yieldToEventLoop } from "@propgate/base";
import type { EdgeLimits } from "./limits.ts";

/** A request on a connection, with its answer. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether HTTP lets the connection serve another request after this one. */
  readonly keepsAlive: boolean;
}

/**
 * Ends a listener without losing a request. A client may send its next request at any time, also while the service
 * closes the connection. So the service first sends each client an answer with `Connection: close`, after which the
 * client closes the connection. The service itself closes only connections on which no request arrives.
 */
export interface Drain {
  /** After this call, the last answer of each connection closes it. Requests are still served. */
  begin(): void;
  /**
   * Closes the listener, then the connections, and resolves when none is left: at most `stopMs` later, and
   * `stopClientMs` later for a client that neither completes its request nor reads its answer.
   */
  finish(): Promise<void>;
  /** Aborts when open files and event streams must end. */
  readonly ending: AbortSignal;
}

/** A drain with the methods by which it learns of connections and requests. */
export interface FollowedDrain extends Drain {
  /** Call this when Node's parser begins to get the bytes of the connection. */
  opened(socket: Socket): void;
  /** Call this for every request, with the earlier unfinished ones; false when the request must be ignored. */
  followRequest(exchange: Exchange, before: readonly Exchange[]): boolean;
}

/** The name of the fastify decoration that holds the drain. */
export const DRAIN = "drain";

const CHECK_MS = 25;
/** After this many rounds of the event loop without a new connection, the system has no more connections to accept. */
const EMPTY_ROUNDS = 3;

/** The time at which a connection last sent anything, and its byte count at that time. */
interface LastActivity {
  readonly atMs: number;
  readonly bytes: number;
}

export function createDrain(parts: {
  readonly limits: Pick<EdgeLimits, "stopQuietMs" | "stopClientMs" | "stopMs" | "refusedLingerMs">;
  /** Open connections, without queued and refused ones. */
  readonly sockets: () => Iterable<Socket>;
  /** The number of connections since the start. */
  readonly accepted: () => number;
  readonly exchangesOf: (socket: Duplex) => readonly Exchange[];
  /** Ignores all later bytes of this connection. */
  readonly ignore: (socket: Socket) => void;
  readonly server: () => Server;
}): FollowedDrain {
  const { limits, sockets, exchangesOf } = parts;
  const heard = new WeakMap<Duplex, LastActivity>();
  /** The time since which the service has waited for the client of a connection. */
  const waitingSince = new WeakMap<Socket, number>();
  const closing = new WeakSet<Socket>();
  const ending = new AbortController();
  let isDraining = false;
  let finishing: Promise<void> | null = null;

  const hear = (socket: Socket): void => {
    heard.set(socket, { atMs: systemStopwatch.nowMs(), bytes: socket.bytesRead });
  };

  /**
   * Closes a connection for writing. Closing for reading too would reset the connection if the client still sends, and
   * a reset may discard an answer that the client has not read yet.
   */
  const close = (socket: Socket): void => {
    if (closing.has(socket)) return;
    closing.add(socket);
    parts.ignore(socket);
    const end = (): void => void socket.destroy();
    socket.once("end", end);
    socket.end(() => systemTimer.after(limits.refusedLingerMs, end));
  };

  const closeAfter = ({ message, response }: Exchange): void => {
    if (response.headersSent) return;
    response.shouldKeepAlive = false;
    // Node calls this after the last answer of a connection.
    Object.assign(message.socket, { destroySoon: () => close(message.socket) });
  };

  const isQuiet = (socket: Socket, nowMs: number): boolean => {
    const last = heard.get(socket);
    if (last === undefined) return false;
    if (last.bytes === socket.bytesRead) return nowMs - last.atMs >= limits.stopQuietMs;
    hear(socket);
    return false;
  };

  const checkOne = (socket: Socket, since: { beganMs: number; nowMs: number }): void => {
    const { beganMs, nowMs } = since;
    const open = exchangesOf(socket).filter(({ response }) => !response.closed);
    const isWorkedOn = open.some(
      ({ message, response }) => message.complete && !response.writableEnded,
    );
    if (isWorkedOn) waitingSince.set(socket, nowMs);
    const waitedMs = nowMs - (waitingSince.get(socket) ?? beganMs);
    if (waitedMs >= limits.stopClientMs || nowMs - beganMs >= limits.stopMs) socket.destroy();
    else if (open.length === 0 && isQuiet(socket, nowMs)) close(socket);
  };

  const closeConnections = (): Promise<void> =>
    new Promise((resolve) => {
      const beganMs = systemStopwatch.nowMs();
      let cancel = (): void => undefined;
      const check = (): void => {
        const nowMs = systemStopwatch.nowMs();
        for (const socket of sockets()) checkOne(socket, { beganMs, nowMs });
        cancel = systemTimer.after(CHECK_MS, check);
      };
      // The `close` of an HTTP server would close idle connections immediately, even with a request on the way.
      NetServer.prototype.close.call(parts.server(), () => {
        cancel();
        resolve();
      });
      check();
    });

  return {
    ending: ending.signal,
    opened: hear,
    followRequest(exchange, before) {
      const { message, response } = exchange;
      response.once("close", () => hear(message.socket));
      if (!isDraining) return true;
      const isAfterLast = before.some(
        (one) => one.response.headersSent && one.keepsAlive && !one.response.shouldKeepAlive,
      );
      if (isAfterLast || closing.has(message.socket)) return false;
      for (const one of before) {
        if (!one.response.headersSent) one.response.shouldKeepAlive = one.keepsAlive;
      }
      closeAfter(exchange);
      return true;
    },
    begin() {
      if (isDraining) return;
      isDraining = true;
      for (const socket of sockets()) {
        const last = exchangesOf(socket).at(-1);
        if (last !== undefined && !last.response.closed) closeAfter(last);
      }
    },
    finish() {
      this.begin();
      ending.abort();
      finishing ??= acceptWaiting(parts.accepted, limits.stopQuietMs).then(closeConnections);
      return finishing;
    },
  };
}

/**
 * Accepts the connections that still wait in the operating system's queue. Node accepts one per round of the event
 * loop. Closing the listener would reset the waiting connections, even those whose clients have already sent a request.
 */
async function acceptWaiting(accepted: () => number, timeoutMs: number): Promise<void> {
  const startedMs = systemStopwatch.nowMs();
  let known = accepted();
  let empty = 0;
  while (empty < EMPTY_ROUNDS && systemStopwatch.nowMs() - startedMs < timeoutMs) {
    await yieldToEventLoop();
    empty = accepted() === known ? empty + 1 : 0;
    known = accepted();
  }
}
