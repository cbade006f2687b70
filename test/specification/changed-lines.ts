import type { SpecificationDocument } from "./document.ts";

/** A changed line of the document: its number, and its new text or null when it is removed. */
export interface ChangedLine {
  readonly line: number;
  readonly text: string | null;
}

/** For each type of the document, another type, or the same one with the other nullability. */
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

/**
 * Changes of the document, each of one line, that a check must find. In each cell and each sentence one number, or else
 * one word, is changed. A type is replaced by another type and by an empty text, and a list loses its last item. Each
 * row and each sentence is also removed.
 */
export function changedLines(
  { tables, sentences }: SpecificationDocument,
  seed: number,
): readonly ChangedLine[] {
  const rows = tables.flatMap((table) => table.rows);
  return [
    ...rows.flatMap(({ cells, line }) =>
      cells.flatMap((was, column) =>
        [changed(was, seed + line + column), ...shortened(was)].map((now) => {
          const others = cells.with(column, now);
          return { line, text: `| ${others.join(" | ")} |` };
        }),
      ),
    ),
    ...sentences.map(({ line, text }) => ({ line, text: changed(text, seed + line) })),
    ...[...rows, ...sentences].map(({ line }) => ({ line, text: null })),
  ];
}

function shortened(cell: string): readonly string[] {
  if (cell in TYPES) return [""];
  const last = cell.lastIndexOf(", ");
  return last === -1 ? [] : [cell.slice(0, last)];
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
