import { isIfSent, type JsonSchema, linkedFigure, type Schema } from "../schema.ts";

export type NamedSchema = readonly [name: string, schema: Schema<unknown>];

/** Turns named schemas into components of a document, and refers to them from any other schema. */
export interface SharedSchemas {
  /** `components.schemas`: each named schema once. */
  readonly components: JsonSchema;
  /** The JSON of a schema, with a reference wherever it is or contains a named schema. */
  refer(schema: Schema<unknown>): JsonSchema;
}

/**
 * Makes the components. A named schema inside another is recognised by the identity of its JSON. With linked accounts,
 * a figure that a validator need not send is nullable. @rule D13.types
 */
export function createSharedSchemas(
  named: readonly NamedSchema[],
  { hasLinked }: { readonly hasLinked: boolean },
): SharedSchemas {
  const paths = new Map(
    named.map(([name, { json }]): [unknown, string] => [json, schemaPath(name)]),
  );
  const referring = (value: unknown): unknown => {
    const $ref = paths.get(value);
    return $ref === undefined ? inside(value) : { $ref };
  };
  const insideSchema = (schema: object): JsonSchema => {
    const shown = hasLinked && isIfSent(schema) ? linkedFigure({ ...schema }) : schema;
    return Object.fromEntries(Object.entries(shown).map(([key, one]) => [key, referring(one)]));
  };
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referring);
    return typeof value === "object" && value !== null ? insideSchema(value) : value;
  };
  return {
    components: Object.fromEntries(named.map(([name, { json }]) => [name, insideSchema(json)])),
    refer: ({ json }) => {
      const $ref = paths.get(json);
      return $ref === undefined ? insideSchema(json) : { $ref };
    },
  };
}

/** The path with which a document refers to a named schema. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}
