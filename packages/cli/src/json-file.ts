import { usageError } from "./cli-error.ts";
import { readTextFile } from "./secret.ts";

/** The JSON of the file. The service checks its content. */
export async function readJsonFile(path: string, what: string): Promise<unknown> {
  const text = await readTextFile(path, what);
  try {
    const value: unknown = JSON.parse(text);
    // It is sent as JSON, and a text of any depth can be read but not written.
    JSON.stringify(value);
    return value;
  } catch (cause) {
    // The parser's message quotes the file, line breaks and control characters included.
    const message = cause instanceof Error ? cause.message : String(cause);
    const reason = message.replace(/\p{Cc}+/gu, " ");
    throw usageError(`the ${what} in ${path} is not valid JSON: ${reason}`);
  }
}
