/**
 * The markets of Massive: to which of them a symbol belongs, what is subscribed for it, and how its quotes look.
 * https://massive.com/docs/websocket/stocks/quotes, /forex/quotes and /crypto/quotes
 */
import { memberOf } from "../ccxt/member-of.ts";
import { type VenueQuote, wholeMs } from "./quote-outlet.ts";

/** A market of Massive. Each has a WebSocket of its own. */
export type MassiveMarket = "stocks" | "forex" | "crypto";
export const MASSIVE_MARKETS: readonly MassiveMarket[] = ["stocks", "forex", "crypto"];

/** A symbol of the catalogue, as Massive knows it. */
export interface MassiveSymbol {
  readonly market: MassiveMarket;
  /** The name of the subscription, such as `Q.AAPL`. */
  readonly channel: string;
  /** The name under which the symbol's quotes are offered to the outlet. */
  readonly key: string;
}

/**
 * The id of Coinbase, the exchange for crypto symbols that name none. One stream has the books of several exchanges.
 */
const CRYPTO_EXCHANGE = "1";

/**
 * Reads a symbol of the catalogue: `AAPL`, `C:EUR-USD`, `X:BTC-USD`, or `X:BTC-USD@23` for another exchange than
 * Coinbase. Null for other prefixes, such as indices, `I:SPX`: they have a value without bid and ask, and adding a
 * spread would invent a price.
 */
export function parseMassiveSymbol(symbol: string): MassiveSymbol | null {
  const [, prefix = "", name = ""] = /^(?:([A-Z]):)?(\S+)$/.exec(symbol) ?? [];
  if (prefix === "") return { market: "stocks", channel: `Q.${name}`, key: `stocks:${name}` };
  if (prefix === "C") return { market: "forex", channel: `C.${name}`, key: forexKey(name) };
  if (prefix !== "X") return null;
  const [pair = "", exchange = CRYPTO_EXCHANGE] = name.split("@");
  return { market: "crypto", channel: `XQ.${pair}`, key: cryptoKey(pair, exchange) };
}

/** The quote of an event; null for an event of another kind. */
export function parseMassiveQuote(event: unknown): VenueQuote | null {
  const field = (name: string): unknown => memberOf(event, name);
  const madeAtMs = wholeMs(field("t"));
  switch (field("ev")) {
    case "Q":
      return {
        symbol: `stocks:${text(field("sym"))}`,
        bid: field("bp"),
        ask: field("ap"),
        madeAtMs,
      };
    case "C":
      return { symbol: forexKey(text(field("p"))), bid: field("b"), ask: field("a"), madeAtMs };
    case "XQ": {
      const symbol = cryptoKey(text(field("pair")), text(field("x")));
      return { symbol, bid: field("bp"), ask: field("ap"), madeAtMs };
    }
    default:
      return null;
  }
}

/** The key of a forex pair. The documentation writes both `EUR/USD` and `EUR-USD`, so only the letters count. */
function forexKey(pair: string): string {
  return `forex:${pair.replaceAll(/[^A-Z]/g, "")}`;
}

function cryptoKey(pair: string, exchange: string): string {
  return `crypto:${pair}@${exchange}`;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
