/**
 * Alpaca's market data stream, with one WebSocket for stocks and one for crypto. The ccxt library knows only its crypto
 * stream. https://docs.alpaca.markets/docs/streaming-market-data
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
import { joinKinds, parseEvents, webSocketOrigin } from "./message-kinds.ts";
import { createQuoteOutlet, parseIsoMs, type QuoteOutlet } from "./quote-outlet.ts";
import { venueText } from "./venue-text.ts";

const NAME = "alpaca";
const ORIGIN = "wss://stream.data.alpaca.markets";
const LIMITS = { firstRetryMs: 1_000, lastRetryMs: 60_000, messagesPerSecondMax: 20_000 };

interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** Opens the source of prices from Alpaca: stocks and crypto. Without its key the source is down. */
export async function openAlpaca(around: OpenSourceDependencies): Promise<LiveSource> {
  const { settings, sourceSymbols: symbols, clock, log } = around;
  const { alpacaKey: key, alpacaSecret: secret } = settings;
  const pairs = [...symbols.keys()];
  if (key === null || secret === null) {
    const reason = missingSettings({ PROPGATE_ALPACA_KEY: key, PROPGATE_ALPACA_SECRET: secret });
    return createUnavailableSource({ name: NAME, pairs, reason, log });
  }
  const outlet = createQuoteOutlet({ source: NAME, symbols, clock });
  const feeds = feedsOf(symbols, settings.alpacaFeed);
  const connections = feeds.map((feed) => ({
    market: feed.market,
    pairs: new Set(pairs.filter((pair) => feed.symbols.includes(symbols.get(pair) ?? ""))),
    connection: connect({ ...feed, key, secret }, outlet, around),
  }));
  return createKeyedSource({ name: NAME, pairs, outlet, connections });
}

interface Feed {
  readonly market: "stocks" | "crypto";
  readonly path: string;
  readonly symbols: readonly string[];
}

/** The streams that have the symbols. Symbols with a slash, such as `BTC/USD`, are crypto. */
function feedsOf(symbols: ReadonlyMap<PairId, string>, stockFeed: string): readonly Feed[] {
  const all = [...new Set(symbols.values())];
  const feeds: readonly Feed[] = [
    {
      market: "stocks",
      path: `/v2/${stockFeed}`,
      symbols: all.filter((symbol) => !symbol.includes("/")),
    },
    {
      market: "crypto",
      path: "/v1beta3/crypto/us",
      symbols: all.filter((symbol) => symbol.includes("/")),
    },
  ];
  return feeds.filter((feed) => feed.symbols.length > 0);
}

function connect(
  feed: Feed & Credentials,
  outlet: QuoteOutlet,
  around: OpenSourceDependencies,
): Connection {
  const heard = new Set<unknown>();
  return createConnection<string>({
    name: `${NAME} ${feed.market}`,
    open: createWebSocketLink({
      url: `${webSocketOrigin(around.origin ?? ORIGIN)}${feed.path}`,
      timer: around.timer,
    }),
    // The venue sends the first message, and `answerGreeting` signs in.
    opened() {},
    read: (text, channel) =>
      joinKinds(
        parseEvents(text).map((event) => readEvent(event, feed, { channel, outlet, heard })),
      ),
    ended: () => heard.clear(),
    limits: LIMITS,
    around,
  });
}

interface Listening {
  readonly channel: Channel;
  readonly outlet: QuoteOutlet;
  /** The greetings that this connection has already answered. */
  readonly heard: Set<unknown>;
}

function readEvent(
  event: unknown,
  feed: Feed & Credentials,
  { channel, outlet, heard }: Listening,
): MessageKind {
  switch (memberOf(event, "T")) {
    case "q":
      return readQuote(event, outlet);
    case "success":
      answerGreeting(memberOf(event, "msg"), feed, { channel, heard });
      return "greeting";
    case "subscription":
      return "life";
    case "error":
      channel.fail(refusalText(event, feed));
      return "greeting";
    default:
      return "unreadable";
  }
}

/** Answers each greeting once, because a second sign-in would be an error. */
function answerGreeting(
  message: unknown,
  { key, secret, symbols }: Feed & Credentials,
  { channel, heard }: Pick<Listening, "channel" | "heard">,
): void {
  if (heard.has(message)) return;
  heard.add(message);
  if (message === "connected") channel.send(JSON.stringify({ action: "auth", key, secret }));
  if (message === "authenticated") {
    channel.send(JSON.stringify({ action: "subscribe", quotes: symbols }));
  }
}

function readQuote(event: unknown, outlet: QuoteOutlet): MessageKind {
  const symbol = memberOf(event, "S");
  if (typeof symbol !== "string") return "unreadable";
  const madeAtMs = parseIsoMs(memberOf(event, "t"));
  return outlet.offer({ symbol, bid: memberOf(event, "bp"), ask: memberOf(event, "ap"), madeAtMs });
}

function refusalText(event: unknown, { key, secret }: Credentials): string {
  const code = memberOf(event, "code");
  const about =
    REFUSALS.get(typeof code === "number" ? code : 0) ??
    `the venue sent an error: ${venueText(memberOf(event, "msg"), [key, secret])}`;
  return `${about} (${typeof code === "number" ? code : "no code"})`;
}

const REFUSALS: ReadonlyMap<number, string> = new Map([
  [401, "the venue wants the key first"],
  [402, "the venue rejected the key or its secret"],
  [404, "the venue heard no key in time"],
  [405, "the plan allows fewer symbols"],
  [406, "the key has another connection to this feed"],
  [407, "the venue found this client too slow"],
  [409, "the plan does not include this feed"],
]);
