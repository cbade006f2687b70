import { isRecord } from "@propgate/contract";
import { UNKNOWN } from "../../../format/numbers.ts";

/** A term of a program: the path of its value, and the value as text. */
export interface TermRow {
  readonly path: string;
  readonly text: string;
}

/**
 * The terms in one section of a program's document: a table with a column for each field (`grid`) when all entries have
 * the fields of the first one, else rows.
 */
export type TermGroup =
  | { readonly kind: "rows"; readonly title: string; readonly rows: readonly TermRow[] }
  | {
      readonly kind: "grid";
      readonly title: string;
      readonly columns: readonly string[];
      readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
    };

/** The document of a program as tables: first its plain values, then each section. */
export function termGroups(program: unknown): readonly TermGroup[] {
  if (!isRecord(program)) return [];
  const entries = Object.entries(program);
  const plain = entries.filter(([, value]) => !isRecord(value));
  const parts = entries.filter(([, value]) => isRecord(value));
  return [
    {
      kind: "rows",
      title: "Program",
      rows: plain.map(([path, value]) => ({ path, text: valueText(value) })),
    },
    ...parts.map(([title, value]) => groupOf(title, value)),
  ];
}

function groupOf(title: string, value: unknown): TermGroup {
  const inner = isRecord(value) ? Object.entries(value) : [];
  const first = inner[0]?.[1];
  const columns = isRecord(first) ? Object.keys(first) : [];
  const isGrid =
    columns.length > 0 &&
    inner.every(([, row]) => isRecord(row) && columns.every((name) => name in row));
  if (!isGrid) return { kind: "rows", title, rows: rowsOf(value, "") };
  return {
    kind: "grid",
    title,
    columns,
    rows: inner.map(([name, row]) => ({
      name,
      cells: columns.map((column) => (isRecord(row) ? valueText(row[column]) : UNKNOWN)),
    })),
  };
}

function rowsOf(value: unknown, path: string): readonly TermRow[] {
  if (!isRecord(value)) return [{ path, text: valueText(value) }];
  return Object.entries(value).flatMap(([name, inner]) =>
    rowsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

function valueText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return value === null || value === undefined ? UNKNOWN : JSON.stringify(value);
}
