import { EXECUTION_TYPES, type OrderFields, placesOrder } from "@propgate/contract";
import {
  createPairFinder,
  type OrderCommand,
  type PairFinder,
  type PreviewCommand,
} from "@propgate/core";
import { orderCommand, previewView, readOrderBody, rejectionOfRefusal } from "@propgate/wire";
import {
  answerWithData,
  type Handler,
  type HandlerOptions,
  minimumReadAt,
  rejectWith,
} from "../handler.ts";

const KINDS = EXECUTION_TYPES.filter((type) => placesOrder(type));
/** The id of every previewed order. A preview is not stored, so it takes no random id. */
const NO_ORDER = "preview";

/**
 * POST preview: checks an order's body and returns its effect or refusal, without placing it.
 * @rule D9.preview
 */
export function previewOrder({
  embedded,
  instruments,
}: Pick<HandlerOptions, "embedded" | "instruments">): Handler {
  const pairOf = createPairFinder(instruments);
  return async (input) => {
    const read = readOrderBody(input);
    if (!read.ok) return read;
    const sent = read.value;
    const command = previewCommandOf(sent.order, pairOf);
    if (command === null) {
      return rejectWith("invalidBody", `'execution_type' must be one of ${KINDS.join(", ")} here`);
    }
    const previewing = await embedded.preview(minimumReadAt(input), command);
    if (previewing.ok) return answerWithData(previewView(previewing.value), sent.ignoredFields);
    if (previewing.error === "refused") {
      return { ok: false, rejection: rejectionOfRefusal(previewing.refusal, sent) };
    }
    return rejectWith("snapshotUnavailable");
  };
}

/** The command of a previewed order; null for an edit, a cancel or a flatten. */
function previewCommandOf(order: OrderFields, pairOf: PairFinder): PreviewCommand | null {
  const command: OrderCommand = orderCommand(order, { pairOf, newUuid: () => NO_ORDER });
  const { type } = command;
  return type === "editOrder" || type === "cancelOrders" || type === "flatten" ? null : command;
}
