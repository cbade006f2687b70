import type { OrderCommand } from "@propgate/core";
import type { NewLine, OwnOrder } from "@propgate/ledger";
import { parseStoredOrder } from "../orders/stored-order.ts";
import { parentOf } from "./parent-of.ts";
import type { Sighting } from "./sighting.ts";

type Cause = Pick<NewLine, "origin" | "keyId" | "nonce" | "command">;

const READ: Cause = { origin: "validator", keyId: null, nonce: null, command: "reading" };

/**
 * The cause of an event: the order of this service that the event shows, or the validator. A command without an id of
 * its own, such as an edit, counts as the cause only while it is being sent, because its receipt is decided by the same
 * change of the account. @rule D13.observed
 */
export function causeOf(
  sighting: Sighting,
  own: readonly OwnOrder[],
): Cause & { readonly isOwn: boolean } {
  const orders = own.map((order) => ({ ...order, ...parseStoredOrder(order.command) }));
  const found = orders.find((order) => isCause(sighting, order));
  if (found === undefined) return { ...READ, isOwn: false };
  const { request, command } = found;
  return request === null
    ? { origin: "owner", keyId: null, nonce: null, command: command.type, isOwn: true }
    : { origin: "key", ...request, command: command.type, isOwn: true };
}

interface SentBefore {
  readonly orderUuid: string;
  readonly command: OrderCommand;
  readonly isSending: boolean;
}

function isCause({ act, orderUuid, pair }: Sighting, order: SentBefore): boolean {
  if (act === null || orderUuid === null) return false;
  const { command, isSending } = order;
  const parent = parentOf(orderUuid);
  switch (act) {
    case "placed":
      return order.orderUuid === parent;
    case "attached":
      return (
        (order.orderUuid === parent && (isSending || command.type === "placeBracket")) ||
        (isSending && edits(command, parent))
      );
    case "edited":
      return isSending && (edits(command, orderUuid) || edits(command, parent));
    case "cancelled":
      return isSending && (cancels(command, [orderUuid, parent], pair) || edits(command, parent));
    case "flattened":
      return isSending && command.type === "flatten";
  }
}

function edits(command: OrderCommand, orderUuid: string): boolean {
  return command.type === "editOrder" && command.replacement.orderUuid === orderUuid;
}

function cancels(command: OrderCommand, ids: readonly string[], pair: string | null): boolean {
  if (command.type !== "cancelOrders") return false;
  if (command.pair !== null && command.pair !== pair) return false;
  return command.target === "all" || command.target.some((id) => ids.includes(id));
}
