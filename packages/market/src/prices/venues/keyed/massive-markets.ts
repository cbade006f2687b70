/**
 * Massive's markets: which symbol belongs to which, what is subscribed for it, and how its quotes look.
 * https://massive.com/docs/websocket/stocks/quotes, /forex/quotes and /crypto/quotes
 */
import { memberOf } from "../ccxt/member-of.ts";
import { type VenueQuote, wholeMs } from "./quote-outlet.ts";

export type MassiveMarket = "stocks" | "forex" | "crypto";
export const MASSIVE_MARKETS: readonly MassiveMarket[] = ["stocks", "forex", "crypto"];

export interface MassiveSymbol {
  readonly market: MassiveMarket;
  /** The name of the subscription: `Q.AAPL`. */
  readonly channel: string;
  /** The name under which its quotes are offered. */
  readonly key: string;
}

/** The exchange of crypto quotes without one of their own: Coinbase. One feed has the books of several exchanges. */
const CRYPTO_EXCHANGE = "1";

/**
 * `AAPL`, `C:EUR-USD`, `X:BTC-USD`, or `X:BTC-USD@23` for another exchange. Null for indices, `I:SPX`: they have a
 * value, but no bid and ask, and a spread of our own would be a made-up price.
 */
export function massiveSymbol(symbol: string): MassiveSymbol | null {
  const [, prefix = "", name = ""] = /^(?:([A-Z]):)?(\S+)$/.exec(symbol) ?? [];
  if (prefix === "") return { market: "stocks", channel: `Q.${name}`, key: `stocks:${name}` };
  if (prefix === "C") return { market: "forex", channel: `C.${name}`, key: forexKey(name) };
  if (prefix !== "X") return null;
  const [pair = "", exchange = CRYPTO_EXCHANGE] = name.split("@");
  return { market: "crypto", channel: `XQ.${pair}`, key: cryptoKey(pair, exchange) };
}

/** The quote of an event; null for an event of another kind. */
export function massiveQuote(event: unknown): VenueQuote | null {
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

/** The documentation has `EUR/USD` and `EUR-USD`. */
function forexKey(pair: string): string {
  return `forex:${pair.replaceAll(/[^A-Z]/g, "")}`;
}

function cryptoKey(pair: string, exchange: string): string {
  return `crypto:${pair}@${exchange}`;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
