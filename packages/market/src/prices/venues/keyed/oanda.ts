/**
 * OANDA's v20 pricing stream has forex, metals, commodities and indices, at the prices of the account. It sends at most
 * four prices a second for each instrument, and a heartbeat every five seconds.
 * https://developer.oanda.com/rest-live-v20/pricing-ep/
 */

import type { Log } from "@propgate/base";
import { memberOf } from "../ccxt/member-of.ts";
import { createConnection, type MessageKind } from "../connection.ts";
import type { LiveSource } from "../live-source.ts";
import type { OpenSourceDependencies } from "../registry.ts";
import { createKeyedSource, createUnavailableSource, missingSettings } from "./keyed-source.ts";
import { createOandaLink } from "./oanda-link.ts";
import { createQuoteOutlet, parseIsoMs, type QuoteOutlet } from "./quote-outlet.ts";
import { venueText } from "./venue-text.ts";

const NAME = "oanda";
const HOSTS = {
  practice: {
    requests: "https://api-fxpractice.oanda.com",
    streams: "https://stream-fxpractice.oanda.com",
  },
  live: { requests: "https://api-fxtrade.oanda.com", streams: "https://stream-fxtrade.oanda.com" },
} as const;
/**
 * `silentMs` is four heartbeats. The first retry waits a second, because OANDA limits new connections to two a second.
 */
const LIMITS = {
  silentMs: 20_000,
  firstRetryMs: 1_000,
  lastRetryMs: 60_000,
  messagesPerSecondMax: 5_000,
};

/** Opens the source of prices from OANDA. Without its token or account the source is down. */
export async function openOanda(around: OpenSourceDependencies): Promise<LiveSource> {
  const { settings, sourceSymbols: symbols, log } = around;
  const { oandaToken: token, oandaAccount: account } = settings;
  const pairs = [...symbols.keys()];
  if (token === null || account === null) {
    const reason = missingSettings({
      PROPGATE_OANDA_TOKEN: token,
      PROPGATE_OANDA_ACCOUNT: account,
    });
    return createUnavailableSource({ name: NAME, pairs, reason, log });
  }
  const outlet = createQuoteOutlet({ source: NAME, symbols, clock: around.clock });
  const hosts = HOSTS[settings.oandaHost];
  const path = `/v3/accounts/${encodeURIComponent(account)}`;
  const connection = createConnection<string>({
    name: NAME,
    open: createOandaLink({
      requestsUrl: `${around.origin ?? hosts.requests}${path}`,
      streamsUrl: `${around.origin ?? hosts.streams}${path}`,
      instruments: [...new Set(symbols.values())],
      headers: { authorization: `Bearer ${token}`, "accept-datetime-format": "RFC3339" },
      refused: (status, body) => refusalText(status, body, [token, account]),
      onMissing: missingWarning(log),
    }),
    opened() {},
    read: (line) => readLine(line, outlet),
    // Each message has both sides, so no price is kept between messages.
    ended() {},
    limits: LIMITS,
    around,
  });
  const connections =
    symbols.size === 0 ? [] : [{ market: "prices", pairs: new Set(pairs), connection }];
  return createKeyedSource({ name: NAME, pairs, outlet, connections });
}

/** Makes a function that warns of missing instruments: once, and again when the list has changed. */
function missingWarning(log: Log): (missing: readonly string[]) => void {
  let warned = "";
  return (missing) => {
    const names = missing.join(", ");
    if (names === warned) return;
    warned = names;
    if (names === "") return;
    log.warn({ source: NAME, symbols: names }, "the account does not have these instruments");
  };
}

function readLine(line: string, outlet: QuoteOutlet): MessageKind {
  const message: unknown = JSON.parse(line);
  const type = memberOf(message, "type");
  if (type === "HEARTBEAT") return "life";
  const symbol = memberOf(message, "instrument");
  if (type !== "PRICE" || typeof symbol !== "string") return "unreadable";
  // The market is closed. The stream then repeats the last price, which is not a quote.
  if (memberOf(message, "tradeable") === false) return "life";
  return outlet.offer({
    symbol,
    bid: bestPrice(memberOf(message, "bids"), Math.max),
    ask: bestPrice(memberOf(message, "asks"), Math.min),
    madeAtMs: parseIsoMs(memberOf(message, "time")),
  });
}

/** The best price of a side's levels. Null when the side is empty; NaN when the levels are not readable. */
function bestPrice(levels: unknown, pick: (...prices: number[]) => number): number | null {
  if (!Array.isArray(levels)) return Number.NaN;
  if (levels.length === 0) return null;
  return pick(...levels.map((level: unknown) => parseDecimal(memberOf(level, "price"))));
}

function parseDecimal(text: unknown): number {
  return typeof text === "string" && /^\d{1,12}(\.\d{1,12})?$/.test(text)
    ? Number(text)
    : Number.NaN;
}

function refusalText(status: number, body: string, secrets: readonly string[]): string {
  if (status === 401 || status === 403) {
    return `the venue rejected the token or the account (${status}); practice and live tokens differ`;
  }
  const text = venueText(errorMessage(body), secrets);
  return [`the venue answered with status ${status}`, text].filter(Boolean).join(": ");
}

function errorMessage(body: string): unknown {
  try {
    return memberOf(JSON.parse(body), "errorMessage");
  } catch {
    return null;
  }
}
