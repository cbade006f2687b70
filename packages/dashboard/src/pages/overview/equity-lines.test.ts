import type { EquityPoint } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { equityLines } from "./equity-lines.ts";

const at = (atMs: number, floors: EquityPoint["floors"]): EquityPoint => ({
  atMs,
  equity: 100,
  balance: 90,
  floors,
});

describe("the lines of the equity chart", () => {
  test("the chart has the lines equity and balance while no limit binds the account", () => {
    expect(equityLines([at(1, {})]).map(({ key }) => key)).toEqual(["equity", "balance"]);
  });

  test("the chart has one floor for each limit of any point, in the order of precedence", () => {
    const points = [
      at(1, { static: 95, dailyLoss: 96 }),
      at(2, { dailyLoss: 97, eod_trailing: 92 }),
    ];
    const floors = equityLines(points).filter(({ isFloor }) => isFloor);
    expect(floors.map(({ name }) => name)).toEqual([
      "Daily loss floor",
      "Maximum loss floor",
      "Trailing loss floor",
    ]);
    expect(floors.map(({ valueAt }) => points.map(valueAt))).toEqual([
      [96, 97],
      [95, null],
      [null, 92],
    ]);
  });

  test("the chart draws the floor of a limit that this page does not know, after the known ones", () => {
    const point: EquityPoint = JSON.parse(
      JSON.stringify(at(1, {})).replace("{}", '{"hourly_loss":93,"dailyLoss":95}'),
    );
    const [, , daily, hourly] = equityLines([point]);
    expect([daily?.name, hourly?.name]).toEqual(["Daily loss floor", "Hourly loss floor"]);
    expect(hourly?.valueAt(point)).toBe(93);
    expect(hourly?.style).not.toBe(daily?.style);
  });
});
