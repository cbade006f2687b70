import type {
  EditFields,
  LegFields,
  LegSizeFields,
  OrderFields,
  OrderSize,
  TrailingFields,
} from "@propgate/contract";
import {
  type LegRequest,
  type LegSize,
  leverage,
  type OrderCommand,
  type OrderUuid,
  orderUuid,
  type PairNames,
  positionUuid,
  price,
  ratio,
  roundUsd,
  type Size,
  type Trailing,
} from "@propgate/core";
import { DIRECTIONS, STOP_CONDITIONS_READ } from "./wire.ts";

export interface OrderNames {
  /** The pair of a name in a request. */
  readonly pairOf: PairNames;
  /** Makes the ids of new orders. */
  readonly newUuid: () => string;
}

/** Converts a valid order body to a command. @rule S4.2.fields D5.fields */
export function orderCommand(fields: OrderFields, names: OrderNames): OrderCommand {
  const { pairOf } = names;
  const uuid = (): OrderUuid => orderUuid(names.newUuid());
  switch (fields.executionType) {
    case "MARKET":
      return fields.orderType === "FLAT"
        ? { type: "closePair", orderUuid: uuid(), pair: pairOf(fields.pair) }
        : {
            type: "placeMarket",
            orderUuid: uuid(),
            pair: pairOf(fields.pair),
            direction: DIRECTIONS[fields.orderType],
            size: sizeOf(fields.size),
            legs: fields.legs.map(legRequest),
          };
    case "LIMIT":
    case "STOP_LIMIT":
      return entryCommand(fields, uuid(), pairOf);
    case "BRACKET":
      return {
        type: "placeBracket",
        orderUuid: uuid(),
        pair: pairOf(fields.pair),
        legs: fields.legs.map(legRequest),
      };
    case "LIMIT_EDIT":
      return editCommand(fields, pairOf);
    case "LIMIT_CANCEL":
      return {
        type: "cancelOrders",
        target: fields.target === "ALL" ? "all" : fields.target.map(orderUuid),
        pair: fields.pair === null ? null : pairOf(fields.pair),
      };
    case "FLAT_ALL":
      return {
        type: "flatten",
        target: fields.target === "ALL" ? "all" : fields.target.map(positionUuid),
        pair: fields.pair === null ? null : pairOf(fields.pair),
      };
  }
}

type EntryFields = Extract<OrderFields, { executionType: "LIMIT" | "STOP_LIMIT" }>;
type EntryCommand = Extract<OrderCommand, { type: "placeLimit" | "placeStopLimit" }>;

function entryCommand(fields: EntryFields, uuid: OrderUuid, pairOf: PairNames): EntryCommand {
  const shared = {
    orderUuid: uuid,
    pair: pairOf(fields.pair),
    direction: DIRECTIONS[fields.orderType],
    size: sizeOf(fields.size),
    limitPrice: price(fields.limitPrice),
    legs: fields.legs.map(legRequest),
    reduceOnly: fields.reduceOnly,
  };
  if (fields.executionType === "LIMIT") return { type: "placeLimit", ...shared };
  return {
    type: "placeStopLimit",
    ...shared,
    stopPrice: price(fields.stopPrice),
    stopCondition: STOP_CONDITIONS_READ[fields.stopCondition],
  };
}

function editCommand({ orderUuid: id, replacement }: EditFields, pairOf: PairNames): OrderCommand {
  const uuid = orderUuid(id);
  if (replacement.executionType !== "BRACKET")
    return { type: "editOrder", replacement: entryCommand(replacement, uuid, pairOf) };
  const [leg] = replacement.legs;
  if (leg === undefined) throw new Error("broken invariant: a bracket has a leg");
  const pair = pairOf(replacement.pair);
  return {
    type: "editOrder",
    replacement: { type: "editLeg", orderUuid: uuid, pair, leg: legRequest(leg) },
  };
}

function legRequest(leg: LegFields): LegRequest {
  return {
    stopLoss: leg.stopLoss === null ? null : price(leg.stopLoss),
    takeProfit: leg.takeProfit === null ? null : price(leg.takeProfit),
    trailing: leg.trailing === null ? null : trailingOf(leg.trailing),
    size: leg.size === null ? null : legSizeOf(leg.size),
  };
}

function sizeOf({ field, amount }: OrderSize): Size {
  switch (field) {
    case "leverage":
      return { kind: "leverage", leverage: leverage(amount) };
    case "value":
      return { kind: "value", value: roundUsd(amount) };
    case "quantity":
      return { kind: "quantity", lots: amount };
  }
}

function legSizeOf({ field, amount }: LegSizeFields): LegSize {
  return field === "bracket_pct"
    ? { kind: "bracketPct", ratio: ratio(amount) }
    : sizeOf({ field, amount });
}

function trailingOf({ field, amount }: TrailingFields): Trailing {
  return field === "trailing_percent"
    ? { kind: "percent", ratio: ratio(amount) }
    : { kind: "value", value: amount };
}
