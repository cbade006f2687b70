import type { JsonSchema } from "../schema.ts";
import type { FieldReader } from "./field-reader.ts";
import {
  type Fate,
  type FateRowName,
  fateAt,
  REQUEST_FIELDS,
  type RequestField,
  rejectionText,
} from "./order-fates.ts";

/** The fields that contain an object or a list of objects, each with the row of `FATES` for the fields inside. */
const NESTED_ROWS = [
  ["trailing_stop", "TrailingStop"],
  ["bracket_orders", "OrderLeg"],
] as const;

/**
 * Reports every field that the table `FATES` does not allow in this body or object, and in the objects inside it.
 * @rule D13.fates decides
 */
export function rejectMisplaced(fields: FieldReader, place: FateRowName): void {
  for (const name of REQUEST_FIELDS) {
    if (fields.isGiven(name)) rejectField(fields, place, name);
  }
  for (const [name, inside] of NESTED_ROWS) {
    if (fateAt(place, name) === "rejected") continue;
    for (const one of fields.nestedReaders(name)) rejectMisplaced(one, inside);
  }
}

function rejectField(fields: FieldReader, place: FateRowName, name: RequestField): void {
  const fate = fateAt(place, name);
  if (fate === "rejected") fields.report(rejectionText(place, name));
  else if (fate === "false") rejectTrue(fields, place);
  else if (fate === "alone" && hasLegs(fields)) {
    fields.report(`'${name}' must not be given beside 'bracket_orders'; put it in a leg`);
  }
  // `accountId` counts as read and not as ignored: gate 10 has compared it with the account of the key before the body
  // is parsed.
  if (name === "accountId") fields.take(name);
}

function rejectTrue(fields: FieldReader, place: FateRowName): void {
  const given = fields.take("reduce_only");
  if (given === true) fields.report(rejectionText(place, "reduce_only"));
  else if (given !== false) fields.reportForm("reduce_only", "true or false");
}

/** True when `bracket_orders` has a leg, so that leg fields beside it are rejected. */
function hasLegs(fields: FieldReader): boolean {
  const given = fields.peek("bracket_orders");
  return Array.isArray(given) && given.length > 0;
}

/**
 * A row of the table `FATES` that applies to bodies of a shape, and the condition that such a body meets. Without a
 * condition the row applies to every body of the shape.
 */
export interface ShapeRow {
  readonly place: FateRowName;
  readonly when?: JsonSchema;
}

/**
 * The check of `rejectMisplaced` as JSON Schema: a body with a field that its row of `FATES` does not allow is invalid.
 * Validators apply `if` and `else`. Code generators ignore both, so their types do not list rejected fields.
 */
export function fatesRule(places: readonly ShapeRow[]): JsonSchema {
  const shapes = places.flatMap(shapesAt);
  const [first, ...more] = shapes;
  return { if: more.length === 0 ? first : { anyOf: shapes }, else: { not: {} } };
}

const NULL: JsonSchema = { type: "null" };
const NOT_TRUE: JsonSchema = { enum: [false, null] };

function shapesAt({ place, when = {} }: ShapeRow): readonly JsonSchema[] {
  const withFate = (fate: Fate) => REQUEST_FIELDS.filter((name) => fateAt(place, name) === fate);
  const none = Object.fromEntries([
    ...withFate("rejected").map((name) => [name, NULL]),
    ...withFate("false").map((name) => [name, NOT_TRUE]),
  ]);
  const alone = withFate("alone").map((name) => [name, NULL]);
  const shapeOf = (fields: JsonSchema): JsonSchema => ({
    properties: { ...none, ...fields, ...Object(when.properties) },
    ...(when.required === undefined ? {} : { required: when.required }),
  });
  if (alone.length === 0) return [shapeOf({})];
  return [shapeOf({ bracket_orders: { maxItems: 0 } }), shapeOf(Object.fromEntries(alone))];
}
