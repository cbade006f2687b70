/** The effects of one quote on a pair, in order. @rule D10.oneQuote */
import type { Quote } from "../../market/quote.ts";
import type { HeldPosition, PendingEntry, PendingLeg, ReferenceBook } from "./reference-book.ts";
import {
  isLimitReached,
  isStopHit,
  isStopTriggered,
  isTargetHit,
  type Trading,
} from "./reference-prices.ts";

export type Effect =
  | { readonly by: "stopLoss" | "takeProfit"; readonly order: PendingLeg }
  | { readonly by: "limit"; readonly order: PendingEntry };

/**
 * The next effect: stops, then orders against the position, oldest first, then targets, then orders that open or
 * add, oldest first, unless their rate is stale. Null when the quote has no effect left on the pair.
 */
export function nextEffect(book: ReferenceBook, { quote, mayOpen }: Trading): Effect | null {
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

/** Holds the triggered orders against a position that has just closed until the next quote. */
export function holdExits(
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

/** Whether the entry is held at this quote, because the quote closed the position it would have reduced. */
export function isHeldAt(
  book: ReferenceBook,
  { uuid }: Pick<PendingEntry, "uuid">,
  quote: Quote,
): boolean {
  const closing = book.heldAt.get(uuid);
  return closing !== undefined && isSameQuote(closing, quote);
}

/** The stop-limits whose stop the quote triggers, which are not held and need not wait for their rate. */
export function triggeredStops(
  book: ReferenceBook,
  { quote, mayOpen }: Trading,
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
