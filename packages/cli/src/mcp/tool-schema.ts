import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { JsonSchema } from "@propgate/contract";

/**
 * A schema of the contract as a tool publishes it. The library refuses nothing by it: what is wrong
 * with a call is said by the contract's own parsers, which name the field, and an answer of the
 * service is never withheld because of its shape.
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

/** An answer that is a list, for an answer of a tool is an object: `{ items }`. */
export function itemsOf(item: JsonSchema, description: string): JsonSchema {
  return {
    type: "object",
    properties: { items: { type: "array", description, items: item } },
    required: ["items"],
  };
}
