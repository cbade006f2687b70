import { pairId, price, type Quote, unixMs } from "@propgate/core";

/** A quote for tests. */
export function madeQuote(pair: string, bid: number, ask: number, atMs: number): Quote {
  return { pair: pairId(pair), bid: price(bid), ask: price(ask), atMs: unixMs(atMs) };
}
