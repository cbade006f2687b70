import type { EquityHistory, EquityPoint, EquityWindow } from "@propgate/contract";
import { DAY_MS, dollars, type UnixMs } from "@propgate/core";
import type { EquityFigures } from "../../equity/equity-figures.ts";

/** Null: since the account was opened. */
export const WINDOW_MS: Readonly<Record<EquityWindow, number | null>> = {
  "1D": DAY_MS,
  "1W": 7 * DAY_MS,
  "1M": 30 * DAY_MS,
  all: null,
};

/** More than a chart has room for. */
const POINTS_MAX = 500;

/** What an answer is made of; each list is oldest first. */
export interface EquityParts {
  readonly window: EquityWindow;
  readonly startMs: UnixMs;
  /** The newest that was written down at or before the start; null: nothing was. */
  readonly before: EquityFigures | null;
  /** Written down behind the start. */
  readonly points: readonly EquityFigures[];
  /** The opening and every midnight, from the journal: what the network itself went by. */
  readonly dayEnds: readonly EquityFigures[];
  /** Null while it is unknown. */
  readonly present: EquityFigures | null;
}

/**
 * One line from what was written down, the journal's day ends and the present. It begins with what
 * stood when the window begins, and keeps the highs and lows where there are too many points.
 */
export function equityHistory(parts: EquityParts): EquityHistory {
  const { window, startMs, before, points, dayEnds, present } = parts;
  const inside = [...points, ...dayEnds.filter(({ atMs }) => atMs > startMs)];
  const start = newest([before, dayEnds.findLast(({ atMs }) => atMs <= startMs) ?? null]);
  const byTime = new Map<number, EquityFigures>();
  if (start !== null) byTime.set(startMs, { ...start, atMs: startMs });
  for (const point of inside) byTime.set(point.atMs, point);
  if (present !== null) byTime.set(present.atMs, present);
  const line = [...byTime.values()].sort((one, other) => one.atMs - other.atMs);
  return { window, startMs, points: thinned(line).map(pointView) };
}

/** Of two at the same moment the journal's. */
function newest(found: readonly (EquityFigures | null)[]): EquityFigures | null {
  return found.reduce((best, one) => {
    if (one === null || best === null) return best ?? one;
    return one.atMs >= best.atMs ? one : best;
  }, null);
}

/** The first, the last, and of equal parts of what is between them the lowest and the highest. */
function thinned(line: readonly EquityFigures[]): readonly EquityFigures[] {
  const [first] = line;
  const last = line.at(-1);
  if (first === undefined || last === undefined || line.length <= POINTS_MAX) return line;
  const between = line.slice(1, -1);
  const parts = Math.floor((POINTS_MAX - 2) / 2);
  const kept = Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * between.length) / parts);
    const to = Math.floor(((part + 1) * between.length) / parts);
    return extremes(between.slice(from, to));
  });
  return [first, ...kept.flat(), last];
}

/** The lowest and the highest, in the order of time; one where they are the same. */
function extremes(points: readonly EquityFigures[]): readonly EquityFigures[] {
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

function pointView(point: EquityFigures): EquityPoint {
  const { atMs, dailyFloor, maxFloor } = point;
  return {
    atMs,
    equity: dollars(point.equity),
    balance: dollars(point.balance),
    dailyFloor: dailyFloor === null ? null : dollars(dailyFloor),
    maxFloor: maxFloor === null ? null : dollars(maxFloor),
  };
}
