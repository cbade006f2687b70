import type { Server } from "node:http";
import { Socket } from "node:net";
import { createConnectionRoom } from "@propgate/base";
import type { EdgeLimits } from "./limits.ts";
import { refusal, refusalBytes } from "./refusals.ts";
import { feedInSlices } from "./socket-slices.ts";

export interface ConnectionLimit {
  /** The number of connections since the start, also of refused ones. */
  accepted(): number;
  /** Open connections that had their turn. */
  served(): Iterable<Socket>;
  /**
   * Closes connections that never sent a byte. Node counts them as busy, and browsers open them in
   * advance, so they would delay a stop.
   */
  closeUnused(): void;
}

/**
 * From one new connection to the next. Serving one costs up to half a millisecond of processor time, so
 * a burst of hundreds would otherwise delay every client that is connected already. A process accepts
 * about 900 new connections a second; requests on open connections are not paced.
 */
const PAUSE_MS = 1;

/**
 * Wraps accept: a connection over the limit is refused before a byte is read, so its client knows
 * that nothing was carried out.
 */
export function limitConnections(
  server: Server,
  limits: Pick<EdgeLimits, "connectionsMax" | "refusedConcurrentMax" | "refusedLingerMs">,
  options: {
    readonly security: Readonly<Record<string, string>>;
    /** True when no request of this connection is unanswered. */
    readonly isIdle: (socket: Socket) => boolean;
    /** Whether later bytes of this connection are ignored. */
    readonly isStopped: (socket: Socket) => boolean;
    /** Called at a connection's turn: its bytes are read from now on. */
    readonly onTurn: (socket: Socket) => void;
    /** Called with the bytes of a connection before they are parsed. */
    readonly onBytes: (socket: Socket, bytes: Buffer) => void;
  },
): ConnectionLimit {
  const serving = server.listeners("connection");
  const bytes = refusalBytes(refusal("tooManyConnections", null), options.security);
  const room = createConnectionRoom({ max: limits.connectionsMax, isIdle: options.isIdle });
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
    // Pending bytes are read and discarded: closing with unread bytes would lose the answer.
    socket.on("error", () => socket.destroy()).on("end", () => socket.destroy());
    socket.once("close", () => {
      refused -= 1;
      clearTimeout(timer);
    });
    socket.resume();
    socket.end(bytes);
  };

  const serveInTurn = takeTurns((socket) => {
    if (socket.destroyed) return;
    served.add(socket);
    options.onTurn(socket);
    for (const serve of serving) Reflect.apply(serve, server, [socket]);
    feedInSlices(
      socket,
      () => options.isStopped(socket),
      (bytes) => options.onBytes(socket, bytes),
    );
    socket.resume();
  });

  // No byte of a connection is read before its turn.
  Object.assign(server, { pauseOnConnect: true });
  server.removeAllListeners("connection");
  server.on("connection", (socket: unknown) => {
    if (!(socket instanceof Socket)) throw new Error("broken invariant: a listener of sockets");
    accepted += 1;
    if (!room.take(socket)) {
      refuse(socket);
      return;
    }
    socket.on("error", () => socket.destroy()).once("close", () => served.delete(socket));
    serveInTurn(socket);
  });
  return {
    accepted: () => accepted,
    served: () => served,
    closeUnused() {
      for (const socket of room.open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Calls `serve` at most once per `PAUSE_MS`, in the order of arrival; immediately when none waits. */
function takeTurns(serve: (socket: Socket) => void): (socket: Socket) => void {
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
    }, PAUSE_MS);
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
