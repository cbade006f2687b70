import type { Refusal } from "../../state/refusal.ts";
import { expectThat } from "../lives/expectation.ts";
import type { PendingEntry, ReferenceBook } from "./reference-book.ts";
import { type ReferenceCircumstances, sizePricingOf } from "./reference-circumstances.ts";
import type { QuoteEffect } from "./reference-effects.ts";
import { expectNoRoomBeyond, requestedExitOf } from "./reference-fills.ts";
import { fillPriceOf, type TradablePair } from "./reference-prices.ts";
import { addableValueFor } from "./reference-room.ts";
import { doLegsFit } from "./reference-sides.ts";

/**
 * The possible reasons to reject a triggered entry that would open or add. Another model checks whether the caps apply.
 */
const REJECTIONS_OF_OPENING: ReadonlySet<Refusal["code"]> = new Set<Refusal["code"]>([
  "noRoom",
  "positionTooSmall",
  "proTransition",
]);

const SIDE_CODES: ReadonlySet<Refusal["code"]> = new Set<Refusal["code"]>([
  "wrongSide",
  "wouldTrigger",
  "trailingDistance",
]);

interface Reached {
  readonly effect: QuoteEffect;
  readonly trading: TradablePair;
  readonly book: ReferenceBook;
  readonly at: ReferenceCircumstances;
}

/**
 * Checks the rejection of a triggered entry.
 * @throws unless the quote has reached an entry, and there is a reason for this rejection
 */
export function expectRejected({ code }: Refusal, { effect, trading, book, at }: Reached): void {
  expectThat(effect.by === "limit", "only an entry is rejected");
  const entry = effect.order;
  const held = book.positions.get(entry.pair);
  const isExit = held !== undefined && held.direction !== entry.direction;
  const hasWrongLegs = !isExit && !doLegsFit(entry.legs, entry.direction, trading.quote);
  const isLegs = SIDE_CODES.has(code);
  const isTiny = code === "sizeBelowGrid" && requestedExitOf(effect, trading, at).sizes.min <= 0;
  const isOpening = !isExit && REJECTIONS_OF_OPENING.has(code);
  if (code === "noRoom") expectNoRoom(entry, trading, at);
  const isJustified = (isLegs && hasWrongLegs) || isTiny || isOpening;
  expectThat(isJustified, `${entry.uuid} has a reason for the rejection ${code}`);
}

function expectNoRoom(
  { pair, direction }: PendingEntry,
  { quote }: TradablePair,
  at: ReferenceCircumstances,
): void {
  const pricing = sizePricingOf(pair, fillPriceOf(direction, quote), at);
  expectThat(pricing !== null, "a size needs a rate");
  expectNoRoomBeyond(0, { room: addableValueFor(pair, at.account, at.moment), pricing });
}
