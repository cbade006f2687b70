import { readText } from "../source-tree.ts";

/** A row of a table of the specification. */
export interface DocumentRow {
  /** The number of its line in the document, for messages. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table. Its name is its section and its first column, such as `2.1.1 Field`. */
export interface DocumentTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly DocumentRow[];
}

export interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** The specification as its tables and the sentences between them. */
export interface SpecificationDocument {
  readonly tables: readonly DocumentTable[];
  /** The lines of text that are neither a heading nor a row. */
  readonly sentences: readonly Sentence[];
}

export const SPECIFICATION_PATH = "docs/spec/specification.md";

/** An error: a row, a list or a sentence of the document has a form that no check knows. */
export class UnknownForm extends Error {}

/** The text of the specification. */
export function specificationText(): string {
  return readText(SPECIFICATION_PATH);
}

/**
 * Reads the tables and sentences of the document. @throws UnknownForm when a line begins as a row and belongs to no
 * table
 */
export function readDocument(markdown: string): SpecificationDocument {
  const tables: DocumentTable[] = [];
  const sentences: Sentence[] = [];
  let section = "";
  let block: DocumentRow[] = [];
  const endTable = (): void => {
    if (block.length > 0) tables.push(tableOf(section, block));
    block = [];
  };
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.startsWith("|")) {
      block.push({ line: index + 1, cells: cellsOf(line, index + 1) });
      continue;
    }
    endTable();
    section = /^#+ (\d+(?:\.\d+)*)\b/.exec(line)?.[1] ?? section;
    if (line !== "" && !line.startsWith("#")) sentences.push({ line: index + 1, text: line });
  }
  endTable();
  return { tables, sentences };
}

function tableOf(section: string, [head, rule, ...rows]: readonly DocumentRow[]): DocumentTable {
  if (head === undefined || rule === undefined || !isRule(rule.cells)) {
    throw new UnknownForm(`line ${head?.line}: a table without its rule`);
  }
  const columns = head.cells;
  const odd = rows.find(({ cells }) => cells.length !== columns.length);
  if (odd !== undefined) throw new UnknownForm(`line ${odd.line}: ${odd.cells.length} cells`);
  const texts = rows.map(({ cells }) => cells.join("|"));
  const again = rows.find((_, index) => texts.indexOf(texts[index] ?? "") !== index);
  if (again !== undefined) throw new UnknownForm(`line ${again.line}: a row twice`);
  return { name: `${section} ${columns[0]}`, columns, rows };
}

function isRule(cells: readonly string[]): boolean {
  return cells.every((cell) => /^-+$/.test(cell));
}

function cellsOf(line: string, number: number): readonly string[] {
  if (!line.endsWith("|")) throw new UnknownForm(`line ${number}: a row without an end`);
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

/** The document with another text of one line, or with null without that line. */
export function withLine(markdown: string, line: number, text: string | null): string {
  return markdown
    .split("\n")
    .toSpliced(line - 1, 1, ...(text === null ? [] : [text]))
    .join("\n");
}
