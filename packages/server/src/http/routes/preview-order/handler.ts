import type { OrderFields } from "@propgate/contract";
import type { PreviewCommand, TraderCommand } from "@propgate/core";
import { readOrderBody, refusedOrder } from "../../order-body.ts";
import { orderCommand } from "../../order-command.ts";
import { previewView } from "../../views/preview.ts";
import { answered, type Handler, type HandlerNeeds, readAt, rejected } from "../handler.ts";

const KINDS = ["MARKET", "LIMIT", "STOP_LIMIT", "BRACKET"] as const;
/** Nothing of a preview is kept, so it draws no id: an id is chance, and chance is part of the record. */
const NO_ORDER = "preview";

/** POST preview: an order's body, its refusals and what it would do; places nothing. @rule D9.preview */
export const previewOrder =
  ({ network }: Pick<HandlerNeeds, "network">): Handler =>
  async (asked) => {
    const read = readOrderBody(asked);
    if (!read.ok) return read;
    const sent = read.value;
    const command = previewed(sent.order);
    if (command === null) {
      return rejected("invalidBody", `'execution_type' must be one of ${KINDS.join(", ")} here`);
    }
    const previewing = await network.preview(readAt(asked), command);
    if (previewing.ok) return answered(previewView(previewing.value), sent.ignoredFields);
    if (previewing.error === "refused") {
      return { ok: false, rejection: refusedOrder(previewing.refusal, sent) };
    }
    return rejected("snapshotUnavailable");
  };

/** Null: an edit, a cancellation or a flatten. */
function previewed(order: OrderFields): PreviewCommand | null {
  const command: TraderCommand = orderCommand(order, () => NO_ORDER);
  switch (command.type) {
    case "placeMarket":
    case "closePair":
    case "placeLimit":
    case "placeStopLimit":
    case "placeBracket":
      return command;
    case "editOrder":
    case "cancelOrders":
    case "flatten":
      return null;
  }
}
