import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenerPort } from "../../../../base/src/listener-port.ts";
import type { LocalVenue } from "./local-venue.ts";
import { createVenueFaults, type MessageOutlet } from "./venue-faults.ts";

/** The time between heartbeats. It is shorter than the venue's five seconds, because tests pass time faster. */
const HEARTBEAT_MS = 1_000;

interface Reader {
  readonly instruments: ReadonlySet<string>;
  readonly outlet: MessageOutlet;
}

interface Book {
  readonly bid: number;
  readonly ask: number;
}

/** The refusal of a stream's request: a status and an error. Null for an accepted request. */
export type OandaRefusal = { readonly status: number; readonly errorMessage: string } | null;

/**
 * OANDA's v20 list of an account's instruments and pricing stream. They are documented at
 * https://developer.oanda.com/rest-live-v20/account-ep/, https://developer.oanda.com/rest-live-v20/pricing-ep/ and
 * https://developer.oanda.com/rest-live-v20/pricing-df/ (ClientPrice, PricingHeartbeat); markets are named `EUR_USD`.
 */
export async function openLocalOanda(options: {
  readonly token: string;
  readonly account: string;
  /** OANDA's names of the instruments of the account. */
  readonly instruments?: readonly string[];
  readonly seed?: string;
}): Promise<LocalVenue & { readonly setTradeable: (isTradeable: boolean) => void }> {
  const faults = createVenueFaults(options.seed ?? "oanda");
  const readers = new Set<Reader>();
  const books = new Map<string, Book>();
  const had = options.instruments ?? ["EUR_USD", "XAU_USD"];
  const listPath = `/v3/accounts/${options.account}/instruments`;
  const streamPath = `/v3/accounts/${options.account}/pricing/stream`;
  let accepted = 0;
  let isTradeable = true;
  const tell = ({ outlet, instruments }: Reader, name: string): void => {
    const book = books.get(name);
    if (book === undefined || !instruments.has(name)) return;
    outlet.send(JSON.stringify(priceOf(name, book, { atMs: faults.nowMs(), isTradeable })));
  };
  const refusalOf = (request: IncomingMessage, url: URL): OandaRefusal => {
    const isKnown = request.headers.authorization === `Bearer ${options.token}`;
    const errorMessage = "Insufficient authorization to perform request.";
    if (faults.plan.isRejecting || !isKnown) return { status: 401, errorMessage };
    if (url.pathname !== streamPath && url.pathname !== listPath) {
      return { status: 404, errorMessage: "No such account" };
    }
    const streamed = url.searchParams.get("instruments")?.split(",") ?? [];
    if (streamed.every((name) => had.includes(name))) return null;
    return { status: 400, errorMessage: "Invalid value specified for 'instruments'" };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const refusal = refusalOf(request, url);
    if (refusal !== null) {
      refuse(response, refusal);
      return;
    }
    if (url.pathname === listPath) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ instruments: had.map(instrumentOf), lastTransactionID: "6" }));
      return;
    }
    accepted += 1;
    const instruments = new Set((url.searchParams.get("instruments") ?? "").split(","));
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.flushHeaders();
    const reader = {
      instruments,
      outlet: faults.createOutlet((text) => response.write(`${text}\n`)),
    };
    readers.add(reader);
    response.on("error", () => {});
    response.on("close", () => readers.delete(reader));
    for (const name of instruments) tell(reader, name);
  });
  faults.applyTo(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const beat = setInterval(() => {
    const time = nanoseconds(faults.nowMs());
    for (const { outlet } of readers) outlet.send(JSON.stringify({ type: "HEARTBEAT", time }));
  }, HEARTBEAT_MS);
  return {
    origin: `http://127.0.0.1:${listenerPort(server.address())}`,
    faults,
    setTradeable: (value) => {
      isTradeable = value;
    },
    quote(name, bid, ask) {
      books.set(name, { bid, ask });
      for (const reader of readers) tell(reader, name);
    },
    flood(name, count) {
      const book = books.get(name);
      if (book === undefined) return;
      const line = JSON.stringify(priceOf(name, book, { atMs: faults.nowMs(), isTradeable }));
      for (const { outlet } of readers) outlet.flood(line, count);
    },
    subscribers: () => readers.size,
    accepted: () => accepted,
    async close() {
      clearInterval(beat);
      server.closeAllConnections();
      faults.cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function instrumentOf(name: string): object {
  return {
    name,
    type: name.startsWith("XAU") ? "METAL" : "CURRENCY",
    displayName: name.replace("_", "/"),
    pipLocation: -4,
    displayPrecision: 5,
    tradeUnitsPrecision: 0,
    minimumTradeSize: "1",
    marginRate: "0.02",
  };
}

function refuse(
  response: ServerResponse,
  { status, errorMessage }: NonNullable<OandaRefusal>,
): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ errorMessage }));
}

function priceOf(
  instrument: string,
  { bid, ask }: Book,
  { atMs, isTradeable }: { readonly atMs: number; readonly isTradeable: boolean },
): object {
  const levels = (price: number, step: number) =>
    [0, 1].map((at) => ({
      price: (price + at * step).toFixed(5),
      liquidity: 1_000_000 * (at + 1),
    }));
  return {
    type: "PRICE",
    time: nanoseconds(atMs),
    bids: levels(bid, -0.0001),
    asks: levels(ask, 0.0001),
    closeoutBid: (bid - 0.001).toFixed(5),
    closeoutAsk: (ask + 0.001).toFixed(5),
    status: isTradeable ? "tradeable" : "non-tradeable",
    tradeable: isTradeable,
    instrument,
  };
}

function nanoseconds(atMs: number): string {
  return new Date(atMs).toISOString().replace("Z", "094548Z");
}
