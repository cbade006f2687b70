import type { AccountStateView, EquityPoint } from "@propgate/contract";
import { hasEnded } from "../../live/near-limit.ts";

/** The present point of the account. Null for an account that has ended, and while the account cannot be valued. */
export function livePoint(state: AccountStateView | null): EquityPoint | null {
  const account = state?.account ?? null;
  if (state === null || account === null || hasEnded(state)) return null;
  const { currentEquity: equity, currentBalance: balance } = account.account;
  if (equity === null || balance === null) return null;
  const limits = account.drawdownRules?.limits ?? [];
  const floors = limits.flatMap(({ rule, floor }) => (floor === null ? [] : [[rule, floor]]));
  return { atMs: state.generatedAtMs, equity, balance, floors: Object.fromEntries(floors) };
}

/** All known points, oldest first. The live point comes last, unless the history has a newer one. */
export function knownPoints(
  history: readonly EquityPoint[],
  live: EquityPoint | null,
): readonly EquityPoint[] {
  const last = history.at(-1);
  return live === null || (last !== undefined && live.atMs < last.atMs)
    ? history
    : [...history, live];
}

/** A point with its position on the chart's grid of equal time steps. */
export interface DrawnPoint {
  /** The beginning of the time step in Unix seconds, a multiple of the step's length. */
  readonly second: number;
  readonly point: EquityPoint;
}

/**
 * Puts the points on a grid of equal steps. The chart gives every point the same width, so without the grid an hour of
 * trading would look longer than a quiet week. A step with several points shows the one with the lowest equity, because
 * the limits use it; the last step shows the newest point instead. A step without a point repeats the newest point
 * before it.
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
    const inStep = steps.get(at);
    const point = inStep === undefined ? held : at === stepAt(last) ? last : lowestOf(inStep, held);
    drawn.push({ second: at * step, point });
    held = inStep?.at(-1) ?? held;
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

/** The steps that a grid can have, in seconds. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 30],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
];

/** The maximum number of steps. With more, each would be narrower than about two pixels. */
const STEPS_MAX = 600;

/** The step of the grid in seconds: one of `STEPS`, or whole days when every step in `STEPS` is too short. */
function stepOf(spanMs: number): number {
  const stepMin = spanMs / 1000 / STEPS_MAX;
  return STEPS.find((step) => step >= stepMin) ?? Math.ceil(stepMin / DAY) * DAY;
}

export interface EquitySummary {
  readonly first: EquityPoint;
  readonly last: EquityPoint;
  readonly lowest: EquityPoint;
  readonly highest: EquityPoint;
}

/** The first, last, lowest and highest of the points; null without points. */
export function equitySummary(points: readonly EquityPoint[]): EquitySummary | null {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const lowest = lowestOf(points, first);
  const highest = points.reduce((high, point) => (point.equity > high.equity ? point : high));
  return { first, last, lowest, highest };
}
