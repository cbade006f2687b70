import { dollars, type Instruments, lots } from "@propgate/core";
import type { OrderReceipt, OrderRecord } from "../../network/port.ts";
import { ORDER_WORDS, POSITION_WORDS, RESTING_WORDS } from "../wire.ts";
import { priceText } from "./format.ts";
import { pairDisplay } from "./pair-display.ts";

/** One sentence for people about what became of the request. @rule S2.6 */
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
      return note === null ? "Done." : noteText(note, instruments);
  }
}

function describe(order: OrderRecord, instruments: Instruments): string {
  if (!order.filled) {
    const { kind, direction, pair } = order.order;
    return `${RESTING_WORDS[kind]} ${POSITION_WORDS[direction]} ${pairDisplay(instruments, pair)}`;
  }
  const cap = order.bindingCap === null ? "" : `, limited by ${order.bindingCap}`;
  const pair = pairDisplay(instruments, order.pair);
  const size = `${lots(order.quantity)} lots (${dollars(order.value)} USD)`;
  return `${ORDER_WORDS[order.direction]} ${pair} filled: ${size} at ${priceText(order.price)}${cap}`;
}

function noteText(note: NonNullable<OrderReceipt["note"]>, instruments: Instruments): string {
  switch (note.kind) {
    case "nothingToCancel":
      return "No resting order to cancel.";
    case "nothingOpen":
      return "No open position to close.";
    case "cancelled":
      return `${counted(note.count, "order")} cancelled.`;
    case "flattened": {
      const closed = `${counted(note.closed.length, "position")} closed.`;
      const stayed = note.stayed.map(
        ({ pair, why }) => `${pairDisplay(instruments, pair)} stays open: ${why}.`,
      );
      return [closed, ...stayed].join(" ");
    }
  }
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
