import { describe, expect, test } from "vitest";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import { createTestAccount } from "../testing/test-account.ts";
import { dollars, percent, ratio, roundUsd, unixMs } from "../units.ts";
import { dailyLossAllowance } from "./daily-loss.ts";
import { isBreached, limitFigures } from "./limit.ts";

const dayFrom = (startEquity: number) =>
  createTestAccount({
    day: { startMs: unixMs(0), startEquity: roundUsd(startEquity), earlierReturn: ratio(0) },
  });

describe("daily loss limit: live equity against the day's start [S2.1.2.dailyLoss]", () => {
  test.each([
    // Each row: the equity at the day's start, the present equity, usedPct, the floor, and whether the limit is
    // breached.
    [104_000, 101_400, 2.5, 98_800, false],
    [104_000, 98_800, 5, 98_800, false],
    [104_000, 98_799.999999, 5.000000001, 98_800, true],
    [200_000, 191_000, 4.5, 190_000, false],
    [200_000, 190_000, 5, 190_000, false],
    [191_000, 181_450, 5, 181_450, false],
    [191_000, 181_449.99, 5.000005236, 181_450, true],
    [100_000, 120_000, 0, 95_000, false],
  ])("a day from %d at an equity of %d uses %d %%, with the floor %d, breached: %s", (...row) => {
    const [start, equity, usedPct, floor, breached] = row;
    const allowance = dailyLossAllowance(dayFrom(start));
    const figures = limitFigures(allowance, roundUsd(equity));
    expect(figures.usedPct).toBeCloseTo(usedPct, 8);
    expect(dollars(figures.anchor) - dollars(figures.allowed)).toBe(floor);
    expect(isBreached(allowance, roundUsd(equity))).toBe(breached);
  });

  test.each([
    99_303.48169, // 5 % is 4,965.1740845
    0.000019,
    100_000.000001,
  ])(
    "at the floor of a day from %d no loss remains, and the allowed loss leads to it [D4.drawdown]",
    (start) => {
      const allowance = dailyLossAllowance(dayFrom(start));
      const { anchor, allowed, floor } = limitFigures(allowance, roundUsd(start));
      expect(anchor - allowed).toBe(floor);
      expect(limitFigures(allowance, floor).remaining).toBe(0);
      expect(isBreached(allowance, floor)).toBe(false);
    },
  );

  test("a day that starts at zero uses nothing of the limit", () => {
    const figures = limitFigures(dailyLossAllowance(dayFrom(0)), roundUsd(0));
    expect(figures).toMatchObject({ usedPct: 0, allowed: 0, used: 0, remaining: 0 });
    const below = limitFigures(dailyLossAllowance(dayFrom(-1)), roundUsd(-2));
    expect(below.usedPct).toBe(0);
    expect(isBreached(dailyLossAllowance(dayFrom(-1)), roundUsd(-2))).toBe(false);
  });

  test("the day starts at the account's size before the first midnight [D4.firstDay]", () => {
    expect(dollars(dailyLossAllowance(createTestAccount()).anchor)).toBe(100_000);
  });

  test("the 3 % option applies in the challenge, and the funded phase has its own limit [D7.terms]", () => {
    const terms = {
      ...CLASSIC_TERMS,
      challenge: { ...CLASSIC_TERMS.challenge, dailyLossPct: percent(3) },
    };
    const challenge = createTestAccount({ terms });
    expect(isBreached(dailyLossAllowance(challenge), roundUsd(97_000))).toBe(false);
    expect(isBreached(dailyLossAllowance(challenge), roundUsd(96_999.99))).toBe(true);
    expect(dailyLossAllowance(createTestAccount({ terms, phase: "funded" })).limitPct).toBe(5);
  });

  test("a limit with decimals is exact to the micro dollar", () => {
    const terms = {
      ...CLASSIC_TERMS,
      challenge: { ...CLASSIC_TERMS.challenge, dailyLossPct: percent(4.35) },
    };
    const account = createTestAccount({ terms });
    expect(isBreached(dailyLossAllowance(account), roundUsd(95_650))).toBe(false);
    expect(isBreached(dailyLossAllowance(account), roundUsd(95_649.999999))).toBe(true);
  });
});
