import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { createVenueFaults, type MessageOutlet, type VenueFaults } from "./venue-faults.ts";

/** A market that a local venue lists. */
export interface LocalVenueMarket {
  readonly base: string;
  readonly quote: string;
}

export interface LocalVenueQuote {
  readonly market: LocalVenueMarket;
  /** The name that the venue has for the market. */
  readonly id: string;
  readonly bid: number;
  readonly ask: number;
  /** The time by the venue's clock. */
  readonly atMs: number;
}

export interface LocalVenueRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** The connection of one client to a local venue, as the venue's protocol uses it. */
export interface VenueConnection {
  readonly faults: VenueFaults;
  readonly ids: ReadonlySet<string>;
  /** The path that the client connected to. */
  readonly path: string;
  /** Sends an object as JSON, and text as it is. */
  send(message: object | string): void;
  /** Starts to send a market's quotes. If there is a quote, it is sent immediately. */
  subscribe(id: string): void;
  /** The number of the next message to this client, from 0 upwards. */
  nextNumber(): number;
  /** The last quote that the protocol sent this client, by market. */
  readonly kept: Map<string, LocalVenueQuote>;
}

/** The messages of one venue: how its local server names markets, answers requests and sends quotes. */
export interface LocalVenueProtocol {
  readonly idOf: (market: LocalVenueMarket) => string;
  /** Answers a request with JSON; undefined is a 404. */
  readonly answer: (request: LocalVenueRequest, markets: readonly LocalVenueMarket[]) => unknown;
  readonly greet?: (session: VenueConnection) => void;
  readonly receive: (text: string, session: VenueConnection) => void;
  /** The messages that send a quote to a subscriber. */
  readonly quoteMessages: (
    quote: LocalVenueQuote,
    session: VenueConnection,
  ) => readonly (object | string)[];
  /** The message that each client gets every second, if the venue has heartbeats. */
  readonly heartbeat?: object;
}

export interface LocalVenue {
  /** The origin of HTTP and WebSocket, such as `http://127.0.0.1:9001`. */
  readonly origin: string;
  readonly faults: VenueFaults;
  /** Sets a market's best bid and ask and sends them to its subscribers. `name` is a name such as `BTC/USD`. */
  quote(name: string, bid: number, ask: number): void;
  /** Sends the market's present quote many times to each subscriber. */
  flood(name: string, count: number): void;
  /** The number of WebSocket clients that are subscribed to a market. */
  subscribers(): number;
  /** The number of WebSocket connections since the start. */
  accepted(): number;
  close(): Promise<void>;
}

/** A local venue with a WebSocket. */
export interface LocalSocketVenue extends LocalVenue {
  /** Sends a message as it is to each subscriber. */
  say(text: string): void;
}

export interface LocalVenueOptions {
  readonly protocol: LocalVenueProtocol;
  /** The names of the markets, such as `BTC/USD`. */
  readonly markets: readonly string[];
  readonly seed?: string;
  readonly port?: number;
}

interface Client {
  readonly session: VenueConnection;
  readonly outlet: MessageOutlet;
}

/** A local server that speaks a venue's protocol. */
export async function openLocalVenue(options: LocalVenueOptions): Promise<LocalSocketVenue> {
  const { protocol } = options;
  const faults = createVenueFaults(options.seed ?? "stand-in");
  const markets = options.markets.map(marketOf);
  const books = new Map<string, { bid: number; ask: number }>();
  const clients = new Set<Client>();
  let accepted = 0;

  function quoteOf(id: string): LocalVenueQuote | null {
    const book = books.get(id);
    const market = markets.find((one) => protocol.idOf(one) === id);
    if (book === undefined || market === undefined) return null;
    return { market, id, ...book, atMs: faults.nowMs() };
  }

  function tell({ session }: Client, id: string): void {
    const quote = quoteOf(id);
    if (quote === null) return;
    for (const message of protocol.quoteMessages(quote, session)) session.send(message);
  }

  function accept(socket: WebSocket, request: IncomingMessage): void {
    accepted += 1;
    const client = clientOf(socket, { faults, path: request.url ?? "/", tell });
    clients.add(client);
    socket.on("close", () => clients.delete(client));
    socket.on("error", () => {});
    socket.on("message", (data) => {
      if (Buffer.isBuffer(data)) protocol.receive(data.toString(), client.session);
    });
    protocol.greet?.(client.session);
  }

  const server = createServer((request, response) => {
    void answer(request, protocol, markets).then((content) => {
      response.writeHead(content === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(content ?? {}));
    });
  });
  faults.applyTo(server);
  const accepting = new WebSocketServer({ server, perMessageDeflate: false });
  accepting.on("connection", accept);
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const beat = setInterval(() => {
    if (protocol.heartbeat === undefined) return;
    for (const { session } of clients) session.send(protocol.heartbeat);
  }, 1_000);

  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    faults,
    quote(name, bid, ask) {
      const id = protocol.idOf(marketOf(name));
      books.set(id, { bid, ask });
      for (const client of clients) if (client.session.ids.has(id)) tell(client, id);
    },
    flood(name, count) {
      const quote = quoteOf(protocol.idOf(marketOf(name)));
      if (quote === null) return;
      for (const { session, outlet } of clients) {
        for (let sent = 0; sent < count; sent += 1) {
          for (const message of protocol.quoteMessages(quote, session))
            outlet.flood(textOf(message), 1);
        }
      }
    },
    say(text) {
      for (const { session, outlet } of clients) if (session.ids.size > 0) outlet.flood(text, 1);
    },
    subscribers: () => [...clients].filter(({ session }) => session.ids.size > 0).length,
    accepted: () => accepted,
    async close() {
      clearInterval(beat);
      for (const socket of accepting.clients) socket.terminate();
      accepting.close();
      server.closeAllConnections();
      faults.cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function clientOf(
  socket: WebSocket,
  {
    faults,
    path,
    tell,
  }: { faults: VenueFaults; path: string; tell: (client: Client, id: string) => void },
): Client {
  const ids = new Set<string>();
  let number = -1;
  const outlet = faults.createOutlet((text) => socket.send(text));
  const session: VenueConnection = {
    faults,
    ids,
    path,
    kept: new Map(),
    send: (message) => outlet.send(textOf(message)),
    subscribe(id) {
      ids.add(id);
      tell(client, id);
    },
    nextNumber() {
      number += 1;
      return number;
    },
  };
  const client: Client = { session, outlet };
  return client;
}

async function answer(
  request: IncomingMessage,
  protocol: LocalVenueProtocol,
  markets: readonly LocalVenueMarket[],
): Promise<unknown> {
  const url = new URL(request.url ?? "/", "http://stand-in");
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const body: unknown = text === "" ? null : JSON.parse(text);
  return protocol.answer({ path: url.pathname, query: url.searchParams, body }, markets);
}

function textOf(message: object | string): string {
  return typeof message === "string" ? message : JSON.stringify(message);
}

function marketOf(name: string): LocalVenueMarket {
  const [base = "", quote = ""] = name.split("/");
  return { base, quote };
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}
