import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { PriceFileError } from "./price-file-error.ts";

/** The maximum length of a line. Every valid row is shorter, so a longer line means that the file is not text. */
const LONGEST_LINE = 64 * 1024;

/**
 * Streams a text file as groups of complete lines without line ends. The file is plain or gzipped, which its first
 * bytes show, not its name. Throws a `PriceFileError` with the file's name when the file cannot be read or has a line
 * longer than `LONGEST_LINE`.
 */
export async function* streamLines(path: string): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of bytesOf(path, await isGzipped(path))) {
      const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
      rest = lines.pop() ?? "";
      if (rest.length > LONGEST_LINE)
        throw new PriceFileError(`${path}: the file is not text with rows`);
      if (lines.length > 0) yield lines;
    }
  } catch (cause) {
    if (cause instanceof PriceFileError) throw cause;
    throw new PriceFileError(`${path}: cannot be read: ${reasonOf(cause)}`, { cause });
  }
  rest += decoder.end();
  if (rest !== "") yield [rest];
}

function bytesOf(path: string, gzipped: boolean): AsyncIterable<Buffer> {
  const file = createReadStream(path);
  if (!gzipped) return file;
  const text = createGunzip();
  // A pipe does not forward errors, so the error of the file is passed on.
  file.on("error", (error) => text.destroy(error));
  text.on("close", () => file.destroy());
  return file.pipe(text);
}

async function isGzipped(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const magic = Buffer.alloc(2);
    const { bytesRead } = await file.read(magic, 0, 2, 0);
    return bytesRead === 2 && magic[0] === 0x1f && magic[1] === 0x8b;
  } finally {
    await file.close();
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? cause.code : null;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES") return "permission denied";
  return cause.message;
}
