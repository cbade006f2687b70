import { isNestedTooDeep, JSON_DEPTH_MAX } from "@propgate/base";
import type { Parsed } from "./json-fields.ts";

/** The JSON of a received body; no body counts as an empty object. */
export function parseJsonBody(raw: unknown): Parsed<unknown> {
  if (typeof raw !== "string" || raw.trim() === "") return { ok: true, value: {} };
  try {
    const value: unknown = JSON.parse(raw);
    if (!isNestedTooDeep(value)) return { ok: true, value };
    return { ok: false, problem: `body: is nested more than ${JSON_DEPTH_MAX} levels deep` };
  } catch {
    return { ok: false, problem: "body: is not valid JSON" };
  }
}
