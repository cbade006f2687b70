/*
 * A response or request is described once, as a value. Its JSON Schema is published with the API, and the compiler
 * derives its TypeScript type from the same value, so the two cannot differ.
 */

/** JSON Schema of the 2020-12 dialect, which OpenAPI 3.1 uses. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

declare const wire: unique symbol;

/** A JSON Schema that knows the type it describes; the symbol exists for the compiler only. */
export interface Schema<Value> {
  readonly json: JsonSchema;
  readonly [wire]?: Value;
}

/** A property that may be absent. */
export interface Optional<Value> {
  readonly optional: Schema<Value>;
}

/** The TypeScript type of a described value. */
export type Wire<Described> = Described extends Schema<infer Value> ? Value : never;

export type Field = Schema<unknown> | Optional<unknown>;
export type Fields = Readonly<Record<string, Field>>;
type RequiredKeys<All extends Fields> = {
  [Key in keyof All]: All[Key] extends Optional<unknown> ? never : Key;
}[keyof All];

type Flat<Value> = { readonly [Key in keyof Value]: Value[Key] };

export type WireObject<All extends Fields> = Flat<
  { readonly [Key in RequiredKeys<All>]: Wire<All[Key]> } & {
    readonly [Key in Exclude<keyof All, RequiredKeys<All>>]?: All[Key] extends Optional<infer Value>
      ? Value
      : never;
  }
>;

export function string(description: string, keywords: JsonSchema = {}): Schema<string> {
  return { json: { type: "string", description, ...keywords } };
}

export function number(description: string, keywords: JsonSchema = {}): Schema<number> {
  return { json: { type: "number", description, ...keywords } };
}

/** Unix milliseconds. */
export function time(description: string): Schema<number> {
  return { json: { type: "integer", format: "int64", description } };
}

export function count(description: string): Schema<number> {
  return { json: { type: "integer", minimum: 0, description } };
}

export function boolean(description: string): Schema<boolean> {
  return { json: { type: "boolean", description } };
}

/** One of a closed set of words. */
export function word<const Word extends string>(
  words: readonly Word[],
  description: string,
): Schema<Word> {
  return { json: { type: "string", enum: [...words], description } };
}

/** Always this value. */
export function literal<Value extends string | boolean>(
  value: Value,
  description: string,
): Schema<Value> {
  return { json: { const: value, description } };
}

/** The value or null; null means unknown, unused or not applicable, as its description says. */
export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  const { type, enum: words, description, ...rest } = schema.json;
  if (typeof type === "string") {
    const choices = Array.isArray(words) ? { enum: [...words, null] } : {};
    return { json: { type: [type, "null"], description, ...choices, ...rest } };
  }
  return { json: { description, anyOf: [schema.json, { type: "null" }] } };
}

/**
 * A value that a network may not send. It is always present for accounts of the service's own network; an account on a
 * validator has null for what the validator did not send.
 */
export function ifSent<Value>(schema: Schema<Value>): Schema<Value | null> {
  const { description } = schema.json;
  const sentence = String(description).replace(/\.$/, "");
  return nullable({
    json: { ...schema.json, description: `${sentence}; null when the network did not send it.` },
  });
}

export function list<Value>(
  item: Schema<Value>,
  description: string,
  keywords: JsonSchema = {},
): Schema<readonly Value[]> {
  return { json: { type: "array", description, items: item.json, ...keywords } };
}

export function optional<Value>(schema: Schema<Value>): Optional<Value> {
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
 * A request field that this shape must not have: null is the only valid value, and counts as absent. The empty value is
 * listed for code generators alone, which drop a field from a request when its type is null and nothing else.
 */
export function unused(description: string, empty: 0 | "" = 0): Optional<never> {
  const never = empty === 0 ? { exclusiveMinimum: 0 } : { minLength: 1 };
  return {
    optional: {
      json: { type: [typeof empty, "null"], enum: [empty, null], ...never, description },
    },
  };
}

/** True for a field that its shape must not have. */
export function isUnused(field: JsonSchema): boolean {
  const { enum: words } = field;
  return Array.isArray(words) && words.every((word) => word === null || word === 0 || word === "");
}

/** An object with these properties; unknown ones are tolerated, as clients must. @rule S9.additive */
export function object<All extends Fields>(
  description: string,
  fields: All,
  keywords: JsonSchema = {},
): Schema<WireObject<All>> {
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

/** One of several shapes. */
export function union<Values extends readonly unknown[]>(
  description: string,
  ...schemas: { readonly [Index in keyof Values]: Schema<Values[Index]> }
): Schema<Values[number]> {
  return { json: { description, anyOf: schemas.map((schema) => schema.json) } };
}

/** One of several shapes that exclude each other, with the fields that all of them have. */
export function exclusive<Values extends readonly unknown[]>(
  shared: Schema<unknown>,
  ...schemas: { readonly [Index in keyof Values]: Schema<Values[Index]> }
): Schema<Values[number]> {
  return { json: { ...shared.json, oneOf: schemas.map((schema) => schema.json) } };
}

/** A shape that also keeps rules between its fields, which the TypeScript type does not say. */
export function withRules<Value>(
  schema: Schema<Value>,
  ...rules: readonly Schema<unknown>[]
): Schema<Value> {
  return { json: { ...schema.json, allOf: rules.map(({ json }) => json) } };
}

/** A rule: one of the fields and none of the others. Fields that may be omitted: one of them at most. */
export function onlyOneField(description: string, fields: Fields): Schema<never> {
  const names = Object.keys(fields);
  const shapes = Object.entries(fields).map(([name, field]) => {
    const only = unused(`Not beside \`${name}\`.`);
    const others = names.filter((other) => other !== name).map((other) => [other, only]);
    return object(`By \`${name}\`.`, { [name]: field, ...Object.fromEntries(others) });
  });
  return { json: union(description, ...shapes).json };
}

/** A rule: at least one of the fields. */
export function anyField(description: string, fields: Fields): Schema<never> {
  const shapes = Object.entries(fields).map(([name, field]) =>
    object(`With \`${name}\`.`, { [name]: field }),
  );
  return { json: union(description, ...shapes).json };
}
