import { expect, test } from "vitest";
import { MICRO_USD_MIN, microUsd, roundUsd } from "../units.ts";
import { drawdownBelow, highestEquityWithDeeperDrawdown } from "./statistics.ts";

const HIGH_WATER = roundUsd(200_000);

test.each([0, 1, 100, 101, 150, 123_456_789])(
  "the next deeper drawdown begins at the first equity that has it, %d micro dollars down [D7.maxDrawdown]",
  (loss) => {
    const than = drawdownBelow(HIGH_WATER, microUsd(HIGH_WATER - loss));
    const from = highestEquityWithDeeperDrawdown(HIGH_WATER, than);
    if (from === null) throw new Error("a deeper drawdown");
    expect(drawdownBelow(HIGH_WATER, from)).toBeGreaterThan(than);
    expect(drawdownBelow(HIGH_WATER, microUsd(from + 1))).toBe(than);
  },
);

test("no drawdown is deeper than that of the lowest exact equity [D10.exactMoney]", () => {
  expect(
    highestEquityWithDeeperDrawdown(HIGH_WATER, drawdownBelow(HIGH_WATER, MICRO_USD_MIN)),
  ).toBe(null);
});
