import { ACCOUNT_ELIMINATED, ACCOUNT_STATIC } from "@propgate/contract";
import { expect, test } from "vitest";
import { returnsOf, summaryOf } from "./calendar-month.ts";

/** 2026-01-07 12:00 UTC, when the equity is 94,790.539. */
const END_MS = Date.UTC(2026, 0, 7, 12);
const { drawdownRules, elimination } = ACCOUNT_ELIMINATED;
if (drawdownRules === null || elimination === null) throw new Error("the example has ended");
const ENDED = {
  ...ACCOUNT_ELIMINATED,
  performance: {
    ...ACCOUNT_ELIMINATED.performance,
    dailyReturns: [{ date: "2026-01-06", value: 0.2 }],
  },
  elimination: { ...elimination, atMs: END_MS },
  drawdownRules: {
    ...drawdownRules,
    dailyLoss: { ...drawdownRules.dailyLoss, dayStartEquity: 100_200 },
  },
};

test("the month of an eliminated account counts the day on which it ended", () => {
  const returns = returnsOf(ENDED);
  expect(returns).toEqual([
    { date: "2026-01-06", value: 0.2 },
    { date: "2026-01-07", value: -5.3986637 },
  ]);
  const { gains, losses, total } = summaryOf("2026-01", returns);
  expect([gains, losses]).toEqual([1, 1]);
  expect(total).toBeCloseTo(-5.209461, 5);
});

test("a recorded day and a running account stay unchanged", () => {
  const recorded = [{ date: "2026-01-07", value: -5.4 }];
  const performance = { ...ENDED.performance, dailyReturns: recorded };
  expect(returnsOf({ ...ENDED, performance })).toBe(recorded);
  expect(returnsOf(ACCOUNT_STATIC)).toBe(ACCOUNT_STATIC.performance.dailyReturns);
});
