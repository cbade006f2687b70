import { isNestedTooDeep, JSON_DEPTH_MAX } from "@propgate/base";
import { readJsonObject } from "@propgate/contract";
import { fieldProblem, type Parsed } from "./json-fields.ts";

/**
 * Parses the JSON of a body that was received, or of one row of it. An empty text counts as an empty object. A problem
 * of the text as a whole names `whole` as its field.
 */
export function parseJsonBody(raw: unknown, whole = "body"): Parsed<unknown> {
  if (typeof raw !== "string" || raw.trim() === "") return { ok: true, value: {} };
  const read = readJsonObject(raw, JSON_DEPTH_MAX);
  if (read.ok) return read;
  if (read.member !== null) return fieldProblem(read.member.path, read.member.text);
  // The text may still be JSON: a list, which the handler of the call refuses, or an object that is nested too deep.
  try {
    const value: unknown = JSON.parse(raw);
    if (!isNestedTooDeep(value)) return { ok: true, value };
    return fieldProblem(whole, `is nested more than ${JSON_DEPTH_MAX} levels deep`);
  } catch {
    return fieldProblem(whole, "is not valid JSON");
  }
}
