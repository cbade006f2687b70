import type { AccountStateView, EquityPoint } from "@propgate/contract";
import { floorOf } from "./limit-words.ts";

/** The account as it is now, as a point; null while what is open cannot be valued. */
export function livePoint(state: AccountStateView | null): EquityPoint | null {
  const account = state?.account ?? null;
  if (state === null || account === null) return null;
  const rules = account.evaluation.isEliminated ? null : account.drawdownRules;
  return {
    atMs: state.generatedAtMs,
    equity: account.account.currentEquity,
    balance: account.account.currentBalance,
    dailyFloor:
      rules === null ? null : floorOf(rules.dailyLoss.dayStartEquity, rules.dailyLoss.limitPct),
    maxFloor: rules === null ? null : floorOf(rules.maxLoss.anchorEquity, rules.maxLoss.limitPct),
  };
}

/** What is known, oldest first, the present at the end unless the history is newer. */
export function knownPoints(
  history: readonly EquityPoint[],
  live: EquityPoint | null,
): readonly EquityPoint[] {
  const last = history.at(-1);
  return live === null || (last !== undefined && live.atMs < last.atMs)
    ? history
    : [...history, live];
}

/** A point on the grid of the chart. */
export interface DrawnPoint {
  /** Unix seconds, a whole number of steps. */
  readonly second: number;
  readonly point: EquityPoint;
}

/**
 * The chart gives every point the same room, so points are put on a grid of equal steps: else an
 * hour of trading would look longer than a week of none. In a step with several points the lowest
 * equity is drawn, for it is what the limits look at; in one without any nothing moved. The present
 * is always drawn as it is.
 */
export function drawnPoints(points: readonly EquityPoint[]): readonly DrawnPoint[] {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const step = stepOf(last.atMs - first.atMs);
  const stepAt = ({ atMs }: EquityPoint): number => Math.floor(atMs / 1000 / step);
  const steps = Map.groupBy(points, stepAt);
  const drawn: DrawnPoint[] = [];
  let held = first;
  for (let at = stepAt(first); at <= stepAt(last); at += 1) {
    const here = steps.get(at);
    const point = here === undefined ? held : at === stepAt(last) ? last : lowestOf(here, held);
    drawn.push({ second: at * step, point });
    held = here?.at(-1) ?? held;
  }
  return drawn;
}

function lowestOf(points: readonly EquityPoint[], otherwise: EquityPoint): EquityPoint {
  const [first = otherwise, ...others] = points;
  return others.reduce((low, point) => (point.equity < low.equity ? point : low), first);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds that people count in. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 30],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
];

/** More than this many steps would be narrower than a pixel or two. */
const STEPS_MAX = 600;

/** Seconds in a step of the grid; whole days for what is longer than the list. */
function stepOf(spanMs: number): number {
  const least = spanMs / 1000 / STEPS_MAX;
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY;
}

export interface EquitySummary {
  readonly first: EquityPoint;
  readonly last: EquityPoint;
  readonly lowest: EquityPoint;
  readonly highest: EquityPoint;
}

export function equitySummary(points: readonly EquityPoint[]): EquitySummary | null {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const lowest = lowestOf(points, first);
  const highest = points.reduce((high, point) => (point.equity > high.equity ? point : high));
  return { first, last, lowest, highest };
}
