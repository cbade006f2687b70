/** The effects of one quote on a pair and their order, written from the text of the rules. @rule D10.oneQuote */
import type { Quote } from "../../market/quote.ts";
import type { HeldPosition, PendingEntry, PendingLeg, ReferenceBook } from "./reference-book.ts";
import {
  isLimitReached,
  isStopHit,
  isStopTriggered,
  isTargetHit,
  type TradablePair,
} from "./reference-prices.ts";

/** An effect of a quote: the leg or entry that it fills, and the kind of the fill. */
export type QuoteEffect =
  | { readonly by: "stopLoss" | "takeProfit"; readonly order: PendingLeg }
  | { readonly by: "limit"; readonly order: PendingEntry };

/**
 * The next effect of the quote: a stop, then the oldest order against the position, then a target, then the oldest
 * order that opens or adds, unless the pair's conversion rate is stale. Null when the quote has no further effect on
 * the pair.
 */
export function nextEffect(
  book: ReferenceBook,
  { quote, mayOpen }: TradablePair,
): QuoteEffect | null {
  const held = book.positions.get(quote.pair);
  const legs = held === undefined ? [] : book.legsOf(held.uuid);
  const stop = legs.find((leg) => isStopHit(leg, quote));
  if (stop !== undefined) return { by: "stopLoss", order: stop };
  const reached = reachedEntries(book, quote).filter((entry) => !isHeldAt(book, entry, quote));
  const exit = reached.find(({ direction }) => held !== undefined && held.direction !== direction);
  if (exit !== undefined) return { by: "limit", order: exit };
  const target = legs.find((leg) => isTargetHit(leg, quote));
  if (target !== undefined) return { by: "takeProfit", order: target };
  const entry = mayOpen ? reached[0] : undefined;
  return entry === undefined ? null : { by: "limit", order: entry };
}

/**
 * Holds, until the next quote, the entries that this quote reaches and that would have reduced the position which it
 * has just closed.
 */
export function holdReducingEntries(
  book: ReferenceBook,
  { pair, direction }: HeldPosition,
  quote: Quote | undefined,
): void {
  if (quote?.pair !== pair) return;
  for (const entry of book.entriesOn(pair)) {
    const isReached =
      entry.stop === null ? isLimitReached(entry, quote) : isStopTriggered(entry, quote);
    if (isReached && entry.direction !== direction) book.heldAt.set(entry.uuid, quote);
  }
}

function reachedEntries(book: ReferenceBook, quote: Quote): readonly PendingEntry[] {
  return book
    .entriesOn(quote.pair)
    .filter((entry) => entry.stop === null || isStopTriggered(entry, quote))
    .filter((entry) => isLimitReached(entry, quote));
}

/** Whether the entry is held at this quote, because the quote closed the position that the entry would have reduced. */
export function isHeldAt(
  book: ReferenceBook,
  { uuid }: Pick<PendingEntry, "uuid">,
  quote: Quote,
): boolean {
  const closing = book.heldAt.get(uuid);
  return closing !== undefined && isSameQuote(closing, quote);
}

/**
 * The stop-limit entries that the quote triggers. Leaves out entries that are held until the next quote and, while the
 * conversion rate is stale, entries that would open or add.
 */
export function findTriggeredStopLimits(
  book: ReferenceBook,
  { quote, mayOpen }: TradablePair,
): readonly PendingEntry[] {
  const held = book.positions.get(quote.pair);
  return book
    .entriesOn(quote.pair)
    .filter((entry) => isStopTriggered(entry, quote) && !isHeldAt(book, entry, quote))
    .filter(({ direction }) => mayOpen || (held !== undefined && held.direction !== direction));
}

function isSameQuote(one: Quote, other: Quote): boolean {
  return one.atMs === other.atMs && one.bid === other.bid && one.ask === other.ask;
}
