import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JsonSchema } from "@propgate/contract";
import { fieldsOf } from "./read-arguments.ts";

/**
 * The arguments of a call as the agent meant them: many clients send objects, lists and numbers as strings of JSON. A
 * string is read as JSON only where the schema allows no string, so a text never changes. @rule D12.agentValues decides
 */
export function parseJsonStrings(schema: JsonSchema, given: unknown): unknown {
  return parseBySchemas([schema], given ?? {});
}

function parseBySchemas(schemas: readonly JsonSchema[], given: unknown): unknown {
  const all = schemas.flatMap(alternativesOf);
  const value = typeof given === "string" && !all.some(allowsText) ? parseJsonText(given) : given;
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: of }) => schemasIn([of]));
    return value.map((item) => parseBySchemas(items, item));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const own = all.flatMap(({ properties }) => schemasIn([fieldsOf(properties)[name]]));
      // A value of an unknown field stays as it is, because the tool's error names the field and shows the value.
      return [name, own.length === 0 ? field : parseBySchemas(own, field)];
    }),
  );
}

const COMPOSED = ["anyOf", "oneOf", "allOf"] as const;

/** The schema, and the schemas that it is composed of at any depth. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts = COMPOSED.flatMap((name) => {
    const { [name]: composed } = schema;
    return Array.isArray(composed) ? schemasIn(composed) : [];
  });
  return [schema, ...parts.flatMap(alternativesOf)];
}

function schemasIn(values: readonly unknown[]): readonly JsonSchema[] {
  return values.filter((value) => typeof value === "object" && value !== null).map(fieldsOf);
}

function allowsText({ type, enum: words, const: word }: JsonSchema): boolean {
  const values = [word, ...(Array.isArray(words) ? words : [])];
  return [type].flat().includes("string") || values.some((value) => typeof value === "string");
}

/**
 * The value of a text that is valid JSON. Any other text, and `null`, stays a text, so that the tool rejects it with
 * the name of its field.
 */
function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) ?? text;
  } catch {
    return text;
  }
}

/**
 * A stream of messages in which `arguments: null` is left out, so that the call has no arguments. The MCP library would
 * reject null.
 */
export function withoutNullArguments(): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      done(null, lines.map((line) => `${withoutNull(line)}\n`).join(""));
    },
    flush(done) {
      done(null, rest + decoder.end());
    },
  });
}

function withoutNull(line: string): string {
  if (!/"arguments"\s*:\s*null/.test(line)) return line;
  const message = fieldsOf(parseJsonText(line));
  const { arguments: given, ...params } = fieldsOf(message.params);
  const isCall = message.method === "tools/call" && given === null;
  return isCall ? JSON.stringify({ ...message, params }) : line;
}
