import type {
  EditFields,
  LegFields,
  LegSizeFields,
  OrderFields,
  OrderSize,
  PositionType,
  TrailingFields,
} from "@propgate/contract";
import {
  type Direction,
  type LegRequest,
  type LegSize,
  leverage,
  type OrderCommand,
  type OrderUuid,
  orderUuid,
  type PairNames,
  type Price,
  positionUuid,
  price,
  ratio,
  roundUsd,
  type Size,
  type Trailing,
} from "@propgate/core";
import { DIGITS_SHOWN } from "../base/wire-json.ts";
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
            reduceOnly: fields.reduceOnly,
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
        ...repeated(fields.orderType),
      };
    case "LIMIT_EDIT":
      return editCommand(fields, pairOf);
    case "LIMIT_CANCEL":
      return {
        type: "cancelOrders",
        target: fields.target === "ALL" ? "all" : fields.target.map(orderUuid),
        pair: fields.pair === null ? null : pairOf(fields.pair),
        ...repeated(fields.orderType),
      };
    case "FLAT_ALL":
      return {
        type: "flatten",
        target: fields.target === "ALL" ? "all" : fields.target.map(positionUuid),
        pair: fields.pair === null ? null : pairOf(fields.pair),
        ...repeated(fields.orderType),
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
    limitPrice: heldPrice(fields.limitPrice),
    legs: fields.legs.map(legRequest),
    reduceOnly: fields.reduceOnly,
  };
  if (fields.executionType === "LIMIT") return { type: "placeLimit", ...shared };
  return {
    type: "placeStopLimit",
    ...shared,
    stopPrice: heldPrice(fields.stopPrice),
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
    replacement: {
      type: "editLeg",
      orderUuid: uuid,
      pair,
      leg: legRequest(leg),
      ...repeated(replacement.orderType),
    },
  };
}

/** A direction that the order or position has already. @rule D13.ownDirection */
function repeated(orderType: PositionType | null): { readonly repeatedDirection?: Direction } {
  return orderType === null ? {} : { repeatedDirection: DIRECTIONS[orderType] };
}

function legRequest(leg: LegFields): LegRequest {
  return {
    stopLoss: leg.stopLoss === null ? null : heldPrice(leg.stopLoss),
    takeProfit: leg.takeProfit === null ? null : heldPrice(leg.takeProfit),
    trailing: leg.trailing === null ? null : trailingOf(leg.trailing),
    size: leg.size === null ? null : legSizeOf(leg.size),
  };
}

function sizeOf({ field, amount }: OrderSize): Size {
  const held = asShown(amount);
  switch (field) {
    case "leverage":
      return { kind: "leverage", leverage: leverage(held) };
    case "value":
      return { kind: "value", value: roundUsd(held) };
    case "quantity":
      return { kind: "quantity", lots: held };
  }
}

function legSizeOf({ field, amount }: LegSizeFields): LegSize {
  return field === "bracket_pct"
    ? { kind: "bracketPct", ratio: ratio(asShown(amount)) }
    : sizeOf({ field, amount });
}

function trailingOf({ field, amount }: TrailingFields): Trailing {
  const held = asShown(amount);
  return field === "trailing_percent"
    ? { kind: "percent", ratio: ratio(held) }
    : { kind: "value", value: held };
}

function heldPrice(sent: number): Price {
  return price(asShown(sent));
}

/**
 * Rounds to the 12 significant digits that answers show, so an order that is sent again as shown is unchanged.
 * @rule D13.shownIsHeld decides
 */
function asShown(sent: number): number {
  return Number(sent.toPrecision(DIGITS_SHOWN));
}
