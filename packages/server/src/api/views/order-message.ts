import { dollars, type Instruments, lots } from "@propgate/core";
import type { OrderReceipt, OrderRecord, StayedPosition } from "../../trading/network/port.ts";
import { stayReasonText } from "../refusal-text.ts";
import { exposureCapText, ORDER_WORDS, POSITION_WORDS, RESTING_WORDS } from "../wire.ts";
import { priceText } from "./format.ts";
import { pairDisplay } from "./pair-display.ts";

/** One sentence for people about the outcome of the request. @rule S2.6 */
export function orderMessage(receipt: OrderReceipt, instruments: Instruments): string {
  const { order, note } = receipt;
  const what = order === null ? "" : describe(order, instruments);
  switch (receipt.outcome) {
    case "filled":
      return `${what}.`;
    case "resting":
      return `${what} rests.`;
    case "edited":
      return `${what} was edited and rests.`;
    case "cancelled":
    case "flattened":
    case "partlyFlattened":
      return note === null ? "Done." : noteText(note, instruments);
  }
}

function describe(order: OrderRecord, instruments: Instruments): string {
  if (!order.filled) {
    const { kind, direction, pair } = order.order;
    return `${RESTING_WORDS[kind]} ${POSITION_WORDS[direction]} ${pairDisplay(instruments, pair)}`;
  }
  const cap = order.bindingCap === null ? "" : `, limited by ${exposureCapText(order.bindingCap)}`;
  const pair = pairDisplay(instruments, order.pair);
  const size = `${lots(order.quantity)} lots (${dollars(order.value)} USD)`;
  const rest = order.tookRestAlong
    ? ", including the rest, which was below the minimum position"
    : "";
  return `${ORDER_WORDS[order.direction]} ${pair} filled: ${size} at ${priceText(order.price)}${cap}${rest}`;
}

function noteText(note: NonNullable<OrderReceipt["note"]>, instruments: Instruments): string {
  switch (note.kind) {
    case "cancelled": {
      const cancelled = `${counted(note.count, "order")} cancelled.`;
      return note.count === 0 ? "No pending order to cancel." : cancelled + passedOver(note);
    }
    case "flattened": {
      const { closed, stayed } = note;
      if (closed.length === 0 && stayed.length === 0) return "No open position to close.";
      const done = `${counted(closed.length, "position")} closed.`;
      return [done, ...stayed.map(stayedText(instruments))].join(" ") + passedOver(note);
    }
  }
}

/** One sentence for each position that is still open. */
export function stayedText(instruments: Instruments): (stayed: StayedPosition) => string {
  return ({ pair, why }) => `${pairDisplay(instruments, pair)} stays open: ${stayReasonText(why)}.`;
}

function passedOver({ notFound }: { readonly notFound: readonly string[] }): string {
  return notFound.length === 0 ? "" : ` No longer open: ${notFound.join(", ")}.`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
