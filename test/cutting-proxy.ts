import { connect, createServer, type Server, type Socket } from "node:net";
import { listenerPort } from "../packages/base/src/listener-port.ts";

/** A proxy that passes bytes on, and cuts connections in the middle of an answer. */
export interface CuttingProxy {
  readonly baseUrl: string;
  readonly cuts: () => number;
  close(): Promise<void>;
}

/**
 * Starts the proxy. For each connection it calls both functions: `portOf` returns the port of the service, and
 * `bytesOf` the number of bytes from the service after which the proxy cuts the connection. Null leaves the connection
 * open.
 */
export async function startCuttingProxy(
  portOf: () => number,
  bytesOf: () => number | null,
): Promise<CuttingProxy> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(portOf(), "127.0.0.1");
    let left = bytesOf();
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const one of [client, upstream]) {
      sockets.add(one);
      one.once("error", end).once("close", () => {
        sockets.delete(one);
        end();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => {
      if (left === null || bytes.length < left) {
        client.write(bytes);
        if (left !== null) left -= bytes.length;
        return;
      }
      cuts += 1;
      client.end(bytes.subarray(0, left));
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${listenerPort(server.address())}`,
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
