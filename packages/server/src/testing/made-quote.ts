import { pairId, price, type Quote, unixMs } from "@propgate/core";

/** A quote with these prices and this time, as a source sends it. */
export function madeQuote(pair: string, bid: number, ask: number, atMs: number): Quote {
  return { pair: pairId(pair), bid: price(bid), ask: price(ask), atMs: unixMs(atMs) };
}
