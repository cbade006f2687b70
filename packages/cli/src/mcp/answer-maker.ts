import {
  type CallToolResult,
  fromJsonSchema,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { JsonSchema } from "@propgate/contract";
import { printableJson } from "../printable.ts";
import { unexpectedAnswerFailure } from "./failure.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";
import { answerSchema } from "./tool-schema.ts";

type Data = Readonly<Record<string, unknown>>;

/**
 * Returns a function that makes the answers of a tool with this schema. Data of another form becomes a failure that
 * contains the data as a text: many clients check an answer against the schema, and would show the violation instead of
 * the answer.
 */
export function createAnswerMaker(gives: JsonSchema): (data: Data) => Promise<CallToolResult> {
  // The schema is compiled at the first answer, so that the start does not wait for the schemas of all tools.
  let schema: StandardSchemaWithJSON | null = null;
  const { required } = gives;
  const fields: readonly unknown[] = Array.isArray(required) ? required : [];
  return async (data) => {
    const isEmpty = !fields.some(
      (field) => typeof field === "string" && Object.hasOwn(data, field),
    );
    schema ??= fromJsonSchema({ ...answerSchema(gives) });
    const { issues } = isEmpty ? { issues: NO_FIELD } : await schema["~standard"].validate(data);
    if (issues === undefined) return dataAnswer(data);
    const failed = errorAnswer(
      unexpectedAnswerFailure(issues.map(({ message }) => message).join("; ")),
    );
    const content = [...failed.content, { type: "text" as const, text: printableJson(data) }];
    return { ...failed, content };
  };
}

const NO_FIELD = [{ message: "it has no field of this tool's answer" }];
