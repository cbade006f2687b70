import { isNestedTooDeep, JSON_DEPTH_MAX } from "@propgate/base";
import { readJsonObject } from "@propgate/contract";
import { type Parsed, problemOf } from "./json-fields.ts";

/** The JSON of a received body, or of a row of it; an empty text counts as an empty object. */
export function parseJsonBody(raw: unknown, whole = "body"): Parsed<unknown> {
  if (typeof raw !== "string" || raw.trim() === "") return { ok: true, value: {} };
  try {
    const value: unknown = JSON.parse(raw);
    if (isNestedTooDeep(value)) {
      return problemOf(whole, `is nested more than ${JSON_DEPTH_MAX} levels deep`);
    }
    // `JSON.parse` keeps the last of two equal names.
    const read = readJsonObject(raw);
    if (read.ok || read.member === null) return { ok: true, value };
    return problemOf(read.member.path, read.member.text);
  } catch {
    return problemOf(whole, "is not valid JSON");
  }
}
