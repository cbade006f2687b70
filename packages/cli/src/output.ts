import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { createRedactor, passwordsOf } from "@propgate/contract";
import { InvalidSettingError } from "@propgate/sdk";
import { CliError, EXIT, type ExitCode, type Problem } from "./cli-error.ts";
import { printableJson } from "./printable.ts";
import { csvOf } from "./render/csv.ts";
import { withInvocation } from "./render/invocation.ts";
import type { Terminal } from "./terminal.ts";

/** How a command prints its result: as JSON, as CSV, or as text for a person. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  /** False with --no-color. */
  readonly color?: boolean;
}

/**
 * Prints a result: `value` as one line of JSON or as CSV, or `lines` for a person. `columns` are the
 * CSV columns of a list, so that an empty list has a header.
 */
export function printResult(
  terminal: Terminal,
  options: OutputOptions,
  result: {
    readonly value: unknown;
    readonly lines: readonly string[];
    readonly columns?: readonly string[];
  },
): void {
  if (options.csv === true) terminal.out(csvOf(result.value, result.columns));
  else if (options.json === true) terminal.out(`${printableJson(result.value)}\n`);
  else terminal.out(`${result.lines.join("\n")}\n`);
}

/** Prints why the command failed, to standard error, and returns its exit code. */
export function printFailure(terminal: Terminal, json: boolean, error: unknown): ExitCode {
  const problem = printableProblem(problemOf(error), terminal);
  if (json) {
    const { message, fix, field = null } = problem;
    const named = field === null ? {} : { field };
    terminal.error(`${printableJson({ error: message, fix, ...named })}\n`);
  } else {
    const fix = problem.fix === null ? "" : `  ${problem.fix.replaceAll("\n", "\n  ")}\n`;
    terminal.error(`propgate: ${problem.message}\n${fix}`);
  }
  return problem.exitCode;
}

/**
 * The problem as it is printed: without secrets of the environment, which an error may quote, and with commands as the
 * user has to type them.
 */
function printableProblem(problem: Problem, { env, invocation }: Terminal): Problem {
  const known = SECRET_VARIABLES.map((name) => textOf(env, name));
  const urls = URL_VARIABLES.flatMap((name) => urlsOf(textOf(env, name)).flatMap(passwordsOf));
  const keys = known.flatMap((text) => text.split(/[\s,]+/).map((one) => one.replace(/^\d+:/, "")));
  const redact = createRedactor([...known, ...keys, ...urls]);
  const printed = (text: string): string => withInvocation(redact(text), invocation);
  const { message, fix } = problem;
  return { ...problem, message: printed(message), fix: fix === null ? null : printed(fix) };
}

const SECRET_VARIABLES = ["PROPGATE_MASTER_KEY", "PROPGATE_OPERATOR_TOKEN", "PROPGATE_SECRET"];
const URL_VARIABLES = [
  "PROPGATE_DATABASE_URL",
  "PROPGATE_DATABASE_URLS",
  "PROPGATE_MIGRATION_DATABASE_URL",
  "PROPGATE_MIGRATION_DATABASE_URLS",
  "PROPGATE_BASE_URL",
];

/**
 * The text as one URL, and as a list of URLs with commas between them. Both are returned, because a comma may also be
 * part of a password.
 */
function urlsOf(text: string): readonly string[] {
  return [text, ...text.split(",").map((url) => url.trim())];
}

/** The variable's text, or the text of the file that the variable with `_FILE` names; empty when neither is set. */
function textOf(env: Terminal["env"], name: string): string {
  const given = env[name] ?? "";
  const file = env[`${name}_FILE`] ?? "";
  if (given !== "" || file === "") return given;
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof CliError) return error.problem;
  if (error instanceof InvalidSettingError) {
    const fix = "Nothing was sent. propgate doctor checks every setting.";
    return { message: error.message, fix, exitCode: EXIT.usage };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    message: `a fault of this program: ${message}`,
    fix: "Please report it with the text above.",
    exitCode: EXIT.fault,
  };
}

/** The maximum width of tables and of wrapped texts, in characters. */
export const TABLE_WIDTH = 80;

/**
 * Columns as wide as their widest cell, two spaces apart, with numbers right-aligned. If the lines would be wider than
 * 80 columns, each row becomes a block of `name value` lines instead, so that no cell is truncated.
 */
export function tableLines(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => widthOf(row[index] ?? ""))),
  );
  const total = widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));
  if (total > TABLE_WIDTH) return rows.flatMap((row) => rowBlock(columns, row));
  const numeric = columns.map((_, index) => isNumeric(rows.map((row) => row[index] ?? "")));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const blank = " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)));
        return numeric[index] ? blank + cell : cell + blank;
      })
      .join("  ")
      .trimEnd();
  return [line(columns.map((column) => column.toUpperCase())), ...rows.map(line)];
}

/** The visible width, without colour codes. */
function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** True for a column of numbers. An unknown number may be `--`. */
function isNumeric(cells: readonly string[]): boolean {
  const visible = cells.map(stripVTControlCharacters);
  const number = /^[-+]?[\d.,]+[%x]?$/;
  return (
    visible.some((cell) => number.test(cell)) &&
    visible.every((cell) => cell === "--" || number.test(cell))
  );
}

function rowBlock(columns: readonly string[], row: readonly string[]): readonly string[] {
  const entries = columns.map((column, index) => [column, row[index] ?? ""] as const);
  // An unknown value is `--`. An empty cell has no value, so its name alone would look like a truncated line.
  return [...nameValueLines(entries.filter(([, value]) => value !== "")), ""];
}

/** Lines of a name and a value, with the values in one column. */
export function nameValueLines(entries: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
}

/** `text` in lines of at most `width` characters, broken at spaces. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
