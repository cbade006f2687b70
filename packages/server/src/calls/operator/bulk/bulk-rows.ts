import {
  BULK_BYTES_MAX,
  BULK_ROWS_MAX,
  BULK_TYPES,
  isRecord,
  type ListField,
  listFields,
  type Schema,
} from "@propgate/contract";
import { parseJsonBody } from "../../json/json-body.ts";
import { problemReply } from "../../json/json-fields.ts";
import { type RefusedReply, type SentFile, wrongFieldReply } from "../../json/json-reply.ts";
import { csvRows } from "./csv-rows.ts";

/** A row of a file: the fields of the call that it makes, or its refusal. */
export type BulkRow = {
  /** The number of the row, from 1. The header of a CSV file does not count. */
  readonly row: number;
} & RowContent;

type RowContent =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly refusal: RefusedReply };

/** The columns that the file of a bulk may have, and those that it must have. */
export interface BulkColumns {
  readonly fields: readonly ListField[];
  readonly required: readonly string[];
  /** The column with the id for the call's path; null when the path has none. */
  readonly idColumn: string | null;
}

/** The columns of a bulk: the fields of the call's body, and the column for the id in the path, if there is one. */
export function bulkColumnsOf(
  { json }: Schema<unknown>,
  idColumn: string | null = null,
): BulkColumns {
  const required = Array.isArray(json.required) ? json.required.map(String) : [];
  if (idColumn === null) return { fields: listFields(json), required, idColumn };
  const kind = { kind: "id", words: [], isUuid: false, isList: false, isNullable: false } as const;
  const id = { name: idColumn, ...kind };
  return { fields: [id, ...listFields(json)], required: [idColumn, ...required], idColumn };
}

/**
 * The rows of a file, each with its fields or its own refusal. The whole file is refused when its content type is
 * neither CSV nor NDJSON, when it is not UTF-8, and when it has a wrong header, no row or too many rows.
 * @rule D12.bulkFile decides
 */
export function readBulkRows(
  file: SentFile,
  columns: BulkColumns,
): readonly BulkRow[] | RefusedReply {
  const text = file.text.replace(/^\ufeff/, "");
  if (text.includes("\ufffd")) return wrongFieldReply("body", "must be UTF-8");
  const rows = rowsOf(file.type, text, columns);
  if ("status" in rows) return rows;
  if (rows.length === 0) return wrongFieldReply("body", "has no row");
  if (rows.length > BULK_ROWS_MAX) {
    const problem = `has ${rows.length} rows; send at most ${BULK_ROWS_MAX}`;
    return {
      ...wrongFieldReply("body", problem, 413),
      details: { rowsMax: BULK_ROWS_MAX, bytesMax: BULK_BYTES_MAX },
    };
  }
  return rows;
}

function rowsOf(
  type: string,
  text: string,
  columns: BulkColumns,
): readonly BulkRow[] | RefusedReply {
  const [name = ""] = type.toLowerCase().split(";");
  if (name.trim() === BULK_TYPES.csv) return csvFile(text, columns);
  if (name.trim() === BULK_TYPES.ndjson) return jsonLines(text);
  return wrongFieldReply("Content-Type", `must be ${BULK_TYPES.csv} or ${BULK_TYPES.ndjson}`);
}

function jsonLines(text: string): readonly BulkRow[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const read = parseJsonBody(line, "row");
    const isObject = read.ok && isRecord(read.value) && line.trim() !== "";
    if (isObject && isRecord(read.value)) return { row: index + 1, value: read.value };
    const refusal = read.ok ? wrongFieldReply("row", "must be a JSON object") : problemReply(read);
    return { row: index + 1, refusal };
  });
}

function csvFile(text: string, columns: BulkColumns): readonly BulkRow[] | RefusedReply {
  const [header = null, ...rows] = csvRows(text);
  if (header === null) return wrongFieldReply("body", "must begin with the names of its columns");
  const fields = headerFields(header, columns);
  if ("status" in fields) return fields;
  return rows.map((cells, index) => ({ row: index + 1, ...contentOf(cells, fields) }));
}

function headerFields(
  header: readonly string[],
  { fields, required }: BulkColumns,
): readonly ListField[] | RefusedReply {
  const named: ListField[] = [];
  for (const name of header) {
    const field = fields.find((one) => one.name === name);
    const shown = name.slice(0, NAME_MAX);
    if (field === undefined) {
      const problem = `no such column; there are ${fields.map((one) => one.name).join(", ")}`;
      return { ...wrongFieldReply(shown, problem), code: "unknown_field" };
    }
    if (named.includes(field)) return wrongFieldReply(name, "is a column twice");
    named.push(field);
  }
  const missing = required.find((name) => !header.includes(name));
  return missing === undefined
    ? named
    : wrongFieldReply(missing, "the header must have this column");
}

/** An untrusted name is truncated to this many characters in an answer. */
const NAME_MAX = 100;

function contentOf(cells: readonly string[] | null, fields: readonly ListField[]): RowContent {
  if (cells === null) return { refusal: wrongFieldReply("row", "has a quote in a wrong place") };
  if (cells.length !== fields.length) {
    const problem = `has not as many cells as the header: ${cells.length} instead of ${fields.length}`;
    return { refusal: wrongFieldReply("row", problem) };
  }
  const row: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    const cell = cells[index] ?? "";
    if (cell === "") continue;
    const value = cellValue(cell, field);
    if (value === null) return { refusal: wrongCell(cell, field) };
    row[field.name] = value;
  }
  return { value: row };
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** The value of a cell that is not empty; null when it is not a valid value of the field. */
function cellValue(cell: string, { kind, isList }: ListField): unknown {
  if (isList) return cell.split("|");
  if (kind === "number" || kind === "time") return NUMBER.test(cell) ? Number(cell) : null;
  if (kind === "boolean") return cell === "true" || (cell === "false" ? false : null);
  return cell;
}

function wrongCell(cell: string, { name, kind }: ListField): RefusedReply {
  return wrongFieldReply(
    name,
    `${fieldErrorText(kind)}, not ${JSON.stringify(cell.slice(0, NAME_MAX))}`,
  );
}

function fieldErrorText(kind: ListField["kind"]): string {
  if (kind === "boolean") return "must be true or false";
  if (kind === "time") return "must be whole Unix milliseconds, such as 1767225600000";
  return "must be a number with a point, such as 1000.5";
}
