import { describe, expect, test } from "vitest";
import { createTestAccount } from "../testing/test-account.ts";
import { dollars, roundUsd } from "../units.ts";
import { isBreached, limitFigures } from "./limit.ts";
import { staticLossAllowance } from "./static-loss-limit.ts";

describe("static loss limit: live equity against the starting balance [S2.1.2.static]", () => {
  test.each([
    // Each row: the equity, usedPct, the remaining loss, and whether the limit is breached.
    [103_000, 0, 5_000, false],
    [100_000, 0, 5_000, false],
    [97_400, 2.6, 2_400, false],
    [95_000.01, 4.99999, 0.01, false],
    [95_000, 5, 0, false],
    [94_999.999999, 5.000000001, 0, true],
    [94_999.99, 5.00001, 0, true],
    [0, 100, 0, true],
    [-1, 100.001, 0, true],
  ])(
    "an equity of %d uses %d %% and leaves %d, breached: %s [D4.drawdown]",
    (equity, usedPct, remaining, breached) => {
      const allowance = staticLossAllowance(createTestAccount());
      const figures = limitFigures(allowance, roundUsd(equity));
      expect(figures.usedPct).toBeCloseTo(usedPct, 9);
      expect(dollars(figures.remaining)).toBe(remaining);
      expect(dollars(figures.anchor)).toBe(100_000);
      expect(dollars(figures.allowed)).toBe(5_000);
      expect(isBreached(allowance, roundUsd(equity))).toBe(breached);
    },
  );

  test("an equity exactly at the limit uses exactly 5 %", () => {
    const figures = limitFigures(staticLossAllowance(createTestAccount()), roundUsd(95_000));
    expect(figures.usedPct).toBe(5);
  });

  test("the anchor is the size, even after a profit", () => {
    const earned = createTestAccount({ realized: roundUsd(9_000) });
    expect(isBreached(staticLossAllowance(earned), roundUsd(95_000))).toBe(false);
    expect(isBreached(staticLossAllowance(earned), roundUsd(94_999.99))).toBe(true);
  });
});
