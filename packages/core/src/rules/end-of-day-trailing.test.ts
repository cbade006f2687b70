import { describe, expect, test } from "vitest";
import { figuresAfterMidnight } from "../evolve/daily-returns.ts";
import type { AccountState } from "../state/account.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import { createTestAccount } from "../testing/test-account.ts";
import { dollars, percent, roundUsd, unixMs } from "../units.ts";
import { dayEndBreach, drawdownOf, liveBreach, maxLossOf } from "./registry.ts";

const DAY = 86_400_000;
const TRAILING = { ...CLASSIC_TERMS, criteria: "trailing" as const };
const trailing = createTestAccount({ terms: TRAILING });

/** The account after midnights at these equities. */
function after(account: AccountState, ...equities: readonly number[]): AccountState {
  let state = account;
  for (const equity of equities) {
    const midnightMs = unixMs(state.day.startMs + DAY);
    state = { ...state, ...figuresAfterMidnight(state, { midnightMs, equity: roundUsd(equity) }) };
  }
  return state;
}

describe("end-of-day trailing limit: once a day, at 00:00 UTC [S2.1.2.trailing]", () => {
  test.each([
    // Each row: the equities at midnights, the high-water mark, usedPct, and whether the last midnight breached the
    // limit.
    [[104_000], 104_000, 0, false],
    [[104_000, 103_000], 104_000, 0.961538462, false],
    [[95_500], 100_000, 4.5, false],
    [[95_000], 100_000, 5, false],
    [[94_999.999999], 100_000, 5.000000001, true],
    [[104_000, 98_800], 104_000, 5, false],
    [[104_000, 98_799.99], 104_000, 5.000009615, true],
    [[90_000], 100_000, 10, true],
  ])(
    "midnights %j give the mark %d and use %d %%, breached: %s",
    (equities, mark, usedPct, breached) => {
      const state = after(trailing, ...equities);
      const maxLoss = maxLossOf(drawdownOf(state, roundUsd(100_000)));
      expect(maxLoss.rule).toBe("endOfDayTrailing");
      expect(dollars(maxLoss.anchor)).toBe(mark);
      expect(maxLoss.usedPct).toBeCloseTo(usedPct, 8);
      expect(dayEndBreach(state) !== null).toBe(breached);
    },
  );

  test("a dip that recovers before midnight does not breach the limit or change its figures", () => {
    const loose = createTestAccount({
      terms: { ...TRAILING, challenge: { ...CLASSIC_TERMS.challenge, dailyLossPct: percent(50) } },
    });
    expect(liveBreach(loose, roundUsd(93_000))).toBeNull();
    const next = after(loose, 95_500);
    expect(dayEndBreach(next)).toBeNull();
    const allDay = maxLossOf(drawdownOf(next, roundUsd(99_000)));
    expect(dollars(allDay.measured)).toBe(95_500);
    expect(allDay.usedPct).toBe(4.5);
  });

  test("the daily loss limit is independent: 93,000 at noon ends the account", () => {
    expect(liveBreach(trailing, roundUsd(93_000))?.rule).toBe("dailyLoss");
  });

  test("the funded phase has the wider limit [D7.terms]", () => {
    const terms = { ...TRAILING, funded: { ...CLASSIC_TERMS.funded, maxLossPct: percent(8) } };
    const funded = createTestAccount({ terms, phase: "funded" });
    expect(dayEndBreach(after(funded, 92_000))).toBeNull();
    expect(dayEndBreach(after(funded, 91_999.99))?.limitPct).toBe(8);
  });
});
