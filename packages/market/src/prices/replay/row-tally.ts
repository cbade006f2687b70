import type { MistakenUnit } from "@propgate/contract";
import type { SourceWarning } from "../port.ts";

/** Why a row of a price file was not used. */
export type RowFault =
  /** The row has too few or too many columns, or an empty one. */
  | "missing"
  /** A value is not a number within the bounds, or a time is invalid. */
  | "garbage"
  /** The time is in another unit than milliseconds. */
  | MistakenUnit
  /** A bid is above its ask somewhere in the row. */
  | "crossed"
  /** The high of a bar is not its highest price, or its low is not its lowest. */
  | "inconsistent"
  /** The time of the row does not fit the rows around it. */
  | "unordered"
  /** A bar has the time of the bar before it. */
  | "duplicateTime"
  /** The rest of the file cannot be read. */
  | "unreadable";

const WORDING: Readonly<Record<RowFault, string>> = {
  missing: "rows with missing or surplus columns skipped",
  garbage: "rows with invalid prices or times skipped",
  seconds: "rows skipped whose timeMs looks like seconds",
  microseconds: "rows skipped whose timeMs looks like microseconds",
  nanoseconds: "rows skipped whose timeMs looks like nanoseconds",
  crossed: "rows with a bid above the ask skipped",
  inconsistent: "bars whose high or low does not fit skipped",
  unordered: "rows whose time does not fit the rows around them skipped",
  duplicateTime: "bars with the time of the one before them skipped",
  unreadable: "the rest of the file cannot be read",
};

const VALUE_LENGTH_MAX = 60;

/** Where a fault was found: the line, and the wrong value or the whole row. */
export interface FaultPlace {
  readonly line: number;
  readonly value: string;
}

/** Counts the used and the skipped rows of a file. */
export interface RowTally {
  /** Counts rows that are used. */
  countUsed(count: number): void;
  /** Counts a row that is skipped, or the rest of the file that cannot be read. */
  countSkipped(fault: RowFault, place: FaultPlace): void;
  count(fault: RowFault): number;
  /** One warning for each kind of fault, with the line and value of its first occurrence. */
  warnings(): readonly SourceWarning[];
  /**
   * Why the file as a whole is refused, in words. Null when its end could be read and at most this percentage of its
   * rows was skipped.
   */
  refusal(maxUnusablePct: number): string | null;
}

export function createRowTally(file: string): RowTally {
  const counts = new Map<RowFault, { count: number; first: FaultPlace }>();
  let used = 0;
  const inOrder = () => [...counts].sort(([, a], [, b]) => a.first.line - b.first.line);
  return {
    countUsed(count) {
      used += count;
    },
    countSkipped(fault, place) {
      const seen = counts.get(fault);
      if (seen === undefined) {
        counts.set(fault, { count: 1, first: place });
        return;
      }
      seen.count += 1;
      if (place.line < seen.first.line) seen.first = place;
    },
    count: (fault) => counts.get(fault)?.count ?? 0,
    warnings: () =>
      inOrder().map(([fault, { count, first }]) => ({
        source: file,
        reason: WORDING[fault],
        count,
        first: `${file}:${first.line}: ${shownValue(first.value)}`,
      })),
    refusal(maxUnusablePct) {
      const cut = counts.get("unreadable");
      if (cut !== undefined) {
        const { line, value } = cut.first;
        return `${file}: ${WORDING.unreadable}, from line ${line}: ${shownValue(value)}`;
      }
      const skipped = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
      const rows = used + skipped;
      if (skipped * 100 <= maxUnusablePct * rows) return null;
      const reasons = inOrder().map(
        ([fault, { count, first }]) =>
          `${count} ${WORDING[fault]} (first: line ${first.line}: ${shownValue(first.value)})`,
      );
      const share = used === 0 ? "no row can be used" : `${skipped} of ${rows} rows cannot be used`;
      const [worst = ""] = reasons.slice(0, 1);
      const more = reasons.length === 1 ? "" : `, and ${reasons.length - 1} other reasons`;
      return `${file}: ${share}, and at most ${maxUnusablePct} % may be unusable: ${worst}${more}`;
    },
  };
}

/** A value as messages show it: shortened, and without characters that a terminal could interpret. */
export function shownValue(value: string): string {
  const text = value.slice(0, VALUE_LENGTH_MAX).replace(/[^ -~]/g, "?");
  return value.length > VALUE_LENGTH_MAX ? `${text}...` : text;
}
