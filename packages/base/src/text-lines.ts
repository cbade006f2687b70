/**
 * Maximum length of a line of a backup, a journal's file or a file of events, in bytes. The longest legitimate line is
 * the row of an account with its state. With 100 pending orders and legs, and a position in every pair, it has about
 * 150 KiB.
 */
export const LINE_BYTES_MAX = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** The error for a line that is longer than allowed. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";
}

/**
 * The lines of UTF-8 text, without their line feeds. Only a line feed ends a line, because JSON may contain the other
 * line ends of Unicode. A last line without a line feed is omitted, unless `unfinished` is `kept`. Every byte is read
 * once, and at most one line and one chunk are in memory. Throws `LineTooLong`.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  {
    longest = LINE_BYTES_MAX,
    unfinished = "omitted",
  }: { readonly longest?: number; readonly unfinished?: "omitted" | "kept" } = {},
): AsyncGenerator<string> {
  let begun: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(LINE_FEED, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      bytes += piece.length;
      if (bytes > longest) throw new LineTooLong(`a line has more than ${longest} bytes`);
      begun.push(piece);
      if (end === -1) break;
      yield Buffer.concat(begun, bytes).toString("utf8");
      begun = [];
      bytes = 0;
      from = end + 1;
    }
  }
  if (unfinished === "kept" && bytes > 0) yield Buffer.concat(begun, bytes).toString("utf8");
}
