import type { OrderCommand } from "@propgate/core";
import type { NewLine, OwnOrder } from "@propgate/ledger";
import { parseStoredOrder } from "../orders/stored-order.ts";
import type { ObservedChange } from "./observed-change.ts";
import { parentOrderId } from "./parent-order-id.ts";

type Cause = Pick<NewLine, "origin" | "keyId" | "nonce" | "command">;

const VALIDATOR_CAUSE: Cause = {
  origin: "validator",
  keyId: null,
  nonce: null,
  command: "reading",
};

/**
 * The cause of an event: the order of this service that the event shows, or the validator. A command without an id of
 * its own, such as an edit, counts as the cause only while it is being sent, because its receipt is decided by the same
 * change of the account. @rule D13.observed
 */
export function causeOf(
  sighting: ObservedChange,
  own: readonly OwnOrder[],
): Cause & { readonly isOwn: boolean } {
  const orders = own.map((order) => ({ ...order, ...parseStoredOrder(order.command) }));
  const found = orders.find((order) => isCause(sighting, order));
  if (found === undefined) return { ...VALIDATOR_CAUSE, isOwn: false };
  const { request, command } = found;
  return request === null
    ? { origin: "owner", keyId: null, nonce: null, command: command.type, isOwn: true }
    : { origin: "key", ...request, command: command.type, isOwn: true };
}

interface SentOrder {
  readonly orderUuid: string;
  readonly command: OrderCommand;
  readonly isSending: boolean;
}

function isCause({ act, orderUuid, pair }: ObservedChange, order: SentOrder): boolean {
  if (act === null || orderUuid === null) return false;
  const { command, isSending } = order;
  const parent = parentOrderId(orderUuid);
  switch (act) {
    case "placed":
      return order.orderUuid === parent;
    case "attached":
      return (
        (order.orderUuid === parent && (isSending || command.type === "placeBracket")) ||
        (isSending && isEditOf(command, parent))
      );
    case "edited":
      return isSending && (isEditOf(command, orderUuid) || isEditOf(command, parent));
    case "cancelled":
      return (
        isSending && (isCancelOf(command, [orderUuid, parent], pair) || isEditOf(command, parent))
      );
    case "flattened":
      return isSending && command.type === "flatten";
  }
}

function isEditOf(command: OrderCommand, orderUuid: string): boolean {
  return command.type === "editOrder" && command.replacement.orderUuid === orderUuid;
}

function isCancelOf(command: OrderCommand, ids: readonly string[], pair: string | null): boolean {
  if (command.type !== "cancelOrders") return false;
  if (command.pair !== null && command.pair !== pair) return false;
  return command.target === "all" || command.target.some((id) => ids.includes(id));
}
