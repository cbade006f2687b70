import { isNestedTooDeep, JSON_DEPTH_MAX } from "@propgate/base";
import { readJsonObject } from "@propgate/contract";
import { type Parsed, problemOf } from "./json-fields.ts";

/** The JSON of a received body, or of a row of it; an empty text counts as an empty object. */
export function parseJsonBody(raw: unknown, whole = "body"): Parsed<unknown> {
  if (typeof raw !== "string" || raw.trim() === "") return { ok: true, value: {} };
  const read = readJsonObject(raw, JSON_DEPTH_MAX);
  if (read.ok) return read;
  if (read.member !== null) return problemOf(read.member.path, read.member.text);
  // It may be JSON all the same: a list, which the call refuses in its own words, or an object that is nested too deep.
  try {
    const value: unknown = JSON.parse(raw);
    if (!isNestedTooDeep(value)) return { ok: true, value };
    return problemOf(whole, `is nested more than ${JSON_DEPTH_MAX} levels deep`);
  } catch {
    return problemOf(whole, "is not valid JSON");
  }
}
