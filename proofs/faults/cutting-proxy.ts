import { connect, createServer, type Socket } from "node:net";

/** What the proxy does with a client's message that holds the watched text. */
export type Cut = "beforeIt" | "behindIt" | "silence";

/** A line to PostgreSQL that can be cut at one statement, or as a whole. */
export interface CuttingProxy {
  /** The given URL by way of the proxy. */
  readonly url: string;
  /**
   * Once, at the next message that holds `text`: `beforeIt` breaks the connection and the server
   * never sees it; `behindIt` lets it through and breaks the connection before the answer;
   * `silence` keeps every connection and lets nothing through any more.
   */
  cutAt(text: string, cut: Cut): void;
  /** Whether the cut has happened. */
  readonly wasCut: boolean;
  /** Breaks every connection there is; whatever was silent carries new ones again. */
  breakAll(): void;
  close(): Promise<void>;
}

export async function openCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let watched: { readonly text: string; readonly cut: Cut } | null = null;
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
      // The server's answer is its word that it is done; nobody hears it.
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
  const url = new URL(databaseUrl);
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
