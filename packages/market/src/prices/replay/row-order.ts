import type { RowFault } from "./row-tally.ts";

/** A larger gap between rows is a typing error. */
const LONGEST_GAP_MS = 400 * 86_400_000;
/** How many rows are compared with each other. */
const COMPARED = 512;
/** How many rows behind these are compared too: they show which of two rows is the wrong one. */
const LOOKAHEAD = 64;

interface Timed {
  readonly timeMs: number;
}

/** Puts aside the rows whose time does not fit the rows around them. */
export interface RowOrder<Row extends Timed> {
  /** Takes the next rows of the file and returns those that are decided and fit. */
  take(rows: readonly Row[]): readonly Row[];
  /** The file is over: returns the rest. */
  end(): readonly Row[];
}

export interface RowOrderOptions<Row> {
  /** Bars follow each other by time; quotes may share one, and keep the order of the file. */
  readonly mayShareTime: boolean;
  readonly onFault: (fault: RowFault, row: Row) => void;
}

/**
 * Keeps the longest run of rows that are in order of time. So one row far ahead, or far behind, is skipped itself, and
 * never makes those after it unusable.
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
    take(rows) {
      waiting = waiting.concat(rows);
      return decideWhile(COMPARED + LOOKAHEAD);
    },
    end: () => decideWhile(1),
  };
}

interface Runs {
  /** The row before these. */
  readonly last: Timed | null;
  readonly follows: (row: Timed, before: Timed) => boolean;
}

/** The places of the longest run in which every row follows the one before it; of equal ones, the earliest. */
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

/** The longest run that ends with each row; its length is 0 where none does. */
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
