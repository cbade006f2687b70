import type { JsonSchema } from "../schema.ts";
import type { FieldReader } from "./field-reader.ts";
import {
  type Fate,
  type FatePlace,
  fateAt,
  REQUEST_FIELDS,
  type RequestField,
  rejectionText,
} from "./order-fates.ts";

/** The objects inside a body that have fates of their own. */
const INSIDE = [
  ["trailing_stop", "TrailingStop"],
  ["bracket_orders", "OrderLeg"],
] as const;

/** Reports a field that the contract has, but not at this place. @rule D13.fates */
export function rejectMisplaced(fields: FieldReader, place: FatePlace): void {
  for (const name of REQUEST_FIELDS) {
    if (fields.isGiven(name)) rejectField(fields, place, name);
  }
  for (const [name, inside] of INSIDE) {
    if (fateAt(place, name) === "rejected") continue;
    for (const one of fields.inside(name)) rejectMisplaced(one, inside);
  }
}

function rejectField(fields: FieldReader, place: FatePlace, name: RequestField): void {
  const fate = fateAt(place, name);
  if (fate === "rejected") fields.report(rejectionText(place, name));
  else if (fate === "false") rejectTrue(fields, place);
  else if (fate === "alone" && hasLegs(fields)) {
    fields.report(`'${name}' must not be given beside 'bracket_orders'; put it in a leg`);
  }
  // Compared before the body is parsed.
  if (name === "accountId") fields.take(name);
}

function rejectTrue(fields: FieldReader, place: FatePlace): void {
  const given = fields.take("reduce_only");
  if (given === true) fields.report(rejectionText(place, "reduce_only"));
  else if (given !== false) fields.wrong("reduce_only", "true or false");
}

/** Whether a list has a leg, so that it replaces the leg fields beside it. */
function hasLegs(fields: FieldReader): boolean {
  const given = fields.given("bracket_orders");
  return Array.isArray(given) && given.length > 0;
}

/** A place among the bodies of one shape, and the fields by which a body of that place is recognised. */
export interface PlaceOfShape {
  readonly place: FatePlace;
  readonly when?: JsonSchema;
}

/**
 * The published form of the check: a body that has a field of another place is invalid. Validators keep `if` and
 * `else`; generators of code ignore them, so their types do not list rejected fields.
 */
export function placesRule(places: readonly PlaceOfShape[]): JsonSchema {
  const shapes = places.flatMap(shapesAt);
  const [first, ...more] = shapes;
  return { if: more.length === 0 ? first : { anyOf: shapes }, else: { not: {} } };
}

const NULL: JsonSchema = { type: "null" };
const NOT_TRUE: JsonSchema = { enum: [false, null] };

function shapesAt({ place, when = {} }: PlaceOfShape): readonly JsonSchema[] {
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
