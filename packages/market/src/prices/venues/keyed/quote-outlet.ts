import type { Clock } from "@propgate/base";
import { type PairId, price, unixMs } from "@propgate/core";
import type { MessageKind } from "../connection.ts";
import type { LiveSink } from "../live-source.ts";

/** A quote as a venue's message has it. */
export interface VenueQuote {
  readonly symbol: string;
  /** Zero, null or absent when the side has no price. */
  readonly bid: unknown;
  readonly ask: unknown;
  /** Unix milliseconds; NaN when the message has no valid time. */
  readonly madeAtMs: number;
}

/** Offers a venue's quotes under the pairs that its symbols belong to. */
export interface QuoteOutlet {
  /** Null stops offering. */
  attach(sink: LiveSink | null): void;
  /** Offers a quote with both sides. A price or time of another form is unreadable; it is never replaced by a guess. */
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

/** Null when the side has no price. */
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

/** Unix milliseconds of an ISO time with any number of decimals; NaN for any other value. */
export function isoMs(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}

/** The whole part of a number of milliseconds; NaN for any other value. */
export function wholeMs(value: unknown): number {
  return typeof value === "number" ? Math.floor(value) : Number.NaN;
}
