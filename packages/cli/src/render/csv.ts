import { isRecord } from "./record.ts";

/**
 * A result as comma-separated values (RFC 4180): a list has a row for each item, anything else one
 * row; what is nested gets a column of its own, `account.currentBalance`. Lists inside of rows are JSON.
 */
export function csvOf(value: unknown): string {
  const rows = (Array.isArray(value) ? value : [value]).map((row) => new Map(flatten(row, "")));
  const heads = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  // An empty list has no columns: no line at all, rather than one that is empty.
  if (heads.length === 0) return "";
  const lines = [
    heads.map(textCell),
    ...rows.map((row) => heads.map((head) => cell(row.get(head)))),
  ];
  return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
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
