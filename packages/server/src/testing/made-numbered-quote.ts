import { pairId, price, unixMs } from "@propgate/core";
import type { NumberedQuote } from "../../../market/src/prices/quotes/numbered-quote.ts";

/**
 * An accepted quote for tests. Unless given, its range is its own bid and ask, its source is `replay`, and it was made
 * and received at `atMs`.
 */
export function madeNumberedQuote(
  over: Partial<Omit<NumberedQuote, "pair" | "bid" | "ask" | "atMs" | "receivedAtMs">> & {
    readonly number: number;
    readonly atMs: number;
    readonly pair?: string;
    readonly bid?: number;
    readonly ask?: number;
    readonly receivedAtMs?: number;
  },
): NumberedQuote {
  const bid = price(over.bid ?? 100 + (over.number % 50) / 100);
  const ask = price(over.ask ?? bid + 0.5);
  return {
    epoch: 1,
    previous: over.number - 1,
    source: "replay",
    madeAtMs: unixMs(over.atMs),
    range: { lowBid: bid, highBid: bid, lowAsk: ask, highAsk: ask },
    ...over,
    pair: pairId(over.pair ?? "BTCUSD"),
    bid,
    ask,
    atMs: unixMs(over.atMs),
    receivedAtMs: unixMs(over.receivedAtMs ?? over.atMs),
  };
}
