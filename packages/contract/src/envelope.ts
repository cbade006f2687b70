import type { FailureBody } from "./errors/errors.ts";
import { literal, nullable, object, optional, type Schema, string, word } from "./schema.ts";
import { SCOPES } from "./words.ts";

/** The body of HTTP 200. The body of a page may also have `next`. @rule S1.envelope */
export interface Success<Data> {
  readonly success: true;
  readonly data: Data;
}

export function success<Data>(data: Data): Success<Data> {
  return { success: true, data };
}

export function successSchema<Data>(data: Schema<Data>): Schema<Success<Data>> {
  return object("Success.", { success: literal(true, "Always true."), data });
}

/**
 * The schema of a success that may have `next` beside `data`. `next` is the value to request the next page with. It is
 * null on the last page. @rule D13.tradesPage D13.answerBytes
 */
export function pageSchema(data: Schema<unknown>, next: Schema<unknown>): Schema<unknown> {
  return object("Success.", {
    success: literal(true, "Always true."),
    data,
    next: optional(nullable(next)),
  });
}

/** The schema of the body of every error. @rule S1.envelope */
export const FAILURE: Schema<FailureBody> = object("Failure.", {
  error: string("The problem in words. The wording may change within v1, the status does not."),
  required_scope: optional(
    word(SCOPES, "The scope that the key lacks; present only with `insufficient_scope`."),
  ),
});
