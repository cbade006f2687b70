import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import type { LocalVenueProtocol, VenueConnection } from "./local-venue.ts";

/**
 * Tiingo's WebSockets for IEX and forex. Their messages are documented at
 * https://www.tiingo.com/documentation/websockets/iex and https://www.tiingo.com/documentation/websockets/forex; a
 * rejection is a message of type E.
 */
export function createTiingoProtocol(token: string): LocalVenueProtocol {
  return {
    idOf: ({ base, quote }) => `${base}${quote}`.toLowerCase(),
    answer: () => undefined,
    receive(text, session) {
      const request: unknown = JSON.parse(text);
      if (memberOf(request, "eventName") !== "subscribe") return;
      const given = memberOf(request, "authorization");
      if (given !== token) {
        reject(session, 401, `${String(given)} is not authorized`);
        return;
      }
      const isKnown = session.path === "/iex" || session.path === "/fx";
      if (!isKnown || session.faults.plan.isRejecting) {
        reject(session, 403, `Not authorized for service: ${session.path.slice(1)}`);
        return;
      }
      session.send({
        messageType: "I",
        data: { subscriptionId: 13_706 },
        response: { code: 200, message: "Success" },
      });
      const tickers = memberOf(memberOf(request, "eventData"), "tickers");
      for (const ticker of Array.isArray(tickers) ? tickers : []) session.subscribe(String(ticker));
    },
    quoteMessages: ({ id, bid, ask, atMs }, { path }) => [
      path === "/fx"
        ? { messageType: "A", service: "fx", data: forex(id, bid, ask, atMs) }
        : { messageType: "A", service: "iex", data: iex(id, bid, ask, atMs) },
    ],
    heartbeat: { messageType: "H", response: { code: 200, message: "HeartBeat" } },
  };
}

function reject(session: VenueConnection, code: number, message: string): void {
  session.send({ messageType: "E", response: { code, message } });
}

function forex(ticker: string, bid: number, ask: number, atMs: number): readonly unknown[] {
  const date = new Date(atMs).toISOString().replace("Z", "000+00:00");
  return ["Q", ticker, date, 5_000_000, bid, (bid + ask) / 2, 5_000_000, ask];
}

function iex(ticker: string, bid: number, ask: number, atMs: number): readonly unknown[] {
  const date = new Date(atMs).toISOString().replace("Z", "129126-00:00");
  const mid = (bid + ask) / 2;
  const trade = [null, null];
  return [
    "Q",
    date,
    atMs * 1_000_000,
    ticker,
    100,
    bid,
    mid,
    ask,
    100,
    ...trade,
    0,
    0,
    null,
    null,
    null,
  ];
}
