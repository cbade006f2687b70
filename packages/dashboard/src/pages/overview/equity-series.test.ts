import { ACCOUNT_ELIMINATED, ACCOUNT_STATIC, type EquityPoint } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { drawnPoints, equitySummary, livePoint } from "./equity-series.ts";

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

  test("of one second the last is drawn, and nothing goes back in time", () => {
    const history = [at(1_000, 1), at(1_900, 2), at(3_000, 3), at(2_000, 4)];
    expect(drawnPoints(history, null)).toEqual([at(1_900, 2), at(3_000, 3)]);
  });

  test("the present comes last, unless the history is newer", () => {
    expect(drawnPoints([at(1_000, 1)], at(2_000, 2))).toEqual([at(1_000, 1), at(2_000, 2)]);
    expect(drawnPoints([at(5_000, 1)], at(2_000, 2))).toEqual([at(5_000, 1)]);
    expect(drawnPoints([], at(2_000, 2))).toEqual([at(2_000, 2)]);
  });

  test("the summary names both ends, the lowest and the highest", () => {
    const points = [at(1_000, 5), at(2_000, 3), at(3_000, 9), at(4_000, 7)];
    const { first, last, lowest, highest } = equitySummary(points) ?? {};
    expect([first, last, lowest, highest].map((point) => point?.equity)).toEqual([5, 7, 3, 9]);
    expect(equitySummary([])).toBeNull();
  });
});
