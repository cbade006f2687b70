import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { JsonSchema } from "@propgate/contract";

/**
 * A schema of the contract as a tool publishes it. The library does not validate with it: the contract's
 * parsers report problems of a call with the field's name, and an answer of the service is never withheld
 * because of its shape.
 */
export function published(json: JsonSchema): StandardSchemaWithJSON {
  const written = (): Record<string, unknown> => ({ ...json });
  return {
    "~standard": {
      version: 1,
      vendor: "propgate",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: written, output: written },
    },
  };
}

/** The schema of a list in an object, `{ items }`, because tools answer objects. */
export function itemsOf(item: JsonSchema, description: string): JsonSchema {
  return {
    type: "object",
    properties: { items: { type: "array", description, items: item } },
    required: ["items"],
  };
}
