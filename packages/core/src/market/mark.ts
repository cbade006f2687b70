import type { Price } from "../units.ts";
import { price } from "../units.ts";
import type { Quote } from "./quote.ts";

/** What a position could be left at: a long at bid, a short at ask. @rule D4.marks */
export function markOf(direction: "long" | "short", quote: Quote): Price {
  return direction === "long" ? quote.bid : quote.ask;
}

/** Halfway between bid and ask: what stop orders watch and other currencies convert at. */
export function midOf(quote: Quote): Price {
  return price((quote.bid + quote.ask) / 2);
}
