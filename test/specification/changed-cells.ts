import type { Document } from "./document.ts";

/** A cell of the document that says something else. */
export interface ChangedCell {
  readonly line: number;
  readonly column: number;
  readonly was: string;
  readonly cell: string;
}

/** Each type with another type, or with the other nullability. */
const TYPES: Readonly<Record<string, string>> = {
  string: "number",
  number: "number or null",
  boolean: "string",
  object: "object or null",
  array: "object",
  nullable: "number",
  integer: "string",
  "string or null": "string",
  "number or null": "number",
  "object or null": "object",
  "string (uuid)": "string",
};

/** Every cell with a change that its reader would not expect; of several words in it, one of them. */
export function changedCells({ tables }: Document, seed: number): readonly ChangedCell[] {
  return tables.flatMap(({ rows }) =>
    rows.flatMap(({ cells, line }) =>
      cells.map((was, column) => ({ line, column, was, cell: changed(was, seed + line + column) })),
    ),
  );
}

function changed(cell: string, draw: number): string {
  const type = TYPES[cell];
  if (type !== undefined) return type;
  const numbers = [...cell.matchAll(/\d+/g)];
  const number = numbers[draw % numbers.length];
  if (number !== undefined) return replaced(cell, number, String(Number(number[0]) + 1));
  const words = [...cell.matchAll(/[A-Za-z]{2,}/g)];
  const word = words[draw % words.length];
  return word === undefined ? `${cell}other` : replaced(cell, word, `${word[0]}x`);
}

function replaced(cell: string, { 0: old, index }: RegExpExecArray, by: string): string {
  return cell.slice(0, index) + by + cell.slice(index + old.length);
}
