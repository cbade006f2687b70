import {
  isOperatorCall,
  isRecord,
  linked,
  OPERATOR_ANSWERS,
  OPERATOR_CALLS,
  OPERATOR_STATUSES,
  operatorRefusals,
  type Schema,
} from "@propgate/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

/**
 * Checks that the `data` of an operator's call has exactly the fields that the contract describes. With `fields` in the
 * query, it may lack some of them.
 */
export function expectOperatorAnswer(method: string, path: string, data: unknown): void {
  const name = callName(method, path.replace(/\?.*$/s, ""));
  const schemas: Readonly<Record<string, Schema<unknown>>> = OPERATOR_ANSWERS;
  const described = schemas[name];
  // The events of all accounts include those of linked ones.
  const { json } = name === "events.list" ? linked(OPERATOR_ANSWERS[name]) : (described ?? NONE);
  const shape = /[?&]fields=/.test(path)
    ? shapeOf(`${name} with some fields`, withoutRequired(json))
    : shapeOf(name, json);
  expect(shape(data), `${name}: ${JSON.stringify(shape.errors)}`).toBe(true);
}

const NONE: { readonly json: unknown } = { json: undefined };

/**
 * Checks that a refusal has a sentence, and a status and a code that the call's description lists. The refusal may also
 * have `field` and `details`, and nothing else. A sentence that begins with the name of a field has that name in
 * `field` too.
 */
export function expectOperatorRefusal(
  method: string,
  path: string,
  { status, body }: { readonly status: number; readonly body: Record<string, unknown> },
): void {
  const { field, details, ...rest } = body;
  const name = callName(method, path.replace(/\?.*$/s, ""));
  const codes = new Map<number, readonly string[]>(
    Object.entries(OPERATOR_STATUSES).map(([one, words]) => [Number(one), words]),
  );
  const statuses: readonly number[] = isOperatorCall(name) ? operatorRefusals(name) : [401, 404];
  expect(statuses, name).toContain(status);
  expect(rest).toEqual({ error: expect.stringMatching(/./), code: rest.code });
  expect(codes.get(status), `${name} ${status}`).toContain(rest.code);
  expect(["undefined", "string"]).toContain(typeof field);
  const [, named = field] = /^([\w.[\]-]+): /.exec(String(body.error)) ?? [];
  expect(field, String(body.error)).toBe(named);
  expect(["undefined", "object"]).toContain(typeof details);
}

function callName(method: string, path: string): string {
  const found = Object.entries(OPERATOR_CALLS)
    .filter((entry) => entry[1].method === method && matches(entry[1].path, path))
    .toSorted((a, b) => Number(a[1].path.includes(":")) - Number(b[1].path.includes(":")));
  return found[0]?.[0] ?? "no call of the contract";
}

function matches(pattern: string, path: string): boolean {
  const [words, given] = [pattern.split("/"), path.split("/")];
  const fits = (word: string, index: number) => word.startsWith(":") || word === given[index];
  return words.length === given.length && words.every(fits);
}

/**
 * The generated code of a schema's check is not optimized, because optimizing takes more than half of the time of
 * generating it.
 */
const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });

/** The check of a schema. It is compiled once, because the schema of all types of events takes a while. */
function shapeOf(name: string, json: unknown): ValidateFunction {
  const known = ajv.getSchema(name);
  if (known !== undefined) return known;
  const schema = withoutUnknownFields(json);
  return ajv.compile(isRecord(schema) ? { ...schema, $id: name } : { not: {} });
}

/** The schema of a list whose items have only some of their fields: no field is required. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (!isRecord(schema)) return schema;
  const { required: _, ...rest } = schema;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, withoutRequired(value)]),
  );
}

/**
 * The schema without the tolerance for unknown fields. The shapes of an `anyOf` also get the fields of the schema
 * around it.
 */
function withoutUnknownFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUnknownFields);
  if (!isRecord(schema)) return schema;
  const { properties, anyOf } = schema;
  const shared = isRecord(properties) && Array.isArray(anyOf) ? properties : null;
  const inner = Object.entries(schema).map(([name, value]) => [
    name,
    withoutUnknownFields(name === "anyOf" && shared !== null ? withFields(value, shared) : value),
  ]);
  const isObject = isRecord(properties) && anyOf === undefined;
  return { ...Object.fromEntries(inner), ...(isObject ? { additionalProperties: false } : {}) };
}

function withFields(shapes: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (!Array.isArray(shapes)) return shapes;
  return shapes.map((shape: unknown) => {
    if (!isRecord(shape) || !isRecord(shape.properties)) return shape;
    return { ...shape, properties: { ...shape.properties, ...fields } };
  });
}
