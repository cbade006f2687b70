import type { SourceWarning } from "../port.ts";

/** Why a row of a price file was not used. */
export type RowFault =
  /** Too few or too many columns, or an empty one. */
  | "missing"
  /** A value that is not a number above zero, or an invalid time. */
  | "garbage"
  /** Bid above ask somewhere in the row. */
  | "crossed"
  /** A bar whose high is not its highest or whose low is not its lowest price. */
  | "inconsistent"
  /** Earlier than the row before it. */
  | "unordered"
  /** The time of the row before it. */
  | "duplicateTime"
  /** The rest of the file cannot be read. */
  | "unreadable";

const WORDING: Readonly<Record<RowFault, string>> = {
  missing: "rows with missing or surplus columns skipped",
  garbage: "rows with invalid prices or times skipped",
  crossed: "rows with a bid above the ask skipped",
  inconsistent: "bars whose high or low does not fit skipped",
  unordered: "rows earlier than the one before them skipped",
  duplicateTime: "rows with the time of the one before them skipped",
  unreadable: "the rest of the file cannot be read",
};

/** Counts the rows that a file's reader skipped: one summary for all of them. */
export interface RowTally {
  add(fault: RowFault, line: number): void;
  count(fault: RowFault): number;
  warnings(): readonly SourceWarning[];
}

export function createRowTally(file: string): RowTally {
  const counts = new Map<RowFault, { count: number; readonly firstLine: number }>();
  return {
    add(fault, line) {
      const seen = counts.get(fault);
      if (seen === undefined) counts.set(fault, { count: 1, firstLine: line });
      else seen.count += 1;
    },
    count: (fault) => counts.get(fault)?.count ?? 0,
    warnings: () =>
      [...counts].map(([fault, { count, firstLine }]) => ({
        source: file,
        reason: WORDING[fault],
        count,
        first: `${file}:${firstLine}`,
      })),
  };
}
