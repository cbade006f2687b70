import { differenceText } from "@propgate/contract";
import { dollars, type Ending, lots, type PairId } from "@propgate/core";
import type { OrderReceipt, OrderRecord, UnclosedPosition } from "@propgate/ledger";
import { PENDING_KIND_WORDS } from "../entry-kinds.ts";
import { stayReasonText } from "../refusal-text.ts";
import { DIRECTION_WORDS, exposureCapText, ORDER_TYPE_WORDS } from "../wire.ts";
import { fillDifferenceView } from "./fill-difference.ts";
import { countText, priceText } from "./format.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";

/** One sentence for people about the outcome of the request. @rule S2.6 */
export function orderMessage(receipt: OrderReceipt, displays: PairDisplays): string {
  const { ended } = receipt;
  const outcome = outcomeText(receipt, displays);
  return ended === null ? outcome : `${outcome} ${ENDING_TEXTS[ended]}`;
}

/** The sentence that is added when the order ended the account or passed its challenge. @rule D13.ended */
const ENDING_TEXTS: Readonly<Record<Ending, string>> = {
  eliminated:
    "It ended the account: the account is eliminated, its positions are closed and its orders cancelled.",
  passed: "It passed the challenge: all positions are closed and all orders cancelled.",
};

function outcomeText({ order, note, outcome }: OrderReceipt, displays: PairDisplays): string {
  const what = order === null ? "" : describeOrder(order, displays);
  switch (outcome) {
    case "filled":
      return `${what}.`;
    case "resting":
      return `${what} rests.`;
    case "edited":
      return `${what} was edited and rests.`;
    case "cancelled":
    case "flattened":
    case "partlyFlattened":
      return note === null ? "Done." : noteText(note, displays);
  }
}

function describeOrder(order: OrderRecord, displays: PairDisplays): string {
  if (!order.filled) {
    const { kind, direction, pair } = order.order;
    return `${PENDING_KIND_WORDS[kind]} ${DIRECTION_WORDS[direction]} ${pairDisplay(displays, pair)}`;
  }
  const cap = order.bindingCap === null ? "" : `, limited by ${exposureCapText(order.bindingCap)}`;
  const difference = differenceText(fillDifferenceView(order));
  const pair = pairDisplay(displays, order.pair);
  const size = `${lots(order.quantity)} lots (${dollars(order.value)} USD)`;
  const price = priceText(order.price, displays.get(order.pair)?.tick ?? null);
  return `${ORDER_TYPE_WORDS[order.direction]} ${pair} filled: ${size} at ${price}${cap}${difference === null ? "" : `, ${difference}`}`;
}

function noteText(note: NonNullable<OrderReceipt["note"]>, displays: PairDisplays): string {
  switch (note.kind) {
    case "cancelled": {
      const { count } = note;
      const done =
        count === 0 ? "No pending order to cancel." : `${countText(count, "order")} cancelled.`;
      return done + notFoundText(note) + withoutStopText(note, displays);
    }
    case "flattened": {
      const { closed, stayed } = note;
      if (closed.length === 0 && stayed.length === 0) return "No open position to close.";
      const done = `${countText(closed.length, "position")} closed.`;
      return [done, ...stayed.map(stayedTextWriter(displays))].join(" ") + notFoundText(note);
    }
  }
}

/** Returns a function that writes one sentence about a position that stays open. */
export function stayedTextWriter(displays: PairDisplays): (stayed: UnclosedPosition) => string {
  return ({ pair, why }) => `${pairDisplay(displays, pair)} stays open: ${stayReasonText(why)}.`;
}

function withoutStopText(
  { withoutStop: pairs }: { readonly withoutStop: readonly PairId[] },
  displays: PairDisplays,
): string {
  const named = pairs.map((pair) => pairDisplay(displays, pair)).join(", ");
  return pairs.length === 0 ? "" : ` Open without a stop: ${named}.`;
}

function notFoundText({ notFound }: { readonly notFound: readonly string[] }): string {
  return notFound.length === 0 ? "" : ` No longer open: ${notFound.join(", ")}.`;
}
