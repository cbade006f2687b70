import type { Clock } from "@propgate/base";
import { type PairId, price, unixMs } from "@propgate/core";
import type { MessageKind } from "../connection.ts";
import type { LiveSink } from "../live-source.ts";

/** The values of a quote in a venue's message, before they are checked. */
export interface VenueQuote {
  readonly symbol: string;
  /** The best bid; zero, null or absent when the side has no price. The same for `ask`. */
  readonly bid: unknown;
  readonly ask: unknown;
  /** The venue's time in Unix milliseconds; NaN when the message has no valid time. */
  readonly madeAtMs: number;
}

/** Offers the quotes of a venue for the pairs to which its symbols belong. */
export interface QuoteOutlet {
  /** Sets the receiver of the quotes; null stops offering. */
  attach(sink: LiveSink | null): void;
  /**
   * Offers a quote for its pairs and returns the kind of the message: `data` for a quote with both sides, `life` when a
   * side has no price, `unreadable` when a price or the time has another form. A wrong value is never replaced by a
   * guess.
   */
  offer(quote: VenueQuote): MessageKind;
}

export function createQuoteOutlet(options: {
  readonly source: string;
  readonly symbols: ReadonlyMap<PairId, string>;
  readonly clock: Clock;
}): QuoteOutlet {
  const { source, clock } = options;
  const pairs = pairsBySymbol(options.symbols);
  let sink: LiveSink | null = null;
  return {
    attach(to) {
      sink = to;
    },
    offer({ symbol, bid, ask, madeAtMs }) {
      const [low, high] = [sideOf(bid), sideOf(ask)];
      if (low === "unreadable" || high === "unreadable") return "unreadable";
      if (!Number.isSafeInteger(madeAtMs) || madeAtMs <= 0) return "unreadable";
      if (low === null || high === null) return "life";
      for (const pair of pairs.get(symbol) ?? []) {
        const times = { madeAtMs: unixMs(madeAtMs), receivedAtMs: clock.now() };
        sink?.offer({ source, pair, bid: price(low), ask: price(high), ...times });
      }
      return "data";
    },
  };
}

/** The price of a side; null when the side has none. */
function sideOf(value: unknown): number | null | "unreadable" {
  if (value === null || value === undefined || value === 0) return null;
  const isPrice = typeof value === "number" && Number.isFinite(value) && value > 0;
  return isPrice ? value : "unreadable";
}

function pairsBySymbol(symbols: ReadonlyMap<PairId, string>): ReadonlyMap<string, PairId[]> {
  const pairs = new Map<string, PairId[]>();
  for (const [pair, symbol] of symbols) pairs.set(symbol, [...(pairs.get(symbol) ?? []), pair]);
  return pairs;
}

/**
 * The Unix milliseconds of a time in ISO form with any number of decimals; NaN for a value that is no readable time.
 */
export function parseIsoMs(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}

/** A number of milliseconds without its fraction; NaN for any other value. */
export function wholeMs(value: unknown): number {
  return typeof value === "number" ? Math.floor(value) : Number.NaN;
}
