import { isRecord, type Schema } from "@propgate/contract";

/**
 * A result as comma-separated values (RFC 4180): a list has a row for each item, anything else one
 * row; what is nested gets a column of its own, `account.currentBalance`. Lists inside of rows are JSON.
 * `columns` come first and make the header of a list without rows; columns of the rows alone follow.
 */
export function csvOf(value: unknown, columns: readonly string[] = []): string {
  const rows = (Array.isArray(value) ? value : [value]).map((row) => new Map(flatten(row, "")));
  const heads = [...new Set([...columns, ...rows.flatMap((row) => [...row.keys()])])];
  // Without any column there is no line at all, rather than one that is empty.
  if (heads.length === 0) return "";
  const lines = [
    heads.map(textCell),
    ...rows.map((row) => heads.map((head) => cell(row.get(head)))),
  ];
  return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** The columns of a list whose items have this shape. */
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

/** A text that a spreadsheet would compute is given an apostrophe, which makes it text again. */
function textCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
