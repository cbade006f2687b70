import { usageError } from "./cli-error.ts";
import { readTextFile } from "./secret.ts";

/** The JSON value in the file. The service checks its content. */
export async function readJsonFile(path: string, what: string): Promise<unknown> {
  const text = await readTextFile(path, what);
  try {
    const value: unknown = JSON.parse(text);
    // The value will be sent as JSON. `JSON.parse` accepts any nesting, but `JSON.stringify` throws for one that is too
    // deep.
    JSON.stringify(value);
    return value;
  } catch (cause) {
    // The parser's message may contain line breaks and control characters of the file.
    const message = cause instanceof Error ? cause.message : String(cause);
    const reason = message.replace(/\p{Cc}+/gu, " ");
    throw usageError(`the ${what} in ${path} is not valid JSON: ${reason}`);
  }
}
