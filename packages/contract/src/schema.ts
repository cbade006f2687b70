/*
 * A response or request is described once, as a value. Its JSON Schema is published with the API,
 * its TypeScript type is read off the same value, so that the two cannot drift apart.
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

type Field = Schema<unknown> | Optional<unknown>;
type Fields = Readonly<Record<string, Field>>;
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
export function word<Word extends string>(
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
  return { json: { anyOf: [schema.json, { type: "null" }] } };
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
