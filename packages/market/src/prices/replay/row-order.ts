import type { RowFault } from "./row-tally.ts";

/** The largest gap between two rows. A larger one is a typing error. */
const LONGEST_GAP_MS = 400 * 86_400_000;
/** How many rows are decided together. */
const COMPARED = 512;
/** How many rows after these are compared with them. They show which of two rows is the wrong one. */
const LOOKAHEAD = 64;

interface Timed {
  readonly timeMs: number;
}

/** Separates the rows whose time does not fit the rows around them. */
export interface RowOrder<Row extends Timed> {
  /** Takes the next rows of the file. Returns the rows that are decided and fit, which may be earlier ones. */
  addRows(rows: readonly Row[]): readonly Row[];
  /** Returns the remaining rows that fit. Call it at the end of the file. */
  finish(): readonly Row[];
}

export interface RowOrderOptions<Row> {
  /** True for quotes, which may have the same time and keep the order of the file. Bars must follow each other. */
  readonly mayShareTime: boolean;
  readonly onFault: (fault: RowFault, row: Row) => void;
}

/**
 * Keeps the longest run of rows that are in order of time. So a single row far ahead or far behind is skipped itself,
 * and does not make the rows after it unusable.
 */
export function createRowOrder<Row extends Timed>(options: RowOrderOptions<Row>): RowOrder<Row> {
  let waiting: Row[] = [];
  let last: Timed | null = null;
  const follows = (row: Timed, before: Timed): boolean => {
    const gapMs = row.timeMs - before.timeMs;
    return (gapMs > 0 || (gapMs === 0 && options.mayShareTime)) && gapMs <= LONGEST_GAP_MS;
  };

  const decide = (count: number): readonly Row[] => {
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
    while (waiting.length >= waitingMin) fitting.push(...decide(COMPARED));
    return fitting;
  };

  return {
    addRows(rows) {
      waiting = waiting.concat(rows);
      return decideWhile(COMPARED + LOOKAHEAD);
    },
    finish: () => decideWhile(1),
  };
}

interface Runs {
  /** The last row before these that fit; null when there is none. */
  readonly last: Timed | null;
  readonly follows: (row: Timed, before: Timed) => boolean;
}

/** The places of the longest run in which every row follows the row before it; of equally long runs the first. */
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

/** For each row the longest run that ends with it. Its length is 0 when no run can end there. */
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
