import type { FailureBody } from "./errors.ts";
import { literal, object, optional, type Schema, string, word } from "./schema.ts";
import { SCOPES } from "./words.ts";

/** HTTP 200 carries exactly this. @rule S1.envelope */
export interface Success<Data> {
  readonly success: true;
  readonly data: Data;
}

export function success<Data>(data: Data): Success<Data> {
  return { success: true, data };
}

export function successOf<Data>(data: Schema<Data>): Schema<Success<Data>> {
  return object("Success.", { success: literal(true, "Always true."), data });
}

/** @rule S1.envelope */
export const FAILURE: Schema<FailureBody> = object("Failure.", {
  error: string("What went wrong; wording may be clarified, statuses do not change."),
  required_scope: optional(
    word(SCOPES, "With `insufficient_scope`: the scope that the key would need."),
  ),
});
