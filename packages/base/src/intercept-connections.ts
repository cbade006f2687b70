import type { Server } from "node:http";
import { Socket } from "node:net";

/**
 * Passes each new connection of the server to `arrived`, before any byte of it is read. The returned function hands a
 * connection to the server, which reads its bytes once the caller resumes it.
 */
export function interceptConnections(
  server: Server,
  arrived: (socket: Socket) => void,
): (socket: Socket) => void {
  const serving = server.listeners("connection");
  Object.assign(server, { pauseOnConnect: true });
  server.removeAllListeners("connection");
  server.on("connection", (socket: unknown) => {
    if (!(socket instanceof Socket)) throw new Error("broken invariant: a listener of sockets");
    arrived(socket);
  });
  return (socket) => {
    for (const serve of serving) Reflect.apply(serve, server, [socket]);
  };
}
