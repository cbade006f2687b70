/**
 * A cell ends at a comma, at a line end or at the end of the text. A quoted cell may contain all of these, and `""` is
 * a quote in it.
 */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * The rows of a CSV text (RFC 4180), whose lines end with CRLF or LF. A row with a misplaced quote is null, and the
 * next row begins at the next line.
 */
export function csvRows(text: string): readonly (readonly string[] | null)[] {
  const rows: (readonly string[] | null)[] = [];
  for (let at = 0; at < text.length; ) {
    const { cells, next } = csvRow(text, at);
    rows.push(cells);
    at = next;
  }
  return rows;
}

function csvRow(
  text: string,
  start: number,
): { readonly cells: readonly string[] | null; readonly next: number } {
  const cells: string[] = [];
  for (let at = start; ; ) {
    CELL.lastIndex = at;
    const found = CELL.exec(text);
    if (found === null) return { cells: null, next: nextLine(text, at) };
    const [whole, quoted, plain = "", end] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end !== ",") return { cells, next: at };
  }
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
