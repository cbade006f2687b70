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

/**
 * What is drawn: one point a second at most, each later than the one before, as the chart asks for;
 * of several in one second the last, and the present at the end.
 */
export function drawnPoints(
  history: readonly EquityPoint[],
  live: EquityPoint | null,
): readonly EquityPoint[] {
  const drawn: EquityPoint[] = [];
  for (const point of live === null ? history : [...history, live]) {
    const last = drawn.at(-1);
    if (last !== undefined && point.atMs < last.atMs) continue;
    if (last !== undefined && secondOf(last) === secondOf(point)) drawn.pop();
    drawn.push(point);
  }
  return drawn;
}

export function secondOf({ atMs }: Pick<EquityPoint, "atMs">): number {
  return Math.floor(atMs / 1000);
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
  const lowest = points.reduce((low, point) => (point.equity < low.equity ? point : low));
  const highest = points.reduce((high, point) => (point.equity > high.equity ? point : high));
  return { first, last, lowest, highest };
}
