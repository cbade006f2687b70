import { ACCOUNT_ELIMINATED, ACCOUNT_STATIC, type EquityPoint } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { drawnPoints, equitySummary, knownPoints, livePoint } from "./equity-series.ts";

const at = (atMs: number, equity: number): EquityPoint => ({
  atMs,
  equity,
  balance: 100_000,
  dailyFloor: 95_000,
  maxFloor: null,
});

const STATE = {
  version: 7,
  generatedAtMs: 1_767_780_000_000,
  account: ACCOUNT_STATIC,
  positions: [],
  orders: [],
  markets: [],
  trades: 2,
};

describe("points of the equity chart", () => {
  test("the present has the floors of the limits", () => {
    expect(livePoint(STATE)).toEqual({
      atMs: 1_767_780_000_000,
      equity: 100_968.2,
      balance: 100_468.2,
      dailyFloor: 95_457.615,
      maxFloor: 95_000,
    });
  });

  test("an account that has ended has no floors", () => {
    const point = livePoint({ ...STATE, account: ACCOUNT_ELIMINATED });
    expect(point).toMatchObject({ dailyFloor: null, maxFloor: null });
  });

  test("what cannot be valued is no point", () => {
    expect(livePoint(null)).toBeNull();
    expect(livePoint({ ...STATE, account: null })).toBeNull();
  });

  test("the present comes last, unless the history is newer", () => {
    expect(knownPoints([at(1_000, 1)], at(2_000, 2))).toEqual([at(1_000, 1), at(2_000, 2)]);
    expect(knownPoints([at(5_000, 1)], at(2_000, 2))).toEqual([at(5_000, 1)]);
    expect(knownPoints([at(1_000, 1)], null)).toEqual([at(1_000, 1)]);
    expect(knownPoints([], at(2_000, 2))).toEqual([at(2_000, 2)]);
  });

  test("every step of the grid has one, and where nothing moved the last holds", () => {
    const drawn = drawnPoints([at(1_000, 1), at(3_500, 4), at(6_000, 2)]);
    expect(drawn.map(({ second, point }) => [second, point.equity])).toEqual([
      [1, 1],
      [2, 1],
      [3, 4],
      [4, 4],
      [5, 4],
      [6, 2],
    ]);
  });

  test("of several in a step the lowest is drawn, the last holds on, the present is itself", () => {
    const points = [at(1_000, 5), at(2_100, 3), at(2_900, 7), at(4_100, 1), at(4_200, 6)];
    expect(drawnPoints(points).map(({ point }) => point.equity)).toEqual([5, 3, 7, 6]);
  });

  test.each([
    ["a day", 86_400_000, 180],
    ["a week", 7 * 86_400_000, 1_200],
    ["a month", 30 * 86_400_000, 2 * 3_600],
    ["ten years", 3_650 * 86_400_000, 7 * 86_400],
  ])("%s (%d ms) has a step of %d s", (_name, spanMs, step) => {
    const drawn = drawnPoints([at(0, 1), at(spanMs, 2)]);
    expect((drawn[1]?.second ?? 0) - (drawn[0]?.second ?? 0)).toBe(step);
    expect(drawn.length).toBeLessThanOrEqual(602);
  });

  test("nothing is drawn of nothing", () => {
    expect(drawnPoints([])).toEqual([]);
  });

  test("the summary names both ends, the lowest and the highest", () => {
    const points = [at(1_000, 5), at(2_000, 3), at(3_000, 9), at(4_000, 7)];
    const { first, last, lowest, highest } = equitySummary(points) ?? {};
    expect([first, last, lowest, highest].map((point) => point?.equity)).toEqual([5, 7, 3, 9]);
    expect(equitySummary([])).toBeNull();
  });
});
