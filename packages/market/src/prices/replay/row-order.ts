import type { RowFault } from "./row-tally.ts";

/** The largest gap between two rows. A larger one is a typing error. */
const LONGEST_GAP_MS = 400 * 86_400_000;
/** The number of rows that are accepted or skipped in one step. */
const ROWS_PER_STEP = 512;
/** The number of later rows that a step compares with its own. They show which of two rows is the wrong one. */
const LOOKAHEAD = 64;

interface Timed {
  readonly timeMs: number;
}

/** Separates the rows whose time does not fit the rows around them. */
export interface RowOrder<Row extends Timed> {
  /** Takes the next rows of the file. Returns the accepted rows, which may come from earlier calls. */
  addRows(rows: readonly Row[]): readonly Row[];
  /** Returns the remaining accepted rows. Call it at the end of the file. */
  finish(): readonly Row[];
}

export interface RowOrderOptions<Row> {
  /** True for quotes, which may have the same time and keep the order of the file. Bars must follow each other. */
  readonly mayShareTime: boolean;
  readonly onFault: (fault: RowFault, row: Row) => void;
}

/**
 * Accepts the longest series of rows that are in order of time. So a single row with a time far ahead or far behind is
 * skipped, and does not make the rows after it unusable.
 */
export function createRowOrder<Row extends Timed>(options: RowOrderOptions<Row>): RowOrder<Row> {
  let waiting: Row[] = [];
  let last: Timed | null = null;
  const follows = (row: Timed, before: Timed): boolean => {
    const gapMs = row.timeMs - before.timeMs;
    return (gapMs > 0 || (gapMs === 0 && options.mayShareTime)) && gapMs <= LONGEST_GAP_MS;
  };

  const acceptRows = (count: number): readonly Row[] => {
    const compared = waiting.slice(0, count + LOOKAHEAD);
    const run = longestRun(compared, { last, follows });
    const fitting: Row[] = [];
    for (const [index, row] of compared.slice(0, count).entries()) {
      if (run.has(index)) {
        fitting.push(row);
        last = row;
      } else {
        options.onFault(row.timeMs === last?.timeMs ? "duplicateTime" : "unordered", row);
      }
    }
    waiting = waiting.slice(count);
    return fitting;
  };
  const decideWhile = (waitingMin: number): readonly Row[] => {
    const fitting: Row[] = [];
    while (waiting.length >= waitingMin) fitting.push(...acceptRows(ROWS_PER_STEP));
    return fitting;
  };

  return {
    addRows(rows) {
      waiting = waiting.concat(rows);
      return decideWhile(ROWS_PER_STEP + LOOKAHEAD);
    },
    finish: () => decideWhile(1),
  };
}

interface Runs {
  /** The last accepted row; null when there is none. */
  readonly last: Timed | null;
  readonly follows: (row: Timed, before: Timed) => boolean;
}

/** The indexes of the longest series in which every row follows the previous one; of equally long series the first. */
function longestRun(rows: readonly Timed[], { last, follows }: Runs): ReadonlySet<number> {
  const isInOrder = rows.every((row, at) => {
    const before = rows[at - 1] ?? last;
    return before === null || follows(row, before);
  });
  if (isInOrder) return new Set(rows.keys());
  const ends = runEnds(rows, { last, follows });
  let best = -1;
  for (const [at, { length }] of ends.entries()) {
    if (length > (ends[best]?.length ?? 0)) best = at;
  }
  const run = new Set<number>();
  for (let at = best; at >= 0; at = ends[at]?.before ?? -1) run.add(at);
  return run;
}

interface RunEnd {
  readonly row: Timed;
  readonly length: number;
  readonly before: number;
}

/** Finds for each row the longest series that ends with it. The length is 0 when no series can end with the row. */
function runEnds(rows: readonly Timed[], { last, follows }: Runs): readonly RunEnd[] {
  const ends: RunEnd[] = [];
  for (const row of rows) {
    const isFirst = last === null || follows(row, last);
    let end: RunEnd = { row, length: isFirst ? 1 : 0, before: -1 };
    for (const [before, { row: one, length }] of ends.entries()) {
      if (length > 0 && length >= end.length && follows(row, one)) {
        end = { row, length: length + 1, before };
      }
    }
    ends.push(end);
  }
  return ends;
}
