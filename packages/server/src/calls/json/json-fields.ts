import { hasOnlyVisibleCharacters } from "@propgate/access";
import { readAddressBlocks } from "@propgate/base";
import { FIRM_ID, FIRM_ID_FORM, SCOPES, timeProblem } from "@propgate/contract";
import { type AccountId, accountId } from "@propgate/core";
import { z } from "zod";
import { type RefusedReply, refusedReply } from "./json-reply.ts";

/** The first problem of a value that a client sent. */
export interface ParseProblem extends Pick<RefusedReply, "code"> {
  readonly ok: false;
  readonly field: string;
  /** A sentence that begins with the field's name. */
  readonly problem: string;
}

/** A parsed value, or its first problem. */
export type Parsed<Value> = { readonly ok: true; readonly value: Value } | ParseProblem;

/** The problem of a field. `text` follows the field's name and a colon. */
export function fieldProblem(field: string, text: string): ParseProblem {
  return { ok: false, problem: `${field}: ${text}`, field };
}

/** The 400 for a problem, with the problem's field and code. */
export function problemReply({ problem, code, field }: ParseProblem): RefusedReply {
  return { ...refusedReply(problem, 400, field), ...(code === undefined ? {} : { code }) };
}

/** The error texts of a field: `is required` when it is missing, `text` when its value is wrong. */
export function fieldErrorTexts(text: string): {
  error: (issue: { readonly input?: unknown }) => string;
} {
  return { error: ({ input }) => (input === undefined ? "is required" : text) };
}

/** The parser of a uuid. It leaves upper case as it is. */
export const uuidSchema = z.guid(fieldErrorTexts("must be a uuid"));

/** The parser of a text of 1 to `max` characters without control characters, so on one line. */
export const shortTextSchema = (max: number) =>
  z
    .string(fieldErrorTexts("must be a string"))
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** The parser of an id that the firm chose: the id of an owner, or of an account or person in a system of the firm. */
export const firmIdSchema = z
  .string(fieldErrorTexts("must be a string"))
  .regex(FIRM_ID, FIRM_ID_FORM);

/** The parser of a text that must be one of these words. */
export const oneOfSchema = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, fieldErrorTexts(`must be one of ${words.join(", ")}`));

/** The parser of the scopes of a key, which are at least one. */
export const keyScopesSchema = z
  .array(oneOfSchema(SCOPES), fieldErrorTexts("must be a list of scopes"))
  .min(1, "must name a scope");

/** The parser of the addresses from which a key may be used. An empty list allows all addresses. */
export const addressBlocksSchema = z
  .array(
    z.string(fieldErrorTexts("must be a string")),
    fieldErrorTexts("must be a list of addresses"),
  )
  .max(100, "must have at most 100 entries")
  .transform((texts, context) => {
    const read = readAddressBlocks(texts);
    if ("blocks" in read) return [...read.blocks];
    context.addIssue({ code: "custom", message: read.problem, path: [read.index] });
    return z.NEVER;
  });

/**
 * The parser of a label, or of a text that stays as evidence, such as a reason. The text has only visible characters
 * and spaces, and not only spaces. @rule D13.visibleNames decides
 */
export const visibleTextSchema = (max: number) =>
  shortTextSchema(max)
    .refine(hasOnlyVisibleCharacters, "must contain only visible characters")
    .refine((text) => text.trim() !== "", "must not be blank");

/** The parser of the label of a key, a passkey or a webhook. */
export const visibleLabelSchema = visibleTextSchema(100);

/**
 * The parser of a time that a user sends, in Unix milliseconds. Seconds would be read as a time in 1970, so the refusal
 * names the unit.
 */
export const momentMsSchema = z
  .int(fieldErrorTexts("must be whole milliseconds"))
  .superRefine((ms, context) => {
    const message = timeProblem(ms, String(ms));
    if (message !== null) context.addIssue({ code: "custom", message });
  });

/**
 * The parsers of a body's fields. Their type requires exactly one parser for each field of the contract's body. A
 * parser may give only values that the contract's type of its field allows.
 */
export type BodyFields<Body> = {
  readonly [Field in keyof Body]-?: z.ZodType<unknown, Body[Field] | undefined>;
};

/** The text of an issue for which no field has a text. The texts of zod are written for programmers. */
const PLAIN = {
  error: (issue: { readonly [name: string]: unknown }) =>
    issue.expected === "object" ? "must be a JSON object" : "is not valid",
};

/** Parses a body with the schema. Returns `toValue` of the body, or the problem of the first issue. */
export function parseBody<Given, Value>(
  schema: z.ZodType<Given>,
  body: unknown,
  toValue: (given: Given) => Value,
): Parsed<Value> {
  const read = schema.safeParse(body, PLAIN);
  if (read.success) return { ok: true, value: toValue(read.data) };
  const [issue] = read.error.issues;
  if (issue === undefined) return fieldProblem("body", "is not valid");
  if (issue.code === "unrecognized_keys") {
    const field = fieldPathText([...issue.path, ...issue.keys.slice(0, 1)]);
    return { ...fieldProblem(field, "no such field"), code: "unknown_field" };
  }
  return fieldProblem(fieldPathText(issue.path), issue.message);
}

/** An untrusted name is truncated to this many characters in an answer. */
const FIELD_MAX = 100;

/** Spells the path of an issue: `limits[0].id`, or `body` for the whole body. */
function fieldPathText(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "").slice(0, FIELD_MAX) || "body";
}

/** The uuid in lower case, as ids are stored; null when the text is missing or is not a uuid. */
export function parseUuid(text: string | undefined): string | null {
  const read = uuidSchema.safeParse(text);
  return read.success ? read.data.toLowerCase() : null;
}

/** The account id in lower case; null when the text is missing or is not a uuid. */
export function parseAccountId(text: string | undefined): AccountId | null {
  const id = parseUuid(text);
  return id === null ? null : accountId(id);
}
