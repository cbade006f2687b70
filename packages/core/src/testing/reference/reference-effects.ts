/** What one quote does to a pair, one effect after the other. @rule D10.oneQuote */
import type { Quote } from "../../market/quote.ts";
import type { HeldPosition, ReferenceBook, WaitingEntry, WaitingLeg } from "./reference-book.ts";
import { isLimitReached, isStopHit, isStopPassed, isTargetHit } from "./reference-prices.ts";

export type Effect =
  | { readonly by: "stopLoss" | "takeProfit"; readonly order: WaitingLeg }
  | { readonly by: "limit"; readonly order: WaitingEntry };

/**
 * Stops; then orders opposite to the position, oldest first; then targets; then what opens or adds, oldest first.
 * Null when the quote has nothing left to do on the pair.
 */
export function nextEffect(book: ReferenceBook, quote: Quote): Effect | null {
  const held = book.positions.get(quote.pair);
  const legs = held === undefined ? [] : book.legsOf(held.uuid);
  const stop = legs.find((leg) => isStopHit(leg, quote));
  if (stop !== undefined) return { by: "stopLoss", order: stop };
  const reached = reachedEntries(book, quote).filter((entry) => !isHeldBack(book, entry, quote));
  const exit = reached.find(({ direction }) => held !== undefined && held.direction !== direction);
  if (exit !== undefined) return { by: "limit", order: exit };
  const target = legs.find((leg) => isTargetHit(leg, quote));
  if (target !== undefined) return { by: "takeProfit", order: target };
  const entry = reached[0];
  return entry === undefined ? null : { by: "limit", order: entry };
}

/** What is pending against a position that has closed, and is reached or triggered, waits for another quote. */
export function holdExits(
  book: ReferenceBook,
  { pair, direction }: HeldPosition,
  quote: Quote | undefined,
): void {
  if (quote?.pair !== pair) return;
  for (const entry of book.entriesOn(pair)) {
    const isReached =
      entry.stop === null ? isLimitReached(entry, quote) : isStopPassed(entry, quote);
    if (isReached && entry.direction !== direction) book.heldAt.set(entry.uuid, quote);
  }
}

function reachedEntries(book: ReferenceBook, quote: Quote): readonly WaitingEntry[] {
  return book
    .entriesOn(quote.pair)
    .filter((entry) => entry.stop === null || isStopPassed(entry, quote))
    .filter((entry) => isLimitReached(entry, quote));
}

/** The quote that closed a position opens nothing on its other side. */
export function isHeldBack(
  book: ReferenceBook,
  { uuid }: Pick<WaitingEntry, "uuid">,
  quote: Quote,
): boolean {
  const closing = book.heldAt.get(uuid);
  return closing !== undefined && isSameQuote(closing, quote);
}

/** The stop-limits whose stop the quote passes and which nothing holds back. */
export function passedStops(book: ReferenceBook, quote: Quote): readonly WaitingEntry[] {
  return book
    .entriesOn(quote.pair)
    .filter((entry) => isStopPassed(entry, quote) && !isHeldBack(book, entry, quote));
}

function isSameQuote(one: Quote, other: Quote): boolean {
  return one.atMs === other.atMs && one.bid === other.bid && one.ask === other.ask;
}
