import type { Document } from "./document.ts";

/** A line of the document that says something else, or is gone. */
export interface ChangedLine {
  readonly line: number;
  readonly text: string | null;
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

/**
 * Every cell and sentence with a change that its reader would not expect: of several words in it, one of them; of a
 * list, without its last item; nothing in the place of a type; and every row and sentence without its line.
 */
export function changedLines(
  { tables, sentences }: Document,
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
