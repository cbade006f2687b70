import { describe, expect, test } from "vitest";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import { createTestAccount } from "../testing/test-account.ts";
import { dollars, type MicroUsd, ratio, roundUsd, unixMs } from "../units.ts";
import { limitFiguresNow } from "./limit.ts";
import { dailyLossOf, drawdownOf, maxLossOf } from "./registry.ts";

const FLOOR = { anchor: roundUsd(100_000), floor: roundUsd(95_000) };

function inDollars(equity: MicroUsd) {
  const { equityNow, usedPctNow, remainingNow } = limitFiguresNow(FLOOR, equity);
  return [dollars(equityNow), usedPctNow, dollars(remainingNow)];
}

describe("a limit as if it were judged now [D12.limitNow]", () => {
  test.each([
    ["a gain counts: 9,000 at 104,000 over 95,000", 104_000, 0, 9_000],
    ["a loss of the anchor is used", 98_750, 1.25, 3_750],
    ["nothing remains at the floor", 95_000, 5, 0],
    ["less than nothing remains below the floor", 94_700, 5.3, -300],
  ])("%s", (_, equity, usedPct, remaining) => {
    const [equityNow, usedPctNow, remainingNow] = inDollars(roundUsd(equity));
    expect([equityNow, remainingNow]).toEqual([equity, remaining]);
    expect(usedPctNow).toBeCloseTo(usedPct, 12);
  });

  test("an anchor that cannot be breached has nothing used", () => {
    const inDebt = { anchor: roundUsd(-10), floor: roundUsd(-10) };
    expect(limitFiguresNow(inDebt, roundUsd(-20)).usedPctNow).toBe(0);
  });

  test("a trailing limit shows the equity of now beside that of the last midnight", () => {
    const state = createTestAccount({
      terms: { ...CLASSIC_TERMS, criteria: "trailing" },
      day: { startMs: unixMs(0), startEquity: roundUsd(100_000), earlierReturn: ratio(0) },
    });
    const equity = roundUsd(97_718.12);
    const drawdown = drawdownOf(state, equity);
    const trailing = maxLossOf(drawdown);
    expect(dollars(trailing.remaining)).toBe(5_000);
    expect(dollars(limitFiguresNow(trailing, equity).remainingNow)).toBe(2_718.12);
    const daily = dailyLossOf(drawdown);
    expect(limitFiguresNow(daily, equity).usedPctNow).toBe(daily.usedPct);
    expect(limitFiguresNow(daily, equity).remainingNow).toBe(daily.remaining);
  });
});
