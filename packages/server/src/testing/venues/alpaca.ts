import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import type { LocalVenueProtocol, VenueConnection } from "./local-venue.ts";

/**
 * Alpaca's market data stream. Its messages are documented at https://docs.alpaca.markets/docs/streaming-market-data
 * and https://docs.alpaca.markets/docs/real-time-stock-pricing-data
 */
export function createAlpacaProtocol(credentials: {
  readonly key: string;
  readonly secret: string;
}): LocalVenueProtocol {
  const signedIn = new WeakSet<VenueConnection>();
  const signIn = (request: unknown, session: VenueConnection): void => {
    const { key, secret } = credentials;
    if (signedIn.has(session)) fail(session, 403, "already authenticated");
    else if (memberOf(request, "key") !== key || memberOf(request, "secret") !== secret) {
      fail(session, 402, "auth failed");
    } else {
      signedIn.add(session);
      session.send([{ T: "success", msg: "authenticated" }]);
    }
  };
  return {
    idOf: ({ base, quote }) => (quote === "" ? base : `${base}/${quote}`),
    answer: () => undefined,
    greet: (session) => session.send([{ T: "success", msg: "connected" }]),
    receive(text, session) {
      const request: unknown = JSON.parse(text);
      const action = memberOf(request, "action");
      if (action === "auth") signIn(request, session);
      if (action !== "subscribe") return;
      if (!signedIn.has(session)) fail(session, 401, "not authenticated");
      else if (session.faults.plan.isRejecting) fail(session, 409, "insufficient subscription");
      else subscribe(memberOf(request, "quotes"), session);
    },
    quoteMessages: ({ id, bid, ask, atMs }) => {
      const t = new Date(atMs).toISOString().replace("Z", "689322Z");
      const sides = { bp: bid, bs: 1, ap: ask, as: 4 };
      return [
        id.includes("/")
          ? [{ T: "q", S: id, ...sides, t }]
          : [{ T: "q", S: id, bx: "U", ax: "Q", ...sides, c: ["R"], z: "C", t }],
      ];
    },
  };
}

function subscribe(wanted: unknown, session: VenueConnection): void {
  const quotes = Array.isArray(wanted) ? wanted.map(String) : [];
  session.send([{ T: "subscription", trades: [], quotes, bars: [] }]);
  for (const symbol of quotes) session.subscribe(symbol);
}

function fail(session: VenueConnection, code: number, msg: string): void {
  session.send([{ T: "error", code, msg }]);
}
