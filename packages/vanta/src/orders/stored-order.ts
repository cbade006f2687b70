import type { ExecutionType } from "@propgate/contract";
import {
  KIND_PLACED,
  type OrderCommand,
  type OrderUuid,
  type PairId,
  placesEntry,
} from "@propgate/core";
import { PENDING_KIND_WORDS, type SentOrder } from "@propgate/wire";
import type { NamedPosition } from "./answer/order-result.ts";

/** An order as `upstream_orders` keeps it: all that is needed to find its end after a restart. */
export interface StoredOrder {
  readonly command: OrderCommand;
  readonly legs: SentOrder["legs"];
  readonly before: OpenItemsBefore | null;
}

/**
 * The open orders and positions before the order was sent. They are kept only for commands without an id of their own.
 */
export interface OpenItemsBefore {
  /** Entries and legs; the pair is null when the network did not report it. */
  readonly orders: readonly {
    readonly uuid: OrderUuid;
    readonly pair: PairId | null;
    /** The ids that the legs of an entry get when it fills. */
    readonly legs: readonly OrderUuid[];
  }[];
  readonly positions: readonly NamedPosition[];
  /** The network's time of the newest change of a position that was read; null when no position was read. */
  readonly positionsMs: number | null;
}

/** The order as JSON, which `parseStoredOrder` reads. */
export function storedOrderText(order: StoredOrder): string {
  return JSON.stringify(order);
}

/** Reads an order that `storedOrderText` has written. */
export function parseStoredOrder(text: string): StoredOrder {
  return JSON.parse(text) as StoredOrder;
}

/** Whether the network has an id for the command itself, by which its status can be read. */
export function hasOwnId(
  command: OrderCommand,
): command is Exclude<OrderCommand, { type: "cancelOrders" | "flatten" | "editOrder" }> {
  return (
    command.type !== "cancelOrders" && command.type !== "flatten" && command.type !== "editOrder"
  );
}

/** The kind and the pair of a command, as its client sent them. */
export function kindOf(command: OrderCommand): {
  readonly executionType: ExecutionType;
  readonly tradePair: PairId | null;
} {
  const { pair } = command.type === "editOrder" ? command.replacement : command;
  const executionType = placesEntry(command)
    ? PENDING_KIND_WORDS[KIND_PLACED[command.type]]
    : OTHER_TYPES[command.type];
  return { executionType, tradePair: pair };
}

/** The execution type of each command that places no entry. */
const OTHER_TYPES = {
  placeMarket: "MARKET",
  closePair: "MARKET",
  placeBracket: "BRACKET",
  editOrder: "LIMIT_EDIT",
  editLeg: "LIMIT_EDIT",
  cancelOrders: "LIMIT_CANCEL",
  flatten: "FLAT_ALL",
} as const satisfies Readonly<Record<string, ExecutionType>>;
