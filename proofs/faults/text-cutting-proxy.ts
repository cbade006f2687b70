import { connect, createServer, type Socket } from "node:net";

/** The proxy's action when a message of the client contains the watched text. */
export type CutAction = "beforeIt" | "behindIt" | "silence";

/**
 * A proxy in front of PostgreSQL or a service. It cuts a connection when a message contains a given text, or breaks all
 * connections.
 */
export interface TextCuttingProxy {
  /** The server's URL with the proxy's host and port. */
  readonly url: string;
  /**
   * Acts once, at the next message that contains `text`. `beforeIt` breaks the connection before the server receives
   * the message. `behindIt` passes the message and breaks the connection before the answer. `silence` keeps all
   * connections open and passes no more bytes until `breakAll`.
   */
  cutAt(text: string, cut: CutAction): void;
  /** True when the action of the last `cutAt` has happened. */
  readonly wasCut: boolean;
  /** Breaks all connections and ends a silence. */
  breakAll(): void;
  close(): Promise<void>;
}

/** Opens a proxy in front of the server at this URL. */
export async function openTextCuttingProxy(serverUrl: string): Promise<TextCuttingProxy> {
  const target = new URL(serverUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let watched: { readonly text: string; readonly cut: CutAction } | null = null;
  let isSilent = false;
  let wasCut = false;

  const take = (message: Buffer, client: Socket, server: Socket): void => {
    if (isSilent) return;
    const cut = watched !== null && message.includes(watched.text) ? watched.cut : null;
    if (cut === null) {
      server.write(message);
      return;
    }
    watched = null;
    wasCut = true;
    if (cut === "silence") isSilent = true;
    else if (cut === "beforeIt") breakPair(client, server);
    else {
      server.removeAllListeners("data");
      server.write(message);
      // The server's answer shows that it has handled the message. The answer itself is dropped.
      server.once("data", () => breakPair(client, server));
    }
  };
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const pair = [client, server] as const;
    pairs.add(pair);
    for (const socket of pair) socket.on("error", () => undefined);
    client.on("data", (message) => take(message, client, server));
    server.on("data", (message) => {
      if (!isSilent) client.write(message);
    });
    for (const socket of pair) {
      socket.on("close", () => {
        pairs.delete(pair);
        if (!isSilent) breakPair(client, server);
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;

  const breakAll = (): void => {
    isSilent = false;
    for (const [client, server] of pairs) breakPair(client, server);
  };
  return {
    url: url.href,
    cutAt(text, cut) {
      wasCut = false;
      watched = { text, cut };
    },
    get wasCut() {
      return wasCut;
    },
    breakAll,
    close() {
      breakAll();
      return new Promise((resolve) => {
        listener.close(() => resolve());
      });
    },
  };
}

function breakPair(client: Socket, server: Socket): void {
  client.destroy();
  server.destroy();
}
