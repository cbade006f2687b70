import { createReadStream } from "node:fs";
import { usageError } from "./cli-error.ts";

/**
 * The lines of a text file, including a last line without a line end. Each line comes without its line feed, and
 * without a carriage return before the line feed.
 * @throws CliError when the file cannot be read, or one of its lines is too long
 */
export async function* readFileLines(file: string): AsyncGenerator<string> {
  const { LineTooLong, textLines } = await import("@propgate/server");
  let read = 0;
  try {
    for await (const line of textLines(createReadStream(file), { unfinished: "kept" })) {
      read += 1;
      yield line.replace(/\r$/, "");
    }
  } catch (cause) {
    if (!(cause instanceof LineTooLong))
      throw usageError(`${file} cannot be read: ${String(cause)}`);
    throw usageError(`${file}, line ${read + 1}: ${cause.message}`, "Name a file of JSON lines.");
  }
}
