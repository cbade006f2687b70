import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isNestedTooDeep, JSON_DEPTH_MAX } from "@propgate/base";
import { ok, type Result, refuse } from "@propgate/core";
import { z } from "zod";
import { MarketDataError } from "./market-data-error.ts";

/** An invalid value of a document: its path, and the problem in words. */
export interface DocumentProblem {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** The path of a file that comes with the service. */
export function bundledDataPath(name: "catalogue.json" | "perps.json" | "programs.json"): string {
  return fileURLToPath(new URL(`../../data/${name}`, import.meta.url));
}

/** Reads the text of a file. @throws MarketDataError when the file cannot be read. */
export async function readDataFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new MarketDataError(`${path} cannot be read`, { cause });
  }
}

/** Parses a JSON text and checks it against the schema. @throws MarketDataError with the first wrong value's path. */
export function parseDocument<Value>(text: string, path: string, schema: z.ZodType<Value>): Value {
  const read = checkDocument(jsonOf(text, path), schema);
  if (read.ok) return read.value;
  throw dataFileError(path, read.refusal);
}

/** Checks a parsed document against the schema: the value, or its first problem. */
export function checkDocument<Value>(
  document: unknown,
  schema: z.ZodType<Value>,
): Result<Value, DocumentProblem> {
  const parsed = schema.safeParse(document);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return refuse({ path: issue?.path ?? [], text: issue?.message ?? "is not understood" });
}

/**
 * Makes the error for an invalid value of a file. Its message names the file, the path of the value, and the problem.
 */
export function dataFileError(file: string, problem: DocumentProblem): MarketDataError {
  return new MarketDataError(`${file}: ${problemText(problem)}`);
}

/** A problem as messages show it: the path, then the text. */
export function problemText({ path, text }: DocumentProblem): string {
  return `${pathText(path)} ${text}`;
}

/** A path as a reader of the file would write it: `instruments[3].tick`. */
function pathText(path: readonly PropertyKey[]): string {
  const joined = path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("");
  return joined === "" ? "the document" : joined.replace(/^\./, "");
}

/**
 * Makes the error texts of a schema: for a missing value, for a wrong value, and for unknown fields. Messages show each
 * text after the path of the value. `what` is the part that names the rule, such as `must be a number`. `kind` is this
 * part for a wrong discriminator of a union.
 */
export function schemaErrorTexts(what: string, kind: string = what): Expectation {
  return {
    error: ({ code, input, keys, discriminator }) => {
      if (code === "unrecognized_keys" && Array.isArray(keys)) {
        return `has ${keys.map((key) => `"${key}"`).join(", ")}, which is not a field here`;
      }
      return code === "invalid_union" && discriminator !== undefined
        ? missingOrWrong(kind, Object(input)[discriminator])
        : missingOrWrong(what, input);
    },
  };
}

function missingOrWrong(what: string, input: unknown): string {
  return input === undefined ? `is missing: it ${what}` : `${what}, not ${shownInput(input)}`;
}

interface Expectation {
  readonly error: (issue: {
    readonly code?: string | undefined;
    readonly input?: unknown;
    readonly keys?: unknown;
    readonly discriminator?: string | undefined;
  }) => string;
}

function shownInput(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function jsonOf(text: string, path: string): unknown {
  const document = parsedJson(text, path);
  if (!isNestedTooDeep(document)) return document;
  throw new MarketDataError(`${path} is nested more than ${JSON_DEPTH_MAX} levels deep`);
}

function parsedJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message quotes the file, including its line breaks and control characters, which are replaced.
    const message = cause instanceof Error ? cause.message : String(cause);
    const reason = message.replace(/\p{Cc}+/gu, " ");
    throw new MarketDataError(`${path} is not valid JSON: ${reason}`, { cause });
  }
}

/**
 * The smallest value above 0 of an amount in a data file. Sums of amounts from it to `AMOUNT_MAX` stay exact to the
 * micro dollar, the 0.00001 lot and the millisecond.
 */
export const AMOUNT_MIN = 1e-9;
/**
 * The largest value of an amount in a data file: dollars, lots, prices or milliseconds. Some fields have a lower
 * maximum.
 */
export const AMOUNT_MAX = 1_000_000_000;

/** The schema of amounts above 0. Like the schemas below, it names its bounds in its error texts. */
export const positiveAmountSchema = z
  .number(schemaErrorTexts("must be a number above 0"))
  .gt(0, schemaErrorTexts("must be a number above 0"))
  .gte(AMOUNT_MIN, schemaErrorTexts(`must be at least ${AMOUNT_MIN}`))
  .lte(AMOUNT_MAX, schemaErrorTexts(`must be at most ${AMOUNT_MAX}`));
/** The schema of shares, where 1 is 100 %: at least 0 and below 1. */
export const shareSchema = z
  .number(schemaErrorTexts("must be a share from 0 to below 1"))
  .gte(0, schemaErrorTexts("must be a share from 0 to below 1"))
  .lt(1, schemaErrorTexts("must be a share from 0 to below 1"));
/** The schema of whole numbers above 0. */
export const positiveWholeSchema = z
  .int(schemaErrorTexts("must be a whole number above 0"))
  .gt(0, schemaErrorTexts("must be a whole number above 0"))
  .lte(AMOUNT_MAX, schemaErrorTexts(`must be at most ${AMOUNT_MAX}`));
/** The schema of multiples, such as leverage caps. The bound keeps an account's sums exact. */
export const capSchema = positiveAmountSchema.lte(100, schemaErrorTexts("must be at most 100"));
