import { isNullOnly, type JsonSchema, object, type Schema, union } from "../schema.ts";
import { isRead } from "./order-fates.ts";
import { ORDER_KINDS } from "./order-kinds.ts";
import type { OrderAct, OrderKind, OrderShape } from "./order-shape.ts";

/* The body of POST orders for each act, for clients that do not validate bodies themselves, such as agents. The
   contract's parser finds the problems of a body, so these schemas state the rules between fields as sentences. This
   reduces a schema to a third of its length. */

interface ActText {
  readonly body: string;
  readonly trade: string;
}

const ACT_TEXTS: Readonly<Record<OrderAct, ActText>> = {
  place: {
    body: "An order that opens or protects a position.",
    trade: "One order; its kind is `execution_type`.",
  },
  edit: {
    body: "A change of a pending order.",
    trade: "The whole order with its changes, under the order's id.",
  },
  cancel: { body: "Pending orders to cancel.", trade: "The orders to cancel." },
  close: {
    body: "Positions to close.",
    trade: "All positions, the positions with the given ids, or the position of one pair.",
  },
};

/** The body of POST orders that opens or protects a position. */
export const ENTRY_REQUEST: Schema<unknown> = requestOf("place");
/** The body of POST orders that changes a pending order. */
export const EDIT_REQUEST: Schema<unknown> = requestOf("edit");
/** The body of POST orders that cancels pending orders. */
export const CANCEL_REQUEST: Schema<unknown> = requestOf("cancel");
/** The body of POST orders that closes positions. */
export const CLOSE_REQUEST: Schema<unknown> = requestOf("close");

function requestOf(act: OrderAct): Schema<unknown> {
  const kinds: readonly OrderKind[] = Object.values(ORDER_KINDS);
  const shapes = kinds.flatMap((kind) => Object.values(kind.shapes));
  const [first, ...more] = shapes.filter((shape) => shape.act === act).map(readFieldsOnly);
  const { body, trade } = ACT_TEXTS[act];
  if (first === undefined) throw new Error(`broken invariant: an order can ${act}`);
  return bodyOf(body, more.length === 0 ? first : union(trade, first, ...more));
}

/**
 * The shape's schema with only the fields that the shape reads. In a field that the shape only compares, a client would
 * repeat the order's own values; all other fields are rejected.
 */
function readFieldsOnly({ schema, places }: OrderShape): Schema<unknown> {
  const { properties, ...rest } = schema.json;
  const read = Object.entries(Object(properties)).filter(([name]) =>
    places.some((place) => isRead(place, name)),
  );
  return { json: { ...rest, properties: Object.fromEntries(read) } };
}

function bodyOf(description: string, trade: Schema<unknown>): Schema<unknown> {
  return { json: rulesAsSentences(object(description, { trade }).json) };
}

/** The schema with its rules as sentences after its description, and without the fields that a body must not have. */
function rulesAsSentences({ allOf, properties, ...described }: JsonSchema): JsonSchema {
  const rules = schemasOf(allOf).map(({ description }) => description);
  const fields = isSchema(properties)
    ? { properties: Object.fromEntries(Object.entries(properties).flatMap(fieldInWords)) }
    : {};
  const others = Object.entries(described)
    .filter(([key]) => key !== "if" && key !== "else")
    .map(([key, value]) => [key, partInWords(value)]);
  const shape: JsonSchema = { ...Object.fromEntries(others), ...fields };
  return rules.length === 0
    ? shape
    : { ...shape, description: [described.description, ...rules].join(" ") };
}

function fieldInWords([name, field]: readonly [string, unknown]): readonly [string, unknown][] {
  return isSchema(field) && isNullOnly(field) ? [] : [[name, partInWords(field)]];
}

function partInWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partInWords);
  return isSchema(value) ? rulesAsSentences(value) : value;
}

function schemasOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
