import { isRecord } from "../../record.ts";
import { isId, isUuid, type JsonSchema } from "../../schema.ts";

/**
 * How a field is filtered and sorted. A filter of a `text` has one value; a filter of an `id`, a `word` or a `boolean`
 * may have several. A `number` and a `time` are filtered by a lowest and a highest value.
 */
export type ListFieldKind = "id" | "word" | "boolean" | "text" | "number" | "time";

/** A field of a list's items: it is also a filter, a sort and a column of the list's files. */
export interface ListField {
  readonly name: string;
  /** The kind of the field. For a list of texts it is the kind of each text. */
  readonly kind: ListFieldKind;
  /** All words of a `word` or a `boolean`; empty for any other kind. */
  readonly words: readonly string[];
  /** True for an `id` whose filter compares uuids without case. */
  readonly isUuid: boolean;
  readonly isList: boolean;
  readonly isNullable: boolean;
}

/**
 * The fields of an item, in the order of its schema.
 * @throws Error for a field that a list cannot have, such as an object
 */
export function listFields({ properties }: JsonSchema): readonly ListField[] {
  if (!isRecord(properties)) throw new Error("broken invariant: an item of a list has fields");
  return Object.entries(properties).map(([name, schema]) => listField(name, schema));
}

function listField(name: string, schema: unknown): ListField {
  if (!isRecord(schema)) throw notFlatError(name);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const isNullable = types.includes("null");
  const [type] = types.filter((one) => one !== "null");
  if (type !== "array")
    return { name, ...scalarKind(name, type, schema), isList: false, isNullable };
  const { items } = schema;
  if (!isRecord(items) || items.type !== "string") throw notFlatError(name);
  return { name, ...scalarKind(name, "string", items), isList: true, isNullable };
}

function scalarKind(
  name: string,
  type: unknown,
  schema: JsonSchema,
): Pick<ListField, "kind" | "words" | "isUuid"> {
  switch (type) {
    case "boolean":
      return { kind: "boolean", words: ["true", "false"], isUuid: false };
    case "integer":
    case "number":
      return { kind: schema.format === "int64" ? "time" : "number", words: [], isUuid: false };
    case "string": {
      const words = Array.isArray(schema.enum) ? schema.enum.filter(isText) : [];
      if (words.length > 0) return { kind: "word", words, isUuid: false };
      return { kind: isId(schema) ? "id" : "text", words, isUuid: isUuid(schema) };
    }
    default:
      throw notFlatError(name);
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function notFlatError(name: string): Error {
  return new Error(
    `broken invariant: ${name} is neither a text, a number, a boolean nor a list of texts`,
  );
}
