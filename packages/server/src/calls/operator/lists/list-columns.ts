import type { ListDescription, ListField } from "@propgate/contract";
import { type Cell, type FileColumn, timeColumns } from "../../json/row-file.ts";

/** The columns of a list's CSV file: one for each of these fields, in their order, and two for a time. */
export function listColumns(
  { fields }: ListDescription,
  names: readonly string[],
): readonly FileColumn<object>[] {
  return names.flatMap((name) => {
    const field = fields.find((one) => one.name === name);
    return field === undefined ? [] : columnsOf(field);
  });
}

function columnsOf({ name, kind }: ListField): readonly FileColumn<object>[] {
  const value = (row: object): unknown => Reflect.get(row, name);
  if (kind === "time") {
    return timeColumns(name, (row) => {
      const atMs = value(row);
      return typeof atMs === "number" ? atMs : null;
    });
  }
  return [{ name, cell: (row) => cellOf(value(row)) }];
}

/** The cell of a value. A list is one cell with `|` between its texts. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return value.join("|");
  if (typeof value === "boolean") return String(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}
