import { ACCOUNT_ELIMINATED, ACCOUNT_STATIC, type EquityPoint } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { drawnPoints, equitySummary, knownPoints, livePoint } from "./equity-series.ts";

const at = (atMs: number, equity: number): EquityPoint => ({
  atMs,
  equity,
  balance: 100_000,
  floors: { dailyLoss: 95_000 },
});

const STATE = {
  network: "embedded",
  version: 7,
  generatedAtMs: 1_767_780_000_000,
  isClosed: false,
  account: ACCOUNT_STATIC,
  positions: [],
  orders: [],
  markets: [],
  trades: 2,
} as const;

describe("points of the equity chart", () => {
  test("the live point has the floors of the limits", () => {
    expect(livePoint(STATE)).toEqual({
      atMs: 1_767_780_000_000,
      equity: 100_968.2,
      balance: 100_468.2,
      floors: { dailyLoss: 95_457.615, static: 95_000 },
    });
  });

  test("an ended account has no live point, so its line ends with the account", () => {
    expect(livePoint({ ...STATE, account: ACCOUNT_ELIMINATED })).toBeNull();
    expect(livePoint({ ...STATE, isClosed: true })).toBeNull();
  });

  test("a time at which the account cannot be valued has no point", () => {
    expect(livePoint(null)).toBeNull();
    expect(livePoint({ ...STATE, account: null })).toBeNull();
  });

  test("a limit without a floor has no line, and an account without equity no point", () => {
    const { account, drawdownRules } = ACCOUNT_STATIC;
    const limits = drawdownRules?.limits.map((limit) => ({ ...limit, floor: null })) ?? [];
    const rules = drawdownRules === null ? null : { ...drawdownRules, limits };
    const bare = { ...ACCOUNT_STATIC, drawdownRules: rules };
    expect(livePoint({ ...STATE, account: bare })).toMatchObject({ equity: 100_968.2, floors: {} });
    const unknown = { ...ACCOUNT_STATIC, account: { ...account, currentEquity: null } };
    expect(livePoint({ ...STATE, account: unknown })).toBeNull();
  });

  test("the live point comes last unless the history is newer", () => {
    expect(knownPoints([at(1_000, 1)], at(2_000, 2))).toEqual([at(1_000, 1), at(2_000, 2)]);
    expect(knownPoints([at(5_000, 1)], at(2_000, 2))).toEqual([at(5_000, 1)]);
    expect(knownPoints([at(1_000, 1)], null)).toEqual([at(1_000, 1)]);
    expect(knownPoints([], at(2_000, 2))).toEqual([at(2_000, 2)]);
  });

  test("every step of the grid has a point, and an empty step repeats the last one", () => {
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

  test("a step with several points draws the lowest, the next step continues from the last one, and the live point is exact", () => {
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

  test("an empty series draws nothing", () => {
    expect(drawnPoints([])).toEqual([]);
  });

  test("the summary contains the first, last, lowest and highest points", () => {
    const points = [at(1_000, 5), at(2_000, 3), at(3_000, 9), at(4_000, 7)];
    const { first, last, lowest, highest } = equitySummary(points) ?? {};
    expect([first, last, lowest, highest].map((point) => point?.equity)).toEqual([5, 7, 3, 9]);
    expect(equitySummary([])).toBeNull();
  });
});
