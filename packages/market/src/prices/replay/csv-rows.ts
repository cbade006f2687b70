import { isTimeMs, mistakenUnit } from "@propgate/contract";
import { streamLines } from "./line-stream.ts";
import { PriceFileError } from "./price-file-error.ts";
import { createRowOrder } from "./row-order.ts";
import { type RowFault, type RowTally, shownValue } from "./row-tally.ts";

/** The shape of a file's rows: quotes, bars of bids and asks, or bars of one price. */
export type RowShape = keyof typeof COLUMNS;

/** The columns of each shape beside `timeMs`, in the order of `PriceRow.values`. */
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
/** The bounds of a price. Prices beyond them are typing errors, and no position could be valued at them. */
const PRICE_MIN = 1e-9;
const PRICE_MAX = 1e9;

/** A valid row of a price file: its time and its prices. */
export interface PriceRow {
  readonly timeMs: number;
  /** The prices in the order of the shape's columns, all above zero. */
  readonly values: readonly number[];
}

/** An open price file: the shape of its rows, and the rows themselves. */
export interface CsvRows {
  readonly shape: RowShape;
  /** The valid rows in the order of time, streamed in groups. The tally counts all other rows. */
  readonly groups: AsyncIterable<readonly PriceRow[]>;
}

/**
 * Opens a price file and reads its header. Throws a `PriceFileError` when the file cannot be read, is empty, or has a
 * column that is unknown, missing, repeated or surplus. Rows that cannot be used never throw.
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
  return { shape, groups: usableRows({ path, lines, rest, shape, at, tally }) };
}

function shapeOf(path: string, names: readonly string[]): RowShape {
  if (names.join("") === "")
    throw new PriceFileError(`${path}: the file is empty, it has no header`);
  for (const [index, name] of names.entries()) {
    if (!KNOWN.has(name)) throw new PriceFileError(`${path}: ${unknownColumn(name)}`);
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

const KNOWN: ReadonlySet<string> = new Set([TIME, ...Object.values(COLUMNS).flat()]);

/**
 * The problem of an unknown column in words. It recognizes the usual mistakes: another separator, no header, quotation
 * marks, another case, a comma at the end.
 */
function unknownColumn(name: string): string {
  const [separator] = /[;\t|]/.exec(name) ?? [];
  if (separator !== undefined) {
    return `the header's columns are separated by ${JSON.stringify(separator)}; separate them with commas`;
  }
  if (/^["']?[-\d]/.test(name)) {
    return `the first line is a row; begin the file with a header such as ${TIME},bid,ask`;
  }
  if (name === "") return "a column of the header has no name; remove the surplus comma";
  const unknown = `unknown column "${shownValue(name)}" in the header`;
  const plain = name.replace(/^(["'])(.*)\1$/, "$2").toLowerCase();
  const meant = [...KNOWN].find((one) => one.toLowerCase() === plain);
  return meant === undefined
    ? `${unknown}; beside ${TIME} a file has bid and ask, or open, high, low and close, or bidOpen to askClose`
    : `${unknown}; write it as ${meant}`;
}

/** The shape that has most of the header's columns, so that the error names the right column. */
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
  /** The positions of `timeMs` and of the shape's columns in a line. */
  readonly at: readonly number[];
  readonly tally: RowTally;
}

/** A row with its line number and with the text of its time. */
interface PlacedRow extends PriceRow {
  readonly line: number;
  readonly value: string;
}

/** A row that cannot be used, with the wrong cell or the whole line. */
interface BadRow {
  readonly fault: RowFault;
  readonly value: string;
}

/**
 * Yields the usable rows of a file in groups. Counts the used rows and each other row in the tally. Empty lines are no
 * rows.
 */
async function* usableRows(reading: Reading): AsyncGenerator<readonly PriceRow[]> {
  const { tally } = reading;
  const order = createRowOrder<PlacedRow>({
    mayShareTime: reading.shape === "quoteTicks",
    onFault: (fault, row) => tally.countSkipped(fault, row),
  });
  const used = (rows: readonly PlacedRow[]): readonly PriceRow[] => {
    tally.countUsed(rows.length);
    return rows;
  };
  let line = 1;
  const take = (texts: readonly string[]): readonly PriceRow[] => {
    const rows: PlacedRow[] = [];
    for (const text of texts) {
      line += 1;
      if (text.trim() === "") continue;
      const row = parseRow(text, reading);
      if ("fault" in row) tally.countSkipped(row.fault, { line, value: row.value });
      else rows.push({ ...row, line, value: String(row.timeMs) });
    }
    return used(order.addRows(rows));
  };
  yield take(reading.rest);
  try {
    for await (const texts of reading.lines) yield take(texts);
  } catch (cause) {
    // The header was valid, so the fault is counted like those of rows instead of thrown.
    if (!(cause instanceof PriceFileError)) throw cause;
    const value = cause.message.slice(reading.path.length + 2);
    tally.countSkipped("unreadable", { line: line + 1, value });
  }
  yield used(order.finish());
}

function parseRow(text: string, reading: Reading): PriceRow | BadRow {
  const cells = text.split(",");
  if (cells.length !== reading.at.length) return { fault: "missing", value: text };
  const values: number[] = [];
  let timeMs = 0;
  for (const [index, at] of reading.at.entries()) {
    const cell = (cells[at] ?? "").trim();
    if (cell === "") return { fault: "missing", value: text };
    const value = index === 0 ? parseTime(cell) : (parsePrice(cell) ?? "garbage");
    if (typeof value === "string") return { fault: value, value: cell };
    if (index === 0) timeMs = value;
    else values.push(value);
  }
  const fault = priceFault(reading.shape, values);
  return fault === null ? { timeMs, values } : { fault, value: text };
}

function parseTime(cell: string): number | RowFault {
  if (!/^\d{1,20}$/.test(cell)) return "garbage";
  const value = Number(cell);
  return isTimeMs(value) ? value : (mistakenUnit(value) ?? "garbage");
}

function parsePrice(cell: string): number | null {
  if (!/^\d+(\.\d*)?([eE][+-]?\d{1,2})?$/.test(cell)) return null;
  const value = Number(cell);
  return value >= PRICE_MIN && value <= PRICE_MAX ? value : null;
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
