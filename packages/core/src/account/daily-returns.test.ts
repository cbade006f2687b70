import { describe, expect, test } from "vitest";
import { madeAccount } from "../testing/made-account.ts";
import { dollars, roundUsd, unixMs } from "../units.ts";
import { dayEndedAt } from "./daily-returns.ts";

const MIDNIGHT = unixMs(1_700_006_400_000);
const ended = (startEquity: number, equity: number, highWater = 100_000) =>
  dayEndedAt(
    madeAccount({
      day: { startMs: unixMs(1_699_920_000_000), startEquity: roundUsd(startEquity) },
      endOfDay: { equity: roundUsd(startEquity), highWater: roundUsd(highWater) },
    }),
    { midnightMs: MIDNIGHT, equity: roundUsd(equity) },
  );

describe("what a midnight changes [D4.dailyReturns]", () => {
  test.each([
    // day's start, equity at midnight, percent
    [100_000, 102_000, 2],
    [104_000, 101_400, -2.5],
    [100_000, 100_000, 0],
    [0, 5, 0],
  ])("from %d to %d is %d %%", (start, equity, pct) => {
    const [last] = ended(start, equity).dailyReturns;
    expect(last).toEqual({ dayStartMs: 1_699_920_000_000, percent: pct });
  });

  test("the day starts again at the equity of that midnight", () => {
    const { day } = ended(200_000, 191_000);
    expect(day).toEqual({ startMs: MIDNIGHT, startEquity: roundUsd(191_000) });
  });

  test("the high-water mark rises with a higher midnight and never falls [D7.highWater]", () => {
    expect(dollars(ended(100_000, 104_000).endOfDay.highWater)).toBe(104_000);
    const lower = ended(104_000, 103_000, 104_000).endOfDay;
    expect(dollars(lower.highWater)).toBe(104_000);
    expect(dollars(lower.equity)).toBe(103_000);
  });

  test("earlier days are kept", () => {
    const earlier = { dayStartMs: unixMs(0), percent: ended(1, 1).dailyReturns[0]?.percent };
    expect(earlier.percent).toBe(0);
    const state = { ...madeAccount(), ...ended(100_000, 101_000) };
    const next = dayEndedAt(state, {
      midnightMs: unixMs(MIDNIGHT + 86_400_000),
      equity: roundUsd(101_000),
    });
    expect(next.dailyReturns.map(({ percent }) => percent)).toEqual([1, 0]);
  });
});
