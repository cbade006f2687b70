import { type Field, type JsonSchema, object, type Schema, withRules } from "../schema.ts";
import { fatesRule, rejectMisplaced, type ShapeRow } from "./fate-check.ts";
import type { FieldReader } from "./field-reader.ts";
import type { FateRowName } from "./order-fates.ts";
import { joinParts, type Parts, type ReadOf, type SentOf } from "./order-part.ts";
import { ACCOUNT_ID } from "./order-values.ts";

/** The effect of an order on the account. Agents have one tool for each act. */
export type OrderAct = "place" | "edit" | "cancel" | "close";

/** One shape of a kind's bodies, with its schema and its reader. */
export interface OrderShape<Sent = unknown, Read = unknown> {
  readonly act: OrderAct;
  readonly schema: Schema<Sent>;
  readonly fields: Readonly<Record<string, Field>>;
  /** The rows of the table of fates that its bodies follow. */
  readonly places: readonly FateRowName[];
  /** Reads the order; undefined only when a problem has been reported. */
  readonly read: (trade: FieldReader) => Read | undefined;
}

/** The bodies of one `execution_type`: one shape or several. */
export interface OrderKind<Sent = unknown, Read = unknown> {
  /** The name of the kind's schema in the published document. `shapes` has the names of its shapes. */
  readonly name: string;
  readonly schema: Schema<Sent>;
  readonly shapes: Readonly<Record<string, OrderShape>>;
  readonly read: (trade: FieldReader) => Read | undefined;
}

/**
 * The rows of the table of fates for the bodies of a shape. LIMIT_CANCEL and FLAT_ALL have two rows: bodies with ids
 * and bodies without.
 */
interface ShapeRows {
  readonly act: OrderAct;
  readonly places: readonly ShapeRow[];
  readonly placeOf: (trade: FieldReader) => FateRowName;
}

/** The rows of a shape whose bodies all follow one row of the table of fates. */
export function rowsAt(act: OrderAct, place: FateRowName): ShapeRows {
  return { act, places: [{ place }], placeOf: () => place };
}

/** The values of `order_uuid` in a body without ids: `ALL`, and null, which counts as absent. */
export const NO_IDS: readonly unknown[] = ["ALL", null];

/**
 * The rows of a shape whose bodies have ids (`byId`) or none (`all`). `ofAll` has further properties of bodies without
 * ids.
 */
export function rowsByIds(
  act: OrderAct,
  byId: FateRowName,
  all: FateRowName,
  ofAll: JsonSchema = {},
): ShapeRows {
  const ids = { properties: { order_uuid: { not: { enum: NO_IDS } } }, required: ["order_uuid"] };
  const none = { properties: { order_uuid: { enum: NO_IDS }, ...ofAll } };
  return {
    act,
    places: [
      { place: byId, when: ids },
      { place: all, when: none },
    ],
    placeOf: (trade) => (NO_IDS.includes(trade.peek("order_uuid")) ? all : byId),
  };
}

/**
 * A shape from its parts. Its reader first rejects the fields that the body's row of the table of fates does not allow.
 * @rule D13.fates
 */
export function orderShape<const All extends Parts>(
  { act, places, placeOf }: ShapeRows,
  description: string,
  parts: All,
): OrderShape<SentOf<All>, ReadOf<All>> {
  const { fields, rules, read } = joinParts(parts);
  const body = object(description, { ...fields, accountId: ACCOUNT_ID }, fatesRule(places));
  const { json } = rules.length === 0 ? body : withRules(body, ...rules);
  return {
    act,
    schema: { json },
    fields,
    places: places.map(({ place }) => place),
    read: (trade) => {
      rejectMisplaced(trade, placeOf(trade));
      return read(trade);
    },
  };
}
