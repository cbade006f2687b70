import { z } from "zod";

/** A body that was read, or the first thing wrong with it, with the field's name. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Says that a field is missing rather than that undefined is no number. */
export function must(text: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? "is required" : text) };
}

/** One line, as people write one. */
export const shortText = (most: number) =>
  z
    .string(must("must be a text"))
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not hold control characters");

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, must(`must be one of ${words.join(", ")}`));

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
