import { isPrice } from "../is-price.ts";
import { memberOf } from "./member-of.ts";

/** The best bid and ask of a symbol, as ccxt read them. */
export interface BookTop {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  /** The venue's time in Unix milliseconds; null when the venue sends none. */
  readonly madeAtMs: number | null;
}

/**
 * Reads the result of a watch method: a ticker, an order book, or several of them by symbol. A result without a valid
 * bid and ask is left out.
 */
export function readBookTops(result: unknown): readonly BookTop[] {
  if (typeof result !== "object" || result === null) return [];
  if (typeof memberOf(result, "symbol") === "string") {
    const top = topOf(result);
    return top === null ? [] : [top];
  }
  return Object.values(result)
    .filter((one) => typeof memberOf(one, "symbol") === "string")
    .flatMap((one) => readBookTops(one));
}

function topOf(result: object): BookTop | null {
  const symbol = memberOf(result, "symbol");
  const bid = memberOf(result, "bid") ?? firstPrice(memberOf(result, "bids"));
  const ask = memberOf(result, "ask") ?? firstPrice(memberOf(result, "asks"));
  if (typeof symbol !== "string" || !isPrice(bid) || !isPrice(ask)) return null;
  return { symbol, bid, ask, madeAtMs: timeOf(result) };
}

function firstPrice(levels: unknown): unknown {
  if (!Array.isArray(levels)) return undefined;
  const [first]: readonly unknown[] = levels;
  return Array.isArray(first) ? first[0] : undefined;
}

/**
 * The venue's time: ccxt's `timestamp`, else the time in the raw message, because ccxt leaves out the time of Kraken's
 * ticker. Null when there is neither.
 */
function timeOf(result: object): number | null {
  const ms = memberOf(result, "timestamp");
  if (isTime(ms)) return ms;
  const text = memberOf(memberOf(result, "info"), "timestamp");
  const parsed = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return isTime(parsed) ? parsed : null;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
