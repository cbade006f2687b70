import { describe, expect, test } from "vitest";
import type { Day } from "../state/account.ts";
import { createTestAccount } from "../testing/test-account.ts";
import { dollars, ratio, roundUsd, type UnixMs, unixMs } from "../units.ts";
import { endedDayReturn, figuresAfterMidnight } from "./daily-returns.ts";

const DAY = unixMs(1_699_920_000_000);
const MIDNIGHT = unixMs(1_700_006_400_000);
const dayFrom = (startEquity: number, earlierReturn = 0) => ({
  startMs: DAY,
  startEquity: roundUsd(startEquity),
  earlierReturn: ratio(earlierReturn),
});
const ended = (startEquity: number, equity: number, highWater = 100_000) =>
  figuresAfterMidnight(
    createTestAccount({
      day: dayFrom(startEquity),
      endOfDay: { equity: roundUsd(startEquity), highWater: roundUsd(highWater) },
    }),
    { midnightMs: MIDNIGHT, equity: roundUsd(equity) },
  );

const atMidnight = (day: Day, equity: number) =>
  endedDayReturn(createTestAccount({ day }), {
    type: "dayEnded",
    atMs: MIDNIGHT,
    midnightMs: MIDNIGHT,
    equity: roundUsd(equity),
    balance: roundUsd(equity),
  });

describe("the return of a day [D4.dailyReturns]", () => {
  test.each([
    // Each row: the equity at the day's start, the equity at midnight, and the return in percent.
    [100_000, 102_000, 2],
    [104_000, 101_400, -2.5],
    [100_000, 100_000, 0],
    [0, 5, 0],
  ])("a day that goes from %d to %d returns %d %%", (start, equity, pct) => {
    const returned = atMidnight(dayFrom(start), equity);
    expect(returned).toEqual({ dayStartMs: DAY, percent: pct });
  });

  test("a day with a restart of the account compounds the returns before and after it", () => {
    // Equity rose from 100,000 to 110,000, and the challenge was passed. Then equity fell from 100,000 to 98,000: 1.1 ×
    // 0.98 = 1.078.
    const returned = atMidnight(dayFrom(100_000, 0.1), 98_000);
    expect(returned?.percent).toBeCloseTo(7.8, 9);
  });
});

describe("the day on which an account ends [D13.lastDay]", () => {
  const cause = { kind: "operator", reason: "Rules" } as const;
  const eliminated = (atMs: UnixMs) =>
    ({ type: "accountEliminated", atMs, elimination: { cause, atMs, drawdownPct: null } }) as const;
  const noon = unixMs(DAY + 43_200_000);
  const lost = createTestAccount({ day: dayFrom(100_000), realized: roundUsd(-3_000) });

  test.each([
    ["an elimination", eliminated(noon)],
    ["a closing", { type: "accountClosed", atMs: noon } as const],
  ])("%s ends the day at the balance", (_, event) => {
    expect(endedDayReturn(lost, event)).toEqual({ dayStartMs: DAY, percent: -3 });
  });

  test("an elimination that midnight brings has a day of its own only for what it cost", () => {
    const still = { ...lost, realized: roundUsd(0) };
    expect(endedDayReturn(still, eliminated(DAY))).toBe(null);
    expect(endedDayReturn(lost, eliminated(DAY))).toEqual({ dayStartMs: DAY, percent: -3 });
  });

  test("an account that has ended, or never began, has no day to end", () => {
    for (const status of ["eliminated", "provisioning"] as const) {
      expect(endedDayReturn({ ...lost, status }, { type: "accountClosed", atMs: noon })).toBe(null);
    }
  });
});

describe("midnight", () => {
  test("midnight starts the new day at its equity", () => {
    const { day } = ended(200_000, 191_000);
    expect(day).toEqual({
      startMs: MIDNIGHT,
      startEquity: roundUsd(191_000),
      earlierReturn: 0,
    });
  });

  test("the high-water mark rises at a higher midnight and never falls [D7.highWater]", () => {
    expect(dollars(ended(100_000, 104_000).endOfDay.highWater)).toBe(104_000);
    const lower = ended(104_000, 103_000, 104_000).endOfDay;
    expect(dollars(lower.highWater)).toBe(104_000);
    expect(dollars(lower.equity)).toBe(103_000);
  });
});
