import { type Price, price } from "../units.ts";
import type { Quote } from "./quote.ts";

/** The price at which a position could be closed: a long at bid, a short at ask. @rule D4.marks decides */
export function markOf(direction: "long" | "short", quote: Quote): Price {
  return direction === "long" ? quote.bid : quote.ask;
}

/** The middle of bid and ask: it triggers stop-limit orders and converts currencies. */
export function midOf(quote: Pick<Quote, "bid" | "ask">): Price {
  return price((quote.bid + quote.ask) / 2);
}
