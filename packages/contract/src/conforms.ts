import { isRecord } from "./record.ts";
import type { JsonSchema, Schema } from "./schema.ts";

/**
 * Whether a value that came over the wire has the shape that the contract publishes. Unknown fields and unknown words
 * are accepted, because a later version of the service may add both. @rule S9.additive decides
 */
export function conforms<Value>(schema: Schema<Value, unknown>, value: unknown): value is Value {
  return schemaProblemOf(schema.json, value, "data") === null;
}

/** Describes the first difference between a value and the schema; null when there is none. */
export function schemaProblemOf(schema: JsonSchema, value: unknown, path: string): string | null {
  if (Array.isArray(schema.anyOf)) {
    const shapes: readonly JsonSchema[] = schema.anyOf.filter(isRecord);
    const fits = shapes.some((shape) => schemaProblemOf(shape, value, path) === null);
    if (!fits) return `${path} has none of its shapes`;
  }
  const { type } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.some((one) => isOfType(one, value))) {
    return `${path} is not ${types.join(" or ")}`;
  }
  if (Array.isArray(value)) return problemOfItems(schema, value, path);
  return isRecord(value) ? problemOfFields(schema, value, path) : null;
}

function problemOfItems(
  schema: JsonSchema,
  value: readonly unknown[],
  path: string,
): string | null {
  const { items } = schema;
  if (!isRecord(items)) return null;
  for (const [at, item] of value.entries()) {
    const problem = schemaProblemOf(items, item, `${path}[${at}]`);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOfFields(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): string | null {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const names = required.filter((name) => typeof name === "string");
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property) || !Object.hasOwn(value, name)) continue;
    const problem = schemaProblemOf(property, value[name], `${path}.${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}
