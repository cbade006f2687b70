import {
  assertNever,
  type Direction,
  dollars,
  KIND_PLACED,
  type LegRequest,
  type LegSize,
  type OrderCommand,
  type PlaceEntry,
  type PlaceMarket,
  placesEntry,
  type TrailingDistance,
} from "@propgate/core";
import {
  commandKindFields,
  ORDER_TYPE_WORDS,
  PENDING_KIND_WORDS,
  type Rejection,
} from "@propgate/wire";
import type { Literal } from "../python-literal.ts";

/** The body of POST /api/submit-order, with the gateway's fields. Sizes are always positive. */
export type SubmitBody = Readonly<Record<string, Literal>>;

/** The body for the gateway, or why the network cannot carry out the command. */
export type SubmitBodyResult =
  | { readonly ok: true; readonly body: SubmitBody }
  | { readonly ok: false; readonly rejection: Rejection };

/** The values of a body that the command does not contain: the account that sends it, and the data about legs. */
export interface SenderFields {
  /** The subaccount's number at the gateway; 0 is a valid one. */
  readonly subaccountId: number;
  /** The direction of the position that a leg belongs to; the network replaces a wrong one. */
  readonly legDirection: Direction;
  /** The ids of the legs of an edited entry, in their order; without them the network could add the legs again. */
  readonly legIds: readonly string[];
}

/**
 * Converts a command to the body that the gateway takes. A command that the network cannot carry out is rejected with a
 * text that names its field. A FLAT_ALL of one pair must have been converted to ids before, because the network closes
 * either all positions or those of a list of ids.
 */
export function toSubmitBody(command: OrderCommand, sender: SenderFields): SubmitBodyResult {
  const unable = rejectionOf(command);
  if (unable !== null) return { ok: false, rejection: { error: "orderRefused", text: unable } };
  const body = { ...fieldsOf(command, sender), subaccount_id: sender.subaccountId };
  return { ok: true, body };
}

/** Why the network cannot carry out the command; null when it can. */
function rejectionOf(command: OrderCommand): string | null {
  if (command.type === "placeBracket" && command.legs.length > 1) {
    return "'bracket_orders' must have exactly one leg in a BRACKET on this account's network; send one BRACKET for each leg";
  }
  if (command.type === "placeMarket" && command.reduceOnly) {
    return "'reduce_only' is not offered by this account's network; use order_type FLAT to close the position";
  }
  const order = command.type === "editOrder" ? command.replacement : command;
  return placesEntry(order) ? entryRejection(order) : null;
}

/**
 * The kinds and fields of entries that the network supports. A new field of this service is rejected until it is listed
 * here.
 */
const SUPPORTED_FIELDS: ReadonlySet<string> = new Set([
  "LIMIT",
  "STOP_LIMIT",
  "order_uuid",
  "pair",
  "direction",
  "size",
  "limit_price",
  "stop_price",
  "stop_condition",
  "legs",
]);

function entryRejection({ type, reduceOnly, ...others }: PlaceEntry): string | null {
  if (reduceOnly) {
    return "'reduce_only' is not offered by this account's network; an opposite order never opens the other side there";
  }
  const fields: readonly (readonly [string, unknown])[] = Object.entries(others);
  const given = fields
    .filter(([, value]) => value !== null && value !== false)
    .map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const unknown = [PENDING_KIND_WORDS[KIND_PLACED[type]], ...given].find(
    (name) => !SUPPORTED_FIELDS.has(name),
  );
  return unknown === undefined ? null : `'${unknown}' is not offered by this account's network`;
}

function fieldsOf(command: OrderCommand, sender: SenderFields): SubmitBody {
  if (placesEntry(command)) {
    const executionType = PENDING_KIND_WORDS[KIND_PLACED[command.type]];
    const { orderUuid } = command;
    return { execution_type: executionType, order_uuid: orderUuid, ...pricedFields(command) };
  }
  switch (command.type) {
    case "placeMarket":
      return { execution_type: "MARKET", order_uuid: command.orderUuid, ...entryFields(command) };
    case "closePair":
      return {
        execution_type: "MARKET",
        order_uuid: command.orderUuid,
        trade_pair: command.pair,
        order_type: ORDER_TYPE_WORDS.flat,
      };
    case "placeBracket":
      return {
        execution_type: "BRACKET",
        order_uuid: command.orderUuid,
        trade_pair: command.pair,
        order_type: ORDER_TYPE_WORDS[sender.legDirection],
        ...legsFields(command.legs),
      };
    case "editOrder":
      return editFields(command.replacement, sender);
    case "cancelOrders":
      return {
        execution_type: "LIMIT_CANCEL",
        order_uuid: idListText(command.target),
        ...(command.pair === null ? {} : { trade_pair: command.pair }),
      };
    case "flatten":
      if (command.pair !== null) throw new Error("broken invariant: a flatten of all or of a list");
      return { execution_type: "FLAT_ALL", order_uuid: idListText(command.target) };
  }
}

type Replacement = Extract<OrderCommand, { type: "editOrder" }>["replacement"];

/** The fields of an edit: the whole order again, under its id. */
function editFields(replacement: Replacement, { legDirection, legIds }: SenderFields): SubmitBody {
  const target = { execution_type: "LIMIT_EDIT", order_uuid: replacement.orderUuid };
  if (replacement.type !== "editLeg") return { ...target, ...pricedFields(replacement, legIds) };
  return {
    ...target,
    trade_pair: replacement.pair,
    order_type: ORDER_TYPE_WORDS[legDirection],
    ...legsFields([replacement.leg]),
  };
}

function pricedFields(order: PlaceEntry, legIds: readonly string[] = []): SubmitBody {
  const { limitPrice, stopPrice, stopCondition } = commandKindFields(order);
  return {
    ...entryFields(order, legIds),
    ...(limitPrice === null ? {} : { limit_price: limitPrice }),
    ...(stopPrice === null ? {} : { stop_price: stopPrice }),
    ...(stopCondition === null ? {} : { stop_condition: stopCondition }),
  };
}

function entryFields(order: Omit<PlaceMarket, "type">, legIds: readonly string[] = []): SubmitBody {
  return {
    trade_pair: order.pair,
    order_type: ORDER_TYPE_WORDS[order.direction],
    ...sizeField(order.size),
    ...legsFields(order.legs, legIds),
  };
}

/** The fields of legs. One leg for the whole position has fields of its own; any other legs are a list. */
function legsFields(legs: readonly LegRequest[], ids: readonly string[] = []): SubmitBody {
  const [first, ...more] = legs;
  if (first === undefined) return {};
  if (more.length > 0 || first.size !== null) {
    return { bracket_orders: legs.map((leg, place) => listedLeg(leg, ids[place])) };
  }
  const { trailing } = first;
  return {
    ...levels(first),
    ...(trailing === null ? {} : { trailing_stop: trailingField(trailing) }),
  };
}

function listedLeg(leg: LegRequest, id: string | undefined): Readonly<Record<string, Literal>> {
  return {
    ...(id === undefined ? {} : { order_uuid: id }),
    ...levels(leg),
    ...(leg.trailing === null ? {} : trailingField(leg.trailing)),
    ...(leg.size === null ? {} : sizeField(leg.size)),
  };
}

function levels({ stopLoss, takeProfit }: LegRequest): Readonly<Record<string, number>> {
  return {
    ...(stopLoss === null ? {} : { stop_loss: stopLoss }),
    ...(takeProfit === null ? {} : { take_profit: takeProfit }),
  };
}

function trailingField(trailing: TrailingDistance): Readonly<Record<string, number>> {
  return trailing.kind === "percent"
    ? { trailing_percent: trailing.ratio }
    : { trailing_value: trailing.value };
}

function sizeField(size: LegSize): Readonly<Record<string, number>> {
  switch (size.kind) {
    case "leverage":
      return { leverage: size.leverage };
    case "value":
      return { value: dollars(size.value) };
    case "quantity":
      return { quantity: size.lots };
    case "bracketPct":
      return { bracket_pct: size.ratio };
    default:
      return assertNever(size);
  }
}

function idListText(target: "all" | readonly string[]): string {
  return target === "all" ? "ALL" : target.join(",");
}
