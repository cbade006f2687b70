/*
 * A response or request is described once, as a value. Its JSON Schema is published with the API, and the compiler
 * derives its TypeScript type from the same value, so the two cannot differ.
 */

import { isRecord } from "./record.ts";

/** JSON Schema of the 2020-12 dialect, which OpenAPI 3.1 uses. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

declare const wire: unique symbol;
declare const linkedWire: unique symbol;

/**
 * Marks a type of answers that may come from a validator: a figure that the validator did not send is null.
 * `Account<Linked>` is the answer of a linked account. `Account` is the answer of an account of the service's own
 * network, whose figures are all known.
 */
export type Linked = null;

/**
 * A JSON Schema that knows the TypeScript type it describes, and the type of the same value from a validator. The two
 * symbols exist for the compiler only.
 */
export interface Schema<Value, LinkedValue = Value> {
  readonly json: JsonSchema;
  readonly [wire]?: Value;
  readonly [linkedWire]?: LinkedValue;
}

/** A property of an object that may be absent. */
export interface Optional<Value, LinkedValue = Value> {
  readonly optional: Schema<Value, LinkedValue>;
}

/**
 * The TypeScript type of a described value on the service's own network. With `Linked` it is the type on any network.
 */
export type Wire<Described, Unsent extends Linked = never> =
  Described extends Schema<infer Value, infer LinkedValue>
    ? [Unsent] extends [never]
      ? Value
      : LinkedValue
    : never;

/** A property of an object: one that it always has, or one that may be absent. */
export type Field = Schema<unknown> | Optional<unknown>;
/** The properties of an object, by name. */
export type Fields = Readonly<Record<string, Field>>;
type RequiredKeys<All extends Fields> = {
  [Key in keyof All]: All[Key] extends Optional<unknown> ? never : Key;
}[keyof All];

type Flat<Value> = { readonly [Key in keyof Value]: Value[Key] };

/** The TypeScript type of an object with these properties. */
export type WireObject<All extends Fields, Unsent extends Linked = never> = Flat<
  { readonly [Key in RequiredKeys<All>]: Wire<All[Key], Unsent> } & {
    readonly [Key in Exclude<keyof All, RequiredKeys<All>>]?: All[Key] extends {
      readonly optional: infer Described;
    }
      ? Wire<Described, Unsent>
      : never;
  }
>;

export function string(description: string, keywords: JsonSchema = {}): Schema<string> {
  return { json: { type: "string", description, ...keywords } };
}

/** Marks an id for `isId`. A symbol, so that no published schema contains it. */
const ID = Symbol("id");

/** A text that identifies one thing. A list's filter by such a field accepts several ids. */
export function id(description: string): Schema<string> {
  return { json: { type: "string", description, [ID]: true } };
}

/** True for the schema of an id that `id` or `uuid` made. */
export function isId(schema: object): boolean {
  return ID in schema;
}

/** Marks a uuid for `isUuid`. */
const UUID = Symbol("uuid");

/** An id that is a uuid, or may be one. A list's filter compares uuids without case. */
export function uuid(description: string): Schema<string> {
  return { json: { ...id(description).json, [UUID]: true } };
}

/** True for the schema of a uuid that `uuid` made. `isUuid` of `credentials.ts` checks a text. */
export function isUuid(schema: object): boolean {
  return UUID in schema;
}

export function number(description: string, keywords: JsonSchema = {}): Schema<number> {
  return { json: { type: "number", description, ...keywords } };
}

/** A time in Unix milliseconds. */
export function time(description: string): Schema<number> {
  return { json: { type: "integer", format: "int64", description } };
}

/** A whole number, at least 0. */
export function count(description: string): Schema<number> {
  return { json: { type: "integer", minimum: 0, description } };
}

export function boolean(description: string): Schema<boolean> {
  return { json: { type: "boolean", description } };
}

/** A text that is one of a closed set of words. */
export function word<const Word extends string>(
  words: readonly Word[],
  description: string,
): Schema<Word> {
  return { json: { type: "string", enum: [...words], description } };
}

/** A value that is always `value`. */
export function literal<Value extends string | boolean>(
  value: Value,
  description: string,
): Schema<Value> {
  return { json: { const: value, description } };
}

/** The value or null. The description explains whether null means unknown, unused or not applicable. */
export function nullable<Value, LinkedValue>(
  schema: Schema<Value, LinkedValue>,
): Schema<Value | null, LinkedValue | null> {
  return { json: nullableJson(schema.json) };
}

function nullableJson(schema: JsonSchema): JsonSchema {
  const { type, enum: words, description, ...rest } = schema;
  if (typeof type === "string") {
    const choices = Array.isArray(words) ? { enum: [...words, null] } : {};
    return { type: [type, "null"], description, ...choices, ...rest };
  }
  return { description, anyOf: [schema, { type: "null" }] };
}

/** Marks a figure for `linked`. A symbol, so that no published schema contains it. */
const IF_SENT = Symbol("ifSent");

/**
 * A figure that a validator may not send. For an account of the service's own network it is never null, as the
 * specification requires. For a linked account it is null when the validator did not send it. @rule D13.types decides
 */
export function ifSent<Value>(schema: Schema<Value>): Schema<Value, Value | Linked> {
  return { json: { ...schema.json, [IF_SENT]: true } };
}

/** True for the schema of a figure that `ifSent` made. */
export function isIfSent(schema: object): boolean {
  return IF_SENT in schema;
}

/** The schema of one figure for a service with linked accounts: null where the validator did not send it. */
export function linkedFigure({ description, ...schema }: JsonSchema): JsonSchema {
  const sentence = String(description).replace(/\.$/, "");
  return nullableJson({
    ...schema,
    description: `${sentence}; null when the network did not send it.`,
  });
}

/**
 * The schema of an answer from a service with linked accounts: every figure that `ifSent` made may also be null.
 * @rule D13.types
 */
export function linked<LinkedValue>(schema: Schema<unknown, LinkedValue>): Schema<LinkedValue> {
  return { json: linkedJson(schema.json) };
}

function linkedJson(schema: JsonSchema): JsonSchema {
  const shown = isIfSent(schema) ? linkedFigure(schema) : schema;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, linkedPart(value)]));
}

/** True when an answer lacks a figure that a validator may leave out: a value is null whose schema `ifSent` made. */
export function hasUnsent(schema: JsonSchema, value: unknown): boolean {
  if (value === null) return isIfSent(schema);
  const { items, properties, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((one) => isRecord(one) && hasUnsent(one, value));
  if (Array.isArray(value)) return isRecord(items) && value.some((one) => hasUnsent(items, one));
  if (!(isRecord(value) && isRecord(properties))) return false;
  return Object.entries(properties).some(
    ([name, field]) => isRecord(field) && hasUnsent(field, value[name]),
  );
}

function linkedPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(linkedPart);
  return isRecord(value) ? linkedJson(value) : value;
}

export function list<Value, LinkedValue>(
  item: Schema<Value, LinkedValue>,
  description: string,
  keywords: JsonSchema = {},
): Schema<readonly Value[], readonly LinkedValue[]> {
  return { json: { type: "array", description, items: item.json, ...keywords } };
}

export function optional<Value, LinkedValue>(
  schema: Schema<Value, LinkedValue>,
): Optional<Value, LinkedValue> {
  return { optional: schema };
}

/**
 * A request field that may be left out. The service reads null as absent, so the schema allows null; the TypeScript
 * type does not, because TypeScript can leave a field out.
 */
export function omittable<Value>(schema: Schema<Value>): Optional<Value> {
  return { optional: { json: nullable(schema).json } };
}

/**
 * A request field that this shape must not have: null is the only valid value, and counts as absent. The schema also
 * lists the empty value, which another keyword forbids, for code generators alone: they drop a field whose only type is
 * null.
 */
export function mustBeNull(description: string, empty: 0 | "" = 0): Optional<never> {
  const never = empty === 0 ? { exclusiveMinimum: 0 } : { minLength: 1 };
  return {
    optional: {
      json: { type: [typeof empty, "null"], enum: [empty, null], ...never, description },
    },
  };
}

/** True for the schema of a field that `mustBeNull` made. */
export function isNullOnly(field: JsonSchema): boolean {
  const { enum: words } = field;
  return Array.isArray(words) && words.every((word) => word === null || word === 0 || word === "");
}

/**
 * The schema of an object with these properties. It allows unknown properties, which a client must ignore.
 * @rule S9.additive
 */
export function object<All extends Fields>(
  description: string,
  fields: All,
  keywords: JsonSchema = {},
): Schema<WireObject<All>, WireObject<All, Linked>> {
  const entries: readonly (readonly [string, Field])[] = Object.entries(fields);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of entries) {
    if ("optional" in field) {
      properties[name] = field.optional.json;
    } else {
      properties[name] = field.json;
      required.push(name);
    }
  }
  return { json: { type: "object", description, properties, required, ...keywords } };
}

/** A value that has at least one of these shapes. */
export function union<Values extends readonly unknown[]>(
  description: string,
  ...schemas: { readonly [Index in keyof Values]: Schema<Values[Index]> }
): Schema<Values[number]> {
  return { json: { description, anyOf: schemas.map((schema) => schema.json) } };
}

/** A value that has exactly one of these shapes. `shared` describes the fields that all of them have. */
export function exclusive<Values extends readonly unknown[]>(
  shared: Schema<unknown>,
  ...schemas: { readonly [Index in keyof Values]: Schema<Values[Index]> }
): Schema<Values[number]> {
  return { json: { ...shared.json, oneOf: schemas.map((schema) => schema.json) } };
}

/** A shape whose fields also obey these rules. Its TypeScript type does not include the rules. */
export function withRules<Value>(
  schema: Schema<Value>,
  ...rules: readonly Schema<unknown>[]
): Schema<Value> {
  return { json: { ...schema.json, allOf: rules.map(({ json }) => json) } };
}

/** The rule that exactly one of the fields is given. When all of them may be omitted, at most one is given. */
export function onlyOneField(description: string, fields: Fields): Schema<never> {
  const names = Object.keys(fields);
  const shapes = Object.entries(fields).map(([name, field]) => {
    const only = mustBeNull(`Not allowed together with \`${name}\`.`);
    const others = names.filter((other) => other !== name).map((other) => [other, only]);
    return object(`Only \`${name}\`.`, { [name]: field, ...Object.fromEntries(others) });
  });
  return { json: union(description, ...shapes).json };
}

/** The rule that at least one of the fields is given. */
export function anyField(description: string, fields: Fields): Schema<never> {
  const shapes = Object.entries(fields).map(([name, field]) =>
    object(`With \`${name}\`.`, { [name]: field }),
  );
  return { json: union(description, ...shapes).json };
}
