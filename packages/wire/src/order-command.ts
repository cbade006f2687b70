import type { EditFields, OrderFields, PositionType } from "@propgate/contract";
import {
  type Direction,
  type OrderCommand,
  type OrderUuid,
  orderUuid,
  type PairFinder,
  positionUuid,
} from "@propgate/core";
import { entryCommand, isEntry } from "./entry-kinds.ts";
import { legRequest, requestedSize } from "./order-parts.ts";
import { DIRECTION_OF_WORD } from "./wire.ts";

/** Finds the pairs that an order names, and makes its ids. */
export interface PairsAndIds {
  /** The pair that a name in a request means. */
  readonly pairOf: PairFinder;
  /** Makes the ids of new orders. */
  readonly newUuid: () => string;
}

/** Converts a valid order body to a command. @rule S4.2.fields D5.fields */
export function orderCommand(fields: OrderFields, names: PairsAndIds): OrderCommand {
  const { pairOf } = names;
  const uuid = (): OrderUuid => orderUuid(names.newUuid());
  if (isEntry(fields)) return entryCommand(fields, uuid(), pairOf);
  switch (fields.executionType) {
    case "MARKET":
      return fields.orderType === "FLAT"
        ? { type: "closePair", orderUuid: uuid(), pair: pairOf(fields.pair) }
        : {
            type: "placeMarket",
            orderUuid: uuid(),
            pair: pairOf(fields.pair),
            direction: DIRECTION_OF_WORD[fields.orderType],
            size: requestedSize(fields.size),
            legs: fields.legs.map(legRequest),
            reduceOnly: fields.reduceOnly,
          };
    case "BRACKET":
      return {
        type: "placeBracket",
        orderUuid: uuid(),
        pair: pairOf(fields.pair),
        legs: fields.legs.map(legRequest),
        ...repeatedDirectionField(fields.orderType),
      };
    case "LIMIT_EDIT":
      return editCommand(fields, pairOf);
    case "LIMIT_CANCEL":
      return {
        type: "cancelOrders",
        target: fields.target === "ALL" ? "all" : fields.target.map(orderUuid),
        pair: fields.pair === null ? null : pairOf(fields.pair),
        ...repeatedDirectionField(fields.orderType),
      };
    case "FLAT_ALL":
      return {
        type: "flatten",
        target: fields.target === "ALL" ? "all" : fields.target.map(positionUuid),
        pair: fields.pair === null ? null : pairOf(fields.pair),
        ...repeatedDirectionField(fields.orderType),
      };
  }
}

function editCommand({ orderUuid: id, replacement }: EditFields, pairOf: PairFinder): OrderCommand {
  const uuid = orderUuid(id);
  if (replacement.executionType !== "BRACKET")
    return { type: "editOrder", replacement: entryCommand(replacement, uuid, pairOf) };
  const [leg] = replacement.legs;
  if (leg === undefined) throw new Error("broken invariant: a bracket has a leg");
  const pair = pairOf(replacement.pair);
  return {
    type: "editOrder",
    replacement: {
      type: "editLeg",
      orderUuid: uuid,
      pair,
      leg: legRequest(leg),
      ...repeatedDirectionField(replacement.orderType),
    },
  };
}

/**
 * The direction that a request repeats: the order or position has it already. Empty when the request gives none.
 * @rule D13.ownDirection
 */
function repeatedDirectionField(orderType: PositionType | null): {
  readonly repeatedDirection?: Direction;
} {
  return orderType === null ? {} : { repeatedDirection: DIRECTION_OF_WORD[orderType] };
}
