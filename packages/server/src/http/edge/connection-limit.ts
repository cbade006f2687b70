import type { Server } from "node:http";
import { Socket } from "node:net";
import type { EdgeLimits } from "./limits.ts";
import { refusalBytes, TOO_MANY_CONNECTIONS } from "./refusals.ts";

/**
 * Stands in front of Node's own taking of connections. One too many is told so before anything of
 * it is read, so a client knows that nothing was carried out.
 */
export function limitConnections(
  server: Server,
  limits: Pick<EdgeLimits, "connectionsMax" | "refusedAtOnceMax" | "refusedLingerMs">,
  security: Readonly<Record<string, string>>,
): void {
  const serving = server.listeners("connection");
  const bytes = refusalBytes(TOO_MANY_CONNECTIONS, security);
  let open = 0;
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
    if (open >= limits.connectionsMax) {
      refuse(socket);
      return;
    }
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
    for (const serve of serving) Reflect.apply(serve, server, [socket]);
  });
}
