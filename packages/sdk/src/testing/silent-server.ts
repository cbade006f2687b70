import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A server that never answers, with the requests that it has read. */
export interface SilentServer {
  readonly baseUrl: string;
  /** The request line of each connection that has sent one, in the order of arrival. */
  readonly requestLines: readonly string[];
  /** Resolves when this many request lines have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A server on a free port that accepts connections, reads requests, and never answers. */
export async function startSilentServer(): Promise<SilentServer> {
  const requestLines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (bytes: Buffer) => {
      requestLines.push(bytes.toString("latin1").split("\r\n")[0] ?? "");
      server.emit("request line");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    requestLines,
    async arrived(count) {
      while (requestLines.length < count) await once(server, "request line");
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
