import { wireJson } from "@propgate/base";
import { AS_OF_HEADER, LIST_FILE_TYPES, type ListFileFormat } from "@propgate/contract";
import { csvRow } from "./csv-row.ts";
import type { StreamReply } from "./json-reply.ts";

/** The value of a cell in a CSV file; null is an empty cell. */
export type Cell = string | number | null;

/** A column of a CSV file. */
export interface FileColumn<Row> {
  readonly name: string;
  readonly cell: (row: Row) => Cell;
}

/** Answers rows as a file while they are read: as one JSON value a line, or as CSV with a header. */
export function rowFileReply<Row>(
  rows: AsyncIterable<Row>,
  about: {
    /** The name of the file, without `.csv` or `.ndjson`. */
    readonly name: string;
    readonly format: ListFileFormat;
    readonly columns: readonly FileColumn<Row>[];
    readonly asOfMs: number;
    readonly headers?: Readonly<Record<string, string>>;
  },
): StreamReply {
  const { name, format, columns, asOfMs, headers } = about;
  return {
    status: 200,
    content: joinIntoPieces(format === "csv" ? csvRows(rows, columns) : jsonLines(rows)),
    type: LIST_FILE_TYPES[format],
    headers: {
      "Content-Disposition": `attachment; filename="${name}.${format}"`,
      [AS_OF_HEADER]: String(asOfMs),
      ...headers,
    },
  };
}

/** Two columns for one time, such as `openedAt` in ISO 8601 for a person, and `openedAtMs` for a program. */
export function timeColumns<Row>(
  name: string,
  atMs: (row: Row) => number | null,
): readonly FileColumn<Row>[] {
  const text = (row: Row): string | null => {
    const value = atMs(row);
    return value === null ? null : new Date(value).toISOString();
  };
  return [
    { name: name.replace(/Ms$/, ""), cell: text },
    { name, cell: atMs },
  ];
}

async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${wireJson(row)}\n`;
}

async function* csvRows<Row>(
  rows: AsyncIterable<Row>,
  columns: readonly FileColumn<Row>[],
): AsyncGenerator<string> {
  yield csvRow(columns.map(({ name }) => name));
  for await (const row of rows) yield csvRow(columns.map(({ cell }) => cell(row)));
}

/** Texts are joined into one piece until the piece has at least this number of characters. */
const PIECE_CHARACTERS = 64 * 1024;

/** The texts in UTF-8, joined into larger pieces. The last piece may be small or empty. */
export async function* joinIntoPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = "";
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(piece);
}
