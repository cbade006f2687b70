import type { EquityHistory, EquityPoint, EquityWindow } from "@propgate/contract";
import { DAY_MS, dollars, type UnixMs } from "@propgate/core";
import type { EquityFigures } from "@propgate/ledger";
import { LOSS_LIMIT_WORDS } from "../wire.ts";

/** The length of each window; null for the whole time since the account's opening. */
export const EQUITY_WINDOW_MS: Readonly<Record<EquityWindow, number | null>> = {
  "1D": DAY_MS,
  "1W": 7 * DAY_MS,
  "1M": 30 * DAY_MS,
  all: null,
};

/** The maximum number of points in an answer: a chart cannot show more. */
const POINTS_MAX = 500;

/** The input of an answer; each list is oldest first. */
export interface EquityHistoryParts {
  readonly window: EquityWindow;
  readonly startMs: UnixMs;
  /** When the account was eliminated or closed; null while it lives. */
  readonly endedAtMs: UnixMs | null;
  /** The newest recorded point at or before the start of the window; null when there is none. */
  readonly before: EquityFigures | null;
  /** The points that were recorded after the start of the window. */
  readonly points: readonly EquityFigures[];
  /** The opening and every midnight, from the journal: the values that the rules used. */
  readonly dayEnds: readonly EquityFigures[];
  /** The present figures; null when they are not known. */
  readonly present: EquityFigures | null;
}

/**
 * Merges recorded points, the journal's day ends and the present value. The answer begins with the value at the start
 * of the window, where it is known. When there are too many points, `thinnedPoints` drops some that are neither the
 * highest nor the lowest of their part of the window.
 */
export function equityHistory(parts: EquityHistoryParts): EquityHistory {
  const { window, startMs, endedAtMs } = parts;
  return {
    window,
    startMs,
    endedAtMs,
    points: thinnedPoints(mergedEquityPoints(parts)).map(pointView),
  };
}

/** All merged points of the window, even when they are more than an answer of `equityHistory` has; oldest first. */
export function equityPoints(parts: EquityHistoryParts): readonly EquityPoint[] {
  return mergedEquityPoints(parts).map(pointView);
}

function mergedEquityPoints(parts: EquityHistoryParts): readonly EquityFigures[] {
  const { startMs, before, points, dayEnds, present } = parts;
  const inside = [...points, ...dayEnds.filter(({ atMs }) => atMs > startMs)];
  const start = newestPoint([before, dayEnds.findLast(({ atMs }) => atMs <= startMs) ?? null]);
  const byTime = new Map<number, EquityFigures>();
  if (start !== null) byTime.set(startMs, { ...start, atMs: startMs });
  for (const point of inside) byTime.set(point.atMs, point);
  if (present !== null) byTime.set(present.atMs, present);
  return [...byTime.values()].sort((one, other) => one.atMs - other.atMs);
}

/** The newest of the points. When two have the same time, it is the later one in the list, which is the journal's. */
function newestPoint(found: readonly (EquityFigures | null)[]): EquityFigures | null {
  return found.reduce((best, one) => {
    if (one === null || best === null) return best ?? one;
    return one.atMs >= best.atMs ? one : best;
  }, null);
}

/**
 * The points themselves when there are at most `POINTS_MAX`. Otherwise the first and the last point, and the lowest and
 * the highest equity of each part between them; all parts have about the same number of points.
 */
function thinnedPoints(line: readonly EquityFigures[]): readonly EquityFigures[] {
  const [first] = line;
  const last = line.at(-1);
  if (first === undefined || last === undefined || line.length <= POINTS_MAX) return line;
  const between = line.slice(1, -1);
  const parts = Math.floor((POINTS_MAX - 2) / 2);
  const kept = Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * between.length) / parts);
    const to = Math.floor(((part + 1) * between.length) / parts);
    return extremePoints(between.slice(from, to));
  });
  return [first, ...kept.flat(), last];
}

/** The lowest and highest point in the order of time; only one when they are the same. */
function extremePoints(points: readonly EquityFigures[]): readonly EquityFigures[] {
  const [first, ...others] = points;
  if (first === undefined) return [];
  let low = first;
  let high = first;
  for (const point of others) {
    if (point.equity < low.equity) low = point;
    if (point.equity > high.equity) high = point;
  }
  if (low === high) return [low];
  return low.atMs < high.atMs ? [low, high] : [high, low];
}

function pointView({ atMs, equity, balance, floors }: EquityFigures): EquityPoint {
  return {
    atMs,
    equity: dollars(equity),
    balance: dollars(balance),
    floors: Object.fromEntries(
      floors.map(({ rule, floor }) => [LOSS_LIMIT_WORDS[rule].rule, dollars(floor)]),
    ),
  };
}
