import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createConnectionLimiter, interceptConnections } from "@propgate/base";
import type { EdgeLimits } from "./limits.ts";
import { edgeRefusal, edgeRefusalBytes } from "./refusals.ts";
import { feedInSlices } from "./socket-slices.ts";

/** Counts the connections of a server, and closes unused ones. */
export interface ConnectionLimit {
  /** The number of connections since the start, including refused ones. */
  acceptedCount(): number;
  /** Open connections that are being served: no longer queued, and not refused. */
  servedSockets(): Iterable<Socket>;
  /**
   * Closes connections that never sent a byte. Node counts them as busy, and browsers open them in
   * advance, so they would delay a stop.
   */
  closeUnused(): void;
}

/**
 * The minimum time between two new connections that the service begins to serve. Serving one costs up to half a
 * millisecond of processor time, so a burst of hundreds would otherwise delay every client that is connected already. A
 * process accepts about 900 new connections a second; requests on open connections are not paced.
 */
const ACCEPT_INTERVAL_MS = 1;

/**
 * Limits the connections of a server. A connection over the limit is refused before a byte of it is read, so its client
 * knows that no request was carried out.
 */
export function limitConnections(
  server: Server,
  limits: Pick<
    EdgeLimits,
    | "connectionsMax"
    | "unsharedFrom"
    | "headersTimeoutMs"
    | "refusedConcurrentMax"
    | "refusedLingerMs"
  >,
  options: {
    readonly security: Readonly<Record<string, string>>;
    /** True when no request of this connection is unanswered. */
    readonly isIdle: (socket: Socket) => boolean;
    /** Whether later bytes of this connection are ignored. */
    readonly isStopped: (socket: Socket) => boolean;
    /** Called when the service begins to serve a connection and to read its bytes. */
    readonly onServed: (socket: Socket) => void;
    /** Called with the bytes of a connection before they are parsed. */
    readonly onBytes: (socket: Socket, bytes: Buffer) => void;
  },
): ConnectionLimit {
  const bytes = edgeRefusalBytes(edgeRefusal("tooManyConnections", null), options.security);
  const served = new Set<Socket>();
  let refused = 0;
  let accepted = 0;

  const refuse = (socket: Socket): void => {
    if (refused >= limits.refusedConcurrentMax) {
      socket.destroy();
      return;
    }
    refused += 1;
    const timer = setTimeout(() => socket.destroy(), limits.refusedLingerMs);
    // Pending bytes are read and discarded, because closing with unread bytes would lose the answer.
    socket.on("end", () => socket.destroy());
    socket.once("close", () => {
      refused -= 1;
      clearTimeout(timer);
    });
    socket.resume();
    socket.end(bytes);
  };

  const serveInTurn = paceCalls((socket) => {
    if (socket.destroyed) return;
    served.add(socket);
    options.onServed(socket);
    serve(socket);
    feedInSlices(
      socket,
      () => options.isStopped(socket),
      (bytes) => options.onBytes(socket, bytes),
    );
    socket.resume();
  });

  const room = createConnectionLimiter({
    ...options,
    max: limits.connectionsMax,
    exempt: limits.unsharedFrom,
    // A queued connection may wait as long as a served client may take to send its headers.
    waitMsMax: limits.headersTimeoutMs,
    serve: serveInTurn,
    refuse,
  });
  const serve = interceptConnections(server, (socket) => {
    accepted += 1;
    socket.once("close", () => served.delete(socket));
    room.admit(socket);
  });
  return {
    acceptedCount: () => accepted,
    servedSockets: () => served,
    closeUnused() {
      room.closeWaiting();
      for (const socket of room.openConnections) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/**
 * Calls `serve` at most once per `ACCEPT_INTERVAL_MS`, in the order of arrival; immediately when no connection is
 * queued.
 */
function paceCalls(serve: (socket: Socket) => void): (socket: Socket) => void {
  const waiting: Socket[] = [];
  let isPaused = false;
  const pause = (): void => {
    isPaused = true;
    setTimeout(() => {
      isPaused = false;
      const next = waiting.shift();
      if (next === undefined) return;
      pause();
      serve(next);
    }, ACCEPT_INTERVAL_MS);
  };
  return (socket) => {
    if (isPaused) {
      waiting.push(socket);
      return;
    }
    pause();
    serve(socket);
  };
}
