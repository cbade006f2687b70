import { decimalText } from "../../format/exact.ts";

export interface CsvColumn<Row> {
  readonly head: string;
  /** The value of the cell. A number has all its digits, null is an empty cell. */
  readonly cell: (row: Row) => string | number | null;
}

/** The rows as comma-separated values, as RFC 4180 defines them. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ head }) => textCell(head)),
    ...rows.map((row) => columns.map(({ cell }) => csvCell(cell(row)))),
  ];
  return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? decimalText(value) : textCell(value);
}

/** The text as a cell. A text that a spreadsheet would compute as a formula is prefixed with an apostrophe. */
function textCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
