import { describe, expect, test } from "vitest";
import { pairId } from "../ids.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import { lots, quantity, roundUsd } from "../units.ts";
import { gridStepOf, minPositionOnGrid, roundDownToGrid, roundToGrid } from "./lot-grid.ts";

const instrumentOf = (pair: string) => {
  const found = TEST_CATALOGUE.get(pairId(pair));
  if (found === undefined) throw new Error(`${pair} is in the catalogue`);
  return found;
};

describe("the lot grid [D5.grid]", () => {
  test.each([
    // Each row: the pair, the account size in USD and the grid step in lots.
    ["BTCUSD", 100_000, 0.00001],
    ["BTCUSD", 5_000, 0.00001],
    ["EURUSD", 100_000, 0.01],
    ["EURUSD", 10_000.01, 0.01],
    ["EURUSD", 10_000, 0.0001],
    ["EURUSD", 1_000, 0.0001],
  ])("the grid step of %s on an account of %d is %d lots", (pair, size, step) => {
    expect(lots(gridStepOf(instrumentOf(pair), roundUsd(size)))).toBe(step);
  });

  test.each([
    // Each row, in lots: the size, the grid step, the size rounded to the nearest step and the size rounded down.
    [12_345 / 110_000, 0.01, 0.11, 0.11],
    [0.115, 0.01, 0.12, 0.11],
    [0.1149, 0.01, 0.11, 0.11],
    [0.004, 0.01, 0, 0],
    [0.3, 0.01, 0.3, 0.3],
    [0.1 + 0.2, 0.01, 0.3, 0.3],
    [0.57, 0.01, 0.57, 0.57],
    [150_000 / 50_000, 0.00001, 3, 3],
    [0.000015, 0.00001, 0.00002, 0.00001],
    [0.99999999, 0.01, 1, 0.99],
  ])("%d lots on a grid of %d round to %d and down to %d", (size, step, nearest, down) => {
    const steps = quantity(Math.round(step * 100_000));
    expect(lots(roundToGrid(size, steps))).toBe(nearest);
    expect(lots(roundDownToGrid(size, steps))).toBe(down);
  });

  test.each([
    // Each row: the pair, its minimum in the catalogue in lots, the account size in USD and the minimum on its grid.
    ["EURUSD", 0.0001, 100_000, 0.01],
    ["EURUSD", 0.0001, 10_000.01, 0.01],
    ["EURUSD", 0.0001, 10_000, 0.0001],
    ["EURUSD", 0.01, 10_000, 0.0001],
    ["EURUSD", 0.015, 100_000, 0.02],
    ["AAPL", 0.01, 5_000, 0.01],
  ])(
    "the minimum position of %s is %d lots, and on an account of %d it is %d [D10.leastSize]",
    (...row) => {
      const [pair, minimum, size, placed] = row;
      const catalogued = quantity(Math.round(minimum * 100_000));
      expect(lots(minPositionOnGrid(instrumentOf(pair), catalogued, roundUsd(size)))).toBe(placed);
    },
  );
});
