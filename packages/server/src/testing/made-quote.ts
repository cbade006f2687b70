import { pairId, price, type Quote, unixMs } from "@propgate/core";

/** `[pair, bid, ask, atMs]` as a quote. */
export function madeQuote(...[pair, bid, ask, atMs]: [string, number, number, number]): Quote {
  return { pair: pairId(pair), bid: price(bid), ask: price(ask), atMs: unixMs(atMs) };
}
