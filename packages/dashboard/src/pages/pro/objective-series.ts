import type { Objective, ObjectiveDay, ObjectiveKey } from "@propgate/contract";
import { fixedText, percentText, plainText, UNKNOWN } from "../../format/numbers.ts";
import { dayText } from "../../format/times.ts";

/** The value of one objective on one day; null when it is unknown. */
export interface ObjectivePoint {
  readonly dayStartMs: number;
  readonly value: number | null;
}

const VALUE_OF: Readonly<Record<ObjectiveKey, (day: ObjectiveDay) => number | null>> = {
  return: (day) => day.returnRatio,
  calmar: (day) => day.calmar,
  consistency: (day) => day.consistency,
  days: (day) => day.tradingDays,
};

/** The values of one objective, one for each day. */
export function objectiveSeries(
  key: ObjectiveKey,
  days: readonly ObjectiveDay[],
): readonly ObjectivePoint[] {
  return days.map((day) => ({ dayStartMs: day.dayStartMs, value: VALUE_OF[key](day) }));
}

/** The value of an objective: a ratio as percent, the Calmar ratio as a number, days as a count. */
export function objectiveText(key: ObjectiveKey, value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  switch (key) {
    case "return":
    case "consistency":
      return percentText(value * 100);
    case "calmar":
      return fixedText(value, 2);
    case "days":
      return plainText(value);
  }
}

/** The threshold of an objective in words: `at least 6.00%`. */
export function thresholdText({ key, threshold, higherIsBetter }: Objective): string {
  if (threshold === null) return UNKNOWN;
  return `${higherIsBetter ? "at least" : "at most"} ${objectiveText(key, threshold)}`;
}

/** The content of the chart in words, for screen readers. */
export function seriesText(objective: Objective, points: readonly ObjectivePoint[]): string {
  const known = points.filter(({ value }) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  const { key, label } = objective;
  if (first === undefined || last === undefined) return `${label}: no day is known yet.`;
  const at = ({ dayStartMs, value }: ObjectivePoint): string =>
    `${objectiveText(key, value)} on ${dayText(dayStartMs)}`;
  const range = first === last ? at(last) : `from ${at(first)} to ${at(last)}`;
  return `${label}, day by day: ${range}; the objective is ${thresholdText(objective)}.`;
}

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** The lines of an objective's chart, in the units of the chart's size. */
export interface ChartShape {
  /** The SVG paths of the line. An unknown day leaves a gap, so each unbroken series of known days has its own path. */
  readonly lines: readonly string[];
  /** The position of the newest known day; null when no day is known. */
  readonly end: { readonly x: number; readonly y: number } | null;
  /** The y of the threshold; null while the threshold is unknown. */
  readonly thresholdY: number | null;
}

/**
 * The shape of the chart. Days go from left to right, values from bottom to top, and all values and the threshold fit
 * into the height.
 */
export function chartShape(
  points: readonly ObjectivePoint[],
  threshold: number | null,
  { width, height }: ChartSize,
): ChartShape {
  const values = [...points.map(({ value }) => value), threshold].filter((value) => value !== null);
  const low = Math.min(...values, 0);
  const high = Math.max(...values, 0);
  const span = high === low ? 1 : high - low;
  const yOf = (value: number): number => rounded(height - ((value - low) / span) * height);
  const xOf = (index: number): number =>
    points.length < 2 ? width : rounded((index / (points.length - 1)) * width);
  const lines: string[] = [];
  let end: ChartShape["end"] = null;
  let run: string[] = [];
  points.forEach(({ value }, index) => {
    if (value === null) {
      run = closedRuns(run, lines);
      return;
    }
    end = { x: xOf(index), y: yOf(value) };
    run.push(`${end.x} ${end.y}`);
  });
  closedRuns(run, lines);
  return { lines, end, thresholdY: threshold === null ? null : yOf(threshold) };
}

function closedRuns(run: readonly string[], lines: string[]): string[] {
  if (run.length > 0) lines.push(`M${run.join("L")}`);
  return [];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
