import {
  type CallToolResult,
  fromJsonSchema,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { JsonSchema } from "@propgate/contract";
import { printableJson } from "../printable.ts";
import { unexpectedAnswer } from "./failure.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";
import { orFailure } from "./tool-schema.ts";

type Data = Readonly<Record<string, unknown>>;

/**
 * A function that makes the answers of a tool that announces this schema. An answer of another form becomes a failure
 * with the answer as a text: many clients check structured content against the schema, and would show a violation in
 * place of the answer.
 */
export function announcedAnswer(gives: JsonSchema): (data: Data) => Promise<CallToolResult> {
  // The schema is compiled at the first answer, so that the start does not wait for the schemas of all tools.
  let schema: StandardSchemaWithJSON | null = null;
  const { required } = gives;
  const fields: readonly unknown[] = Array.isArray(required) ? required : [];
  return async (data) => {
    const isEmpty = !fields.some(
      (field) => typeof field === "string" && Object.hasOwn(data, field),
    );
    schema ??= fromJsonSchema({ ...orFailure(gives) });
    const { issues } = isEmpty ? { issues: NO_FIELD } : await schema["~standard"].validate(data);
    if (issues === undefined) return dataAnswer(data);
    const failed = errorAnswer(unexpectedAnswer(issues.map(({ message }) => message).join("; ")));
    const content = [...failed.content, { type: "text" as const, text: printableJson(data) }];
    return { ...failed, content };
  };
}

const NO_FIELD = [{ message: "it has no field of this tool's answer" }];
