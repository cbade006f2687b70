import { isRecord, type Schema } from "@propgate/contract";

/**
 * A result as comma-separated values (RFC 4180). A list has a row for each item, any other value has one row. A nested
 * field has a column of its own, such as `account.currentBalance`; a list inside a row is JSON. `columns` come first,
 * also for an empty list; the other fields of the rows follow.
 */
export function csvOf(value: unknown, columns: readonly string[] = []): string {
  const rows = (Array.isArray(value) ? value : [value]).map((row) => new Map(flatten(row, "")));
  const heads = [...new Set([...columns, ...rows.flatMap((row) => [...row.keys()])])];
  // A value without fields becomes an empty text, not an empty line.
  if (heads.length === 0) return "";
  const lines = [
    heads.map(textCell),
    ...rows.map((row) => heads.map((head) => cell(row.get(head)))),
  ];
  return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** The CSV columns of a list whose items have this shape. */
export function columnsOf(item: Schema<unknown>): readonly string[] {
  const { properties } = item.json;
  return isRecord(properties) ? Object.keys(properties) : [];
}

function flatten(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (!isRecord(value)) return [[path === "" ? "value" : path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    flatten(inner, path === "" ? name : `${path}.${name}`),
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return textCell(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return textCell(JSON.stringify(value));
}

/** The text as a cell. Text that a spreadsheet would evaluate as a formula gets an apostrophe in front. */
function textCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
