import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";
import type { LocalVenueProtocol, VenueConnection } from "./local-venue.ts";

/** The base currency of crypto markets. Other markets with a quote currency are forex. */
const CRYPTO = "BTC";

const CHANNELS: Readonly<Record<string, string>> = {
  "/stocks": "Q.",
  "/forex": "C.",
  "/crypto": "XQ.",
};

/**
 * Massive's WebSockets, which have one path for each market. Their messages are documented at
 * https://massive.com/docs/websocket/quickstart and on the pages of stock, forex and crypto quotes. The events are
 * those of `@massive.com/client-js` 10.8.0, whose client was run against this server.
 */
export function createMassiveProtocol(
  key: string,
  /** The path of a market that the key's plan does not include. */
  { withoutPath }: { readonly withoutPath?: string } = {},
): LocalVenueProtocol {
  const signedIn = new WeakSet<VenueConnection>();
  const signIn = (given: unknown, session: VenueConnection): void => {
    if (given === key) {
      signedIn.add(session);
      say(session, "auth_success", "authenticated");
    } else say(session, "auth_failed", `authentication failed for ${String(given)}`);
  };
  const subscribe = (channel: string, session: VenueConnection): void => {
    const isPlanned = session.path !== withoutPath && !session.faults.plan.isRejecting;
    const isAllowed = signedIn.has(session) && isPlanned;
    if (isAllowed && channel.startsWith(CHANNELS[session.path] ?? "?")) {
      say(session, "success", `subscribed to: ${channel}`);
      session.subscribe(channel);
    } else say(session, "error", "not authorized");
  };
  return {
    idOf({ base, quote }) {
      if (quote === "") return `Q.${base}`;
      return base === CRYPTO ? `XQ.${base}-${quote}` : `C.${base}-${quote}`;
    },
    answer: () => undefined,
    greet: (session) => say(session, "connected", "Connected Successfully"),
    receive(text, session) {
      const request: unknown = JSON.parse(text);
      const params = memberOf(request, "params");
      const action = memberOf(request, "action");
      if (action === "auth") signIn(params, session);
      if (action !== "subscribe" || typeof params !== "string") return;
      for (const channel of params.split(",")) subscribe(channel, session);
    },
    quoteMessages: ({ id, bid, ask, atMs }, session) => [[event({ id, bid, ask, atMs }, session)]],
  };
}

function say(session: VenueConnection, status: string, message: string): void {
  session.send([{ ev: "status", status, message }]);
}

function event(
  { id, bid, ask, atMs: t }: { id: string; bid: number; ask: number; atMs: number },
  session: VenueConnection,
): object {
  const name = id.slice(id.indexOf(".") + 1);
  if (id.startsWith("C.")) {
    return { ev: "C", p: name.replace("-", "/"), x: "44", a: ask, b: bid, t };
  }
  const sides = { bp: bid, bs: 100, ap: ask, as: 160 };
  if (id.startsWith("XQ.")) return { ev: "XQ", pair: name, ...sides, t, x: 1, r: t + 3 };
  const q = session.nextNumber();
  return { ev: "Q", sym: name, bx: 4, ax: 7, ...sides, c: 0, i: [604], t, q, z: 3 };
}
