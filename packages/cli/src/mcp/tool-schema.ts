import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { JsonSchema } from "@propgate/contract";
import type { Failure } from "./failure.ts";
import { parseJsonStrings } from "./parse-json-strings.ts";
import { fieldsOf } from "./read-arguments.ts";

/**
 * A schema of the contract in the form that a tool publishes. The MCP library does not validate with it: the contract's
 * parsers report the problems of a call with the field's name, and `createAnswerMaker` reports those of an answer.
 */
export function toolSchema(
  json: JsonSchema,
  read = (value: unknown): unknown => value,
): StandardSchemaWithJSON {
  const written = (): Record<string, unknown> => ({ ...json });
  return {
    "~standard": {
      version: 1,
      vendor: "propgate",
      validate: (value: unknown) => ({ value: read(value) }),
      jsonSchema: { input: written, output: written },
    },
  };
}

/** The schema of a tool's arguments. `parseJsonStrings` converts them before the tool receives them. */
export function argumentsSchema(json: JsonSchema): StandardSchemaWithJSON {
  return toolSchema(json, (given) => parseJsonStrings(json, given));
}

/**
 * The schema of a tool's answer, success or failure, in which only the fields of `always` are required. Many clients
 * check a failure against the schema too, and would show the violation instead of the failure's text.
 */
export function answerSchema(success: JsonSchema, always: readonly string[] = []): JsonSchema {
  const answered = fieldsOf(success.properties);
  const both = Object.entries(FAILURE).map(([name, failed]) => {
    const own = answered[name];
    return [name, own === undefined ? failed : { anyOf: [own, failed] }];
  });
  return {
    ...success,
    properties: { ...answered, ...Object.fromEntries(both) },
    required: [...always],
  };
}

const FAILURE: Readonly<Record<keyof Failure, JsonSchema>> = {
  status: { type: ["integer", "null"] },
  code: { type: "string" },
  error: { type: "string", description: "Only in a failure: what is wrong." },
  refusalCode: { type: ["string", "null"] },
  cause: { type: "string" },
  fix: { type: "string" },
  requiredScope: { type: ["string", "null"] },
  retryAfterMs: { type: ["number", "null"] },
};

/** The schema of an object with a list, `{ items }`, because a tool answers an object. */
export function itemsSchema(item: JsonSchema, description: string): JsonSchema {
  return {
    type: "object",
    properties: { items: { type: "array", description, items: item } },
    required: ["items"],
  };
}
