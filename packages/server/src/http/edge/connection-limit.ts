import type { Server } from "node:http";
import { Socket } from "node:net";
import type { EdgeLimits } from "./limits.ts";
import { refusalBytes, TOO_MANY_CONNECTIONS } from "./refusals.ts";

export interface ConnectionLimit {
  /**
   * Closes connections on which nothing ever came. Node takes those for busy, and browsers open them
   * in advance, so they would hold up a service that stops.
   */
  closeUnused(): void;
}

/**
 * Stands in front of Node's own taking of connections. One too many is told so before anything of
 * it is read, so a client knows that nothing was carried out.
 */
export function limitConnections(
  server: Server,
  limits: Pick<EdgeLimits, "connectionsMax" | "refusedAtOnceMax" | "refusedLingerMs">,
  security: Readonly<Record<string, string>>,
): ConnectionLimit {
  const serving = server.listeners("connection");
  const bytes = refusalBytes(TOO_MANY_CONNECTIONS, security);
  const open = new Set<Socket>();
  let refused = 0;

  const refuse = (socket: Socket): void => {
    if (refused >= limits.refusedAtOnceMax) {
      socket.destroy();
      return;
    }
    refused += 1;
    const timer = setTimeout(() => socket.destroy(), limits.refusedLingerMs);
    // What is on its way is thrown away: closing on it would take the answer away from the client.
    socket.on("error", () => socket.destroy()).on("end", () => socket.destroy());
    socket.once("close", () => {
      refused -= 1;
      clearTimeout(timer);
    });
    socket.resume();
    socket.end(bytes);
  };

  server.removeAllListeners("connection");
  server.on("connection", (socket: unknown) => {
    if (!(socket instanceof Socket)) throw new Error("broken invariant: a listener of sockets");
    if (open.size >= limits.connectionsMax) {
      refuse(socket);
      return;
    }
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    for (const serve of serving) Reflect.apply(serve, server, [socket]);
  });
  return {
    closeUnused() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
