/**
 * Massive, whose former name is Polygon, has a WebSocket for each market. https://massive.com/docs/websocket/quickstart
 */
import type { PairId } from "@propgate/core";
import { memberOf } from "../ccxt/member-of.ts";
import {
  type Channel,
  type Connection,
  createConnection,
  type MessageKind,
} from "../connection.ts";
import type { LiveSource } from "../live-source.ts";
import type { OpenSourceDependencies } from "../registry.ts";
import { createWebSocketLink } from "../web-socket-link.ts";
import { createKeyedSource, createUnavailableSource, missingSettings } from "./keyed-source.ts";
import {
  MASSIVE_MARKETS,
  type MassiveMarket,
  type MassiveSymbol,
  parseMassiveQuote,
  parseMassiveSymbol,
} from "./massive-markets.ts";
import { joinKinds, parseEvents, webSocketOrigin } from "./message-kinds.ts";
import { createQuoteOutlet, type QuoteOutlet } from "./quote-outlet.ts";
import { venueText } from "./venue-text.ts";

const NAME = "massive";
const ORIGIN = "wss://socket.massive.com";
const LIMITS = { firstRetryMs: 1_000, lastRetryMs: 60_000, messagesPerSecondMax: 20_000 };

/** Opens the source of prices from Massive: stocks, forex and crypto. Without its key the source is down. */
export async function openMassive(around: OpenSourceDependencies): Promise<LiveSource> {
  const { clock, log, settings } = around;
  const { massiveKey: key } = settings;
  const symbols = servedSymbols(around);
  const pairs = [...symbols.keys()];
  if (key === null) {
    const reason = missingSettings({ PROPGATE_MASSIVE_KEY: key });
    return createUnavailableSource({ name: NAME, pairs, reason, log });
  }
  const outlet = createQuoteOutlet({
    source: NAME,
    symbols: new Map([...symbols].map(([pair, symbol]) => [pair, symbol.key])),
    clock,
  });
  const connections = MASSIVE_MARKETS.flatMap((market) => {
    const ofMarket = [...symbols].filter(([, symbol]) => symbol.market === market);
    if (ofMarket.length === 0) return [];
    const channels = [...new Set(ofMarket.map(([, { channel }]) => channel))];
    const connection = connect({ market, channels, key }, outlet, around);
    return [{ market, pairs: new Set(ofMarket.map(([pair]) => pair)), connection }];
  });
  return createKeyedSource({ name: NAME, pairs, outlet, connections });
}

/** The symbols that Massive can quote. Others, such as indices, are left out with one warning. */
function servedSymbols({
  sourceSymbols,
  log,
}: OpenSourceDependencies): ReadonlyMap<PairId, MassiveSymbol> {
  const served = new Map<PairId, MassiveSymbol>();
  const without: string[] = [];
  for (const [pair, name] of sourceSymbols) {
    const symbol = parseMassiveSymbol(name);
    if (symbol === null) without.push(name);
    else served.set(pair, symbol);
  }
  if (without.length > 0) {
    const about = "venue has no bid and ask for these symbols";
    log.warn({ source: NAME, symbols: without.join(", ") }, about);
  }
  return served;
}

interface Subscription {
  readonly market: MassiveMarket;
  readonly channels: readonly string[];
  readonly key: string;
}

function connect(
  subscription: Subscription,
  outlet: QuoteOutlet,
  around: OpenSourceDependencies,
): Connection {
  const { market, key } = subscription;
  return createConnection<string>({
    name: `${NAME} ${market}`,
    open: createWebSocketLink({
      url: `${webSocketOrigin(around.origin ?? ORIGIN)}/${market}`,
      timer: around.timer,
    }),
    opened: (channel) => channel.send(JSON.stringify({ action: "auth", params: key })),
    read: (text, channel) =>
      joinKinds(
        parseEvents(text).map((event) => {
          if (memberOf(event, "ev") === "status") return readStatus(event, subscription, channel);
          const quote = parseMassiveQuote(event);
          return quote === null ? "unreadable" : outlet.offer(quote);
        }),
      ),
    ended() {},
    limits: LIMITS,
    around,
  });
}

function readStatus(
  event: unknown,
  { channels, key }: Subscription,
  channel: Channel,
): MessageKind {
  const status = memberOf(event, "status");
  if (status === "connected") return "greeting";
  if (status === "auth_success") {
    channel.send(JSON.stringify({ action: "subscribe", params: channels.join(",") }));
    return "greeting";
  }
  if (status === "success") return "life";
  const text = venueText(memberOf(event, "message"), [key]);
  const about = REFUSALS.get(typeof status === "string" ? status : "") ?? "the venue sent an error";
  channel.fail(text === "" ? about : `${about}: ${text}`);
  return "greeting";
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["auth_failed", "the venue rejected the key"],
  ["auth_timeout", "the venue heard no key in time"],
  ["max_connections", "the key has another connection to this market"],
]);
