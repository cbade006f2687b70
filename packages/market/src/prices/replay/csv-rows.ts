import { streamLines } from "./line-stream.ts";
import { PriceFileError } from "./price-file-error.ts";
import type { RowFault, RowTally } from "./row-tally.ts";

/** The kind of a file's rows: two-sided quotes, two-sided bars, or bars of one price. */
export type RowShape = keyof typeof COLUMNS;

/** The columns of each shape after `timeMs`, in the order in which `PriceRow.values` has them. */
const COLUMNS = {
  quoteTicks: ["bid", "ask"],
  quoteBars: [
    "bidOpen",
    "bidHigh",
    "bidLow",
    "bidClose",
    "askOpen",
    "askHigh",
    "askLow",
    "askClose",
  ],
  priceBars: ["open", "high", "low", "close"],
} as const;

const TIME = "timeMs";
/** A larger gap between rows is a typing error, which would void all later rows. */
const LONGEST_GAP_MS = 400 * 86_400_000;
/** Higher prices are typing errors too; no position could be valued at them. */
const PRICE_MIN = 1e-9;
const PRICE_MAX = 1e9;
/** 2100-01-01: no recording is later. */
const LATEST_MS = 4_102_444_800_000;

export interface PriceRow {
  readonly timeMs: number;
  /** Above zero, in the order of the shape's columns. */
  readonly values: readonly number[];
}

export interface CsvRows {
  readonly shape: RowShape;
  /** Valid rows in order of time, streamed in groups; the tally counts all others. */
  readonly groups: AsyncIterable<readonly PriceRow[]>;
}

/**
 * Opens a price file and reads its header. Throws a `PriceFileError` when the file cannot be read,
 * is empty, or has a column that is unknown or missing. Rows that cannot be used never throw.
 */
export async function openCsvRows(path: string, tally: RowTally): Promise<CsvRows> {
  const lines = streamLines(path);
  const first = await lines.next();
  const [head, ...rest] = first.done === true ? [""] : first.value;
  const names = (head ?? "")
    .replace(/^\uFEFF/, "")
    .split(",")
    .map((name) => name.trim());
  const shape = shapeOf(path, names);
  const at = [TIME, ...COLUMNS[shape]].map((column) => names.indexOf(column));
  return { shape, groups: goodRows({ path, lines, rest, shape, at, tally }) };
}

function shapeOf(path: string, names: readonly string[]): RowShape {
  if (names.join("") === "")
    throw new PriceFileError(`${path}: the file is empty, it has no header`);
  const known = new Set<string>([TIME, ...Object.values(COLUMNS).flat()]);
  for (const [index, name] of names.entries()) {
    if (!known.has(name))
      throw new PriceFileError(`${path}: unknown column "${shown(name)}" in the header`);
    if (names.indexOf(name) !== index) {
      throw new PriceFileError(`${path}: column "${name}" appears twice in the header`);
    }
  }
  const shape = closestShape(names);
  const missing = [TIME, ...COLUMNS[shape]].find((column) => !names.includes(column));
  if (missing !== undefined) {
    throw new PriceFileError(`${path}: column "${missing}" is missing in the header`);
  }
  const surplus = names.find((name) => name !== TIME && !isColumn(shape, name));
  if (surplus !== undefined) {
    throw new PriceFileError(`${path}: column "${surplus}" does not fit the other columns`);
  }
  return shape;
}

/** Binary data must not reach the terminal. */
function shown(name: string): string {
  return name.slice(0, 40).replace(/[^ -~]/g, "?");
}

/** The shape that matches most columns of the header, so that the error names the right column. */
function closestShape(names: readonly string[]): RowShape {
  const score = (shape: RowShape) => names.filter((name) => isColumn(shape, name)).length;
  const shapes: readonly RowShape[] = ["quoteTicks", "quoteBars", "priceBars"];
  return shapes.reduce((best, shape) => (score(shape) > score(best) ? shape : best));
}

function isColumn(shape: RowShape, name: string): boolean {
  return COLUMNS[shape].some((column) => column === name);
}

interface Reading {
  readonly path: string;
  readonly lines: AsyncGenerator<readonly string[]>;
  readonly rest: readonly string[];
  readonly shape: RowShape;
  /** The position of `timeMs` and of each of the shape's columns in a line. */
  readonly at: readonly number[];
  readonly tally: RowTally;
}

async function* goodRows(reading: Reading): AsyncGenerator<readonly PriceRow[]> {
  let line = 1;
  let previousMs: number | null = null;
  const take = (texts: readonly string[]): readonly PriceRow[] => {
    const rows: PriceRow[] = [];
    for (const text of texts) {
      line += 1;
      if (text.trim() === "") continue;
      const row = parseRow(text, reading);
      const fault = typeof row === "string" ? row : timeFault(row.timeMs, previousMs);
      if (fault !== null) {
        reading.tally.add(fault, line);
      } else if (typeof row !== "string") {
        previousMs = row.timeMs;
        rows.push(row);
      }
    }
    return rows;
  };
  yield take(reading.rest);
  try {
    for await (const texts of reading.lines) yield take(texts);
  } catch (cause) {
    // The header was valid, so a source already reads this file: it ends with a warning.
    if (!(cause instanceof PriceFileError)) throw cause;
    reading.tally.add("unreadable", line + 1);
  }
}

function parseRow(text: string, reading: Reading): PriceRow | RowFault {
  const cells = text.split(",");
  if (cells.length !== reading.at.length) return "missing";
  const values: number[] = [];
  let timeMs = 0;
  for (const [index, at] of reading.at.entries()) {
    const cell = (cells[at] ?? "").trim();
    if (cell === "") return "missing";
    const value = index === 0 ? timeOf(cell) : priceOf(cell);
    if (value === null) return "garbage";
    if (index === 0) timeMs = value;
    else values.push(value);
  }
  return priceFault(reading.shape, values) ?? { timeMs, values };
}

function timeOf(cell: string): number | null {
  if (!/^\d{1,15}$/.test(cell)) return null;
  const value = Number(cell);
  return value <= LATEST_MS ? value : null;
}

function priceOf(cell: string): number | null {
  if (!/^\d+(\.\d*)?([eE][+-]?\d{1,2})?$/.test(cell)) return null;
  const value = Number(cell);
  return value >= PRICE_MIN && value <= PRICE_MAX ? value : null;
}

function timeFault(timeMs: number, previousMs: number | null): RowFault | null {
  if (previousMs === null) return null;
  if (timeMs === previousMs) return "duplicateTime";
  if (timeMs < previousMs) return "unordered";
  return timeMs - previousMs > LONGEST_GAP_MS ? "garbage" : null;
}

function priceFault(shape: RowShape, values: readonly number[]): RowFault | null {
  switch (shape) {
    case "quoteTicks":
      return isCrossed(values.slice(0, 1), values.slice(1)) ? "crossed" : null;
    case "quoteBars": {
      const bids = values.slice(0, 4);
      const asks = values.slice(4);
      if (isCrossed(bids, asks)) return "crossed";
      return isBar(bids) && isBar(asks) ? null : "inconsistent";
    }
    case "priceBars":
      return isBar(values) ? null : "inconsistent";
  }
}

function isCrossed(bids: readonly number[], asks: readonly number[]): boolean {
  return bids.some((bid, index) => bid > (asks[index] ?? 0));
}

function isBar(values: readonly number[]): boolean {
  const [open = 0, high = 0, low = 0, close = 0] = values;
  return high >= Math.max(open, low, close) && low <= Math.min(open, close);
}
