import { wireJson } from "@propgate/base";

/** Writes one row of a CSV file (RFC 4180) with its line end. A null cell is empty. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/**
 * The text of a cell, in quotes where it needs them. A text that a spreadsheet would evaluate as a formula gets an
 * apostrophe in front; a number never gets one.
 */
function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return wireJson(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
