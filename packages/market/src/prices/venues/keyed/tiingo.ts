/**
 * Tiingo's WebSockets: equities from the book of IEX, and forex from banks. Each has a connection of its own.
 * https://www.tiingo.com/documentation/websockets/iex and https://www.tiingo.com/documentation/websockets/forex
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
import { webSocketOrigin } from "./message-kinds.ts";
import {
  createQuoteOutlet,
  parseIsoMs,
  type QuoteOutlet,
  type VenueQuote,
  wholeMs,
} from "./quote-outlet.ts";
import { venueText } from "./venue-text.ts";

const NAME = "tiingo";
const ORIGIN = "wss://api.tiingo.com";
const LIMITS = {
  silentMs: 45_000,
  firstRetryMs: 1_000,
  lastRetryMs: 60_000,
  messagesPerSecondMax: 20_000,
};
const NANOSECONDS_PER_MS = 1_000_000;

type Service = "fx" | "iex";

/**
 * The subscription levels with every update of the best bid and ask. The level of IEX needs an agreement with the
 * exchange; without one the venue rejects it.
 */
const THRESHOLDS: Readonly<Record<Service, number>> = { fx: 5, iex: 0 };

/** Opens the source of prices from Tiingo: equities and forex. Without its token the source is down. */
export async function openTiingo(around: OpenSourceDependencies): Promise<LiveSource> {
  const { clock, log } = around;
  const { tiingoToken: token } = around.settings;
  const symbols = servedSymbols(around);
  const pairs = [...symbols.keys()];
  if (token === null) {
    const reason = missingSettings({ PROPGATE_TIINGO_TOKEN: token });
    return createUnavailableSource({ name: NAME, pairs, reason, log });
  }
  const outlet = createQuoteOutlet({
    source: NAME,
    symbols: new Map(
      [...symbols].map(([pair, { service, ticker }]) => [pair, `${service}:${ticker}`]),
    ),
    clock,
  });
  const connections = (["iex", "fx"] as const).flatMap((service) => {
    const ofService = [...symbols].filter(([, symbol]) => symbol.service === service);
    if (ofService.length === 0) return [];
    const tickers = [...new Set(ofService.map(([, { ticker }]) => ticker))];
    const connection = connect({ service, tickers, token }, outlet, around);
    return [{ market: service, pairs: new Set(ofService.map(([pair]) => pair)), connection }];
  });
  return createKeyedSource({ name: NAME, pairs, outlet, connections });
}

/**
 * The service and ticker of each pair that Tiingo can quote. Equities and index funds trade at IEX; currencies and
 * metals are forex. Crypto is left out, because Tiingo sends the books of all exchanges under one ticker.
 */
function servedSymbols({
  sourceSymbols,
  instruments,
}: OpenSourceDependencies): ReadonlyMap<
  PairId,
  { readonly service: Service; readonly ticker: string }
> {
  const served = new Map<PairId, { readonly service: Service; readonly ticker: string }>();
  for (const [pair, symbol] of sourceSymbols) {
    const assetClass = instruments.get(pair)?.assetClass ?? "crypto";
    if (assetClass === "crypto") continue;
    const service = assetClass === "forex" || assetClass === "commodities" ? "fx" : "iex";
    served.set(pair, { service, ticker: symbol.toLowerCase() });
  }
  return served;
}

interface Subscription {
  readonly service: Service;
  readonly tickers: readonly string[];
  readonly token: string;
}

function connect(
  { service, tickers, token }: Subscription,
  outlet: QuoteOutlet,
  around: OpenSourceDependencies,
): Connection {
  let isSubscribed = false;
  return createConnection<string>({
    name: `${NAME} ${service}`,
    open: createWebSocketLink({
      url: `${webSocketOrigin(around.origin ?? ORIGIN)}/${service}`,
      timer: around.timer,
    }),
    opened(channel) {
      const eventData = { thresholdLevel: THRESHOLDS[service], tickers };
      channel.send(JSON.stringify({ eventName: "subscribe", authorization: token, eventData }));
    },
    read(text, channel) {
      const message: unknown = JSON.parse(text);
      const type = memberOf(message, "messageType");
      if (type === "I") isSubscribed ||= isSuccess(message, channel, token);
      else if (type === "E") isSuccess(message, channel, token);
      else if (type === "A") return readData(memberOf(message, "data"), service, outlet);
      else if (type !== "H") return "unreadable";
      return isSubscribed ? "life" : "greeting";
    },
    ended() {
      isSubscribed = false;
    },
    limits: LIMITS,
    around,
  });
}

/** Whether the venue's answer is a success. For an error it cuts the connection. */
function isSuccess(message: unknown, channel: Channel, token: string): boolean {
  const response = memberOf(message, "response");
  const code = memberOf(response, "code");
  if (code === 200) return true;
  const text = venueText(memberOf(response, "message"), [token]);
  const about = code === 401 || code === 403 ? "the venue rejected the token or its plan" : "error";
  channel.fail(`${about} (${typeof code === "number" ? code : "no code"})${text && `: ${text}`}`);
  return false;
}

function readData(data: unknown, service: Service, outlet: QuoteOutlet): MessageKind {
  if (!Array.isArray(data)) return "unreadable";
  const values: readonly unknown[] = data;
  const [kind] = values;
  // These are trades and trade breaks, that is, cancelled trades. Neither has a bid and ask.
  if (service === "iex" && (kind === "T" || kind === "B")) return "life";
  if (kind !== "Q") return "unreadable";
  const quote = service === "iex" ? iexQuote(values) : fxQuote(values);
  if (quote === null) return "unreadable";
  return quote === "halted" ? "life" : outlet.offer(quote);
}

function fxQuote(values: readonly unknown[]): VenueQuote | null {
  const [, ticker, date, , bid, , , ask] = values;
  if (typeof ticker !== "string") return null;
  return { symbol: `fx:${ticker}`, bid, ask, madeAtMs: parseIsoMs(date) };
}

function iexQuote(values: readonly unknown[]): VenueQuote | "halted" | null {
  const [, , nanoseconds, ticker, , bid, , ask, , , , halted] = values;
  if (typeof ticker !== "string") return null;
  if (halted === 1) return "halted";
  const ms = typeof nanoseconds === "number" ? nanoseconds / NANOSECONDS_PER_MS : null;
  return { symbol: `iex:${ticker}`, bid, ask, madeAtMs: wholeMs(ms) };
}
