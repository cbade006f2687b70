import { SCOPES } from "@propgate/contract";
import { type AccountId, accountId } from "@propgate/core";
import { z } from "zod";
import { isAddressBlock } from "../http/edge/address-block.ts";

/*
 * What bodies and queries of the JSON interfaces are made of, each with its words for what is wrong.
 */

/** A body that was read, or the first thing wrong with it, with the field's name. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Says that a field is missing rather than that undefined is no number. */
export function must(text: string): {
  error: (issue: { readonly input?: unknown }) => string;
} {
  return { error: ({ input }) => (input === undefined ? "is required" : text) };
}

export const uuid = z.guid(must("must be a uuid"));

/** One line, as people write one. */
export const shortText = (most: number) =>
  z
    .string(must("must be a text"))
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not hold control characters");

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, must(`must be one of ${words.join(", ")}`));

/** What a key may do. */
export const keyScopes = z
  .array(oneOf(SCOPES), must("must be a list of scopes"))
  .min(1, "must name a scope");

/** Where a key may be used from. */
export const addressBlocks = z
  .array(
    z.string(must("must be a text")).refine(isAddressBlock, "must be an address or CIDR block"),
    must("must be a list of addresses"),
  )
  .max(100, "must have at most 100 entries");

export const momentMs = z.int(must("must be whole milliseconds")).positive("must be above 0");

/** The value of a body, or the first thing wrong with it. */
export function parseBody<Given, Value>(
  schema: z.ZodType<Given>,
  body: unknown,
  toValue: (given: Given) => Value,
): Parsed<Value> {
  const read = schema.safeParse(body);
  if (read.success) return { ok: true, value: toValue(read.data) };
  const [issue] = read.error.issues;
  if (issue?.code === "unrecognized_keys") {
    return { ok: false, problem: `${issue.keys.join(", ")}: no such field` };
  }
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  const field = path.join("").replace(/^\./, "") || "body";
  return { ok: false, problem: `${field}: ${issue?.message ?? "is not understood"}` };
}

/** In the form in which ids are kept; null: none at all. */
export function parseUuid(text: string | undefined): string | null {
  const read = uuid.safeParse(text);
  return read.success ? read.data.toLowerCase() : null;
}

/** Null: not an account id at all. */
export function parseAccountId(text: string | undefined): AccountId | null {
  const id = parseUuid(text);
  return id === null ? null : accountId(id);
}
