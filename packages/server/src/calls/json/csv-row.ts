import { wireJson } from "@propgate/base";

/** One row of a CSV file (RFC 4180) with its line end; null is an empty cell. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Puts an apostrophe before text that a spreadsheet would evaluate as a formula; a number never gets one. */
function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return wireJson(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
