import { ACCOUNT_STATIC } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  dateAfter,
  monthAfter,
  monthName,
  monthSummaryOf,
  weekdayOf,
  weeksOf,
} from "./calendar-month.ts";

const { dailyReturns } = ACCOUNT_STATIC.performance;

describe("the calendar of daily returns", () => {
  test("a week begins on Monday", () => {
    expect(weekdayOf("2026-01-05")).toBe(0);
    expect(weekdayOf("2026-01-04")).toBe(6);
    const [first, second] = weeksOf("2026-01", []);
    expect(first?.date).toBe("2025-12-29");
    expect(first?.days.map((day) => day?.day ?? null)).toEqual([null, null, null, 1, 2, 3, 4]);
    expect(second?.days[0]?.date).toBe("2026-01-05");
  });

  test.each([
    ["2026-01", 31],
    ["2026-02", 28],
    ["2028-02", 29],
    ["2026-04", 30],
  ])("the month %s has %d days in six weeks", (month, days) => {
    const weeks = weeksOf(month, []);
    expect(weeks).toHaveLength(6);
    expect(weeks.flatMap((week) => week.days).filter((day) => day !== null)).toHaveLength(days);
  });

  test("a day without a return is unknown, and a return of zero is 0", () => {
    const returns = [...dailyReturns, { date: "2026-01-07", value: 0 }];
    const days = weeksOf("2026-01", returns).flatMap((week) => week.days);
    const valueOn = (date: string) => days.find((day) => day?.date === date)?.value;
    expect(valueOn("2026-01-05")).toBe(0.9817);
    expect(valueOn("2026-01-07")).toBe(0);
    expect(valueOn("2026-01-08")).toBeNull();
  });

  test("months and days continue across the year's end", () => {
    expect(monthAfter("2026-01", -1)).toBe("2025-12");
    expect(monthAfter("2025-12", 1)).toBe("2026-01");
    expect(dateAfter("2025-12-31", 1)).toBe("2026-01-01");
    expect(dateAfter("2026-03-01", -7)).toBe("2026-02-22");
    expect(monthName("2026-01")).toBe("January 2026");
  });

  test("a month's return compounds its days", () => {
    const returns = [
      { date: "2026-01-30", value: 10 },
      { date: "2026-01-31", value: -10 },
      { date: "2026-02-01", value: 50 },
    ];
    const { total, ...counts } = monthSummaryOf("2026-01", returns);
    expect(counts).toEqual({ days: 2, gains: 1, losses: 1 });
    expect(total).toBeCloseTo(-1, 9);
    expect(monthSummaryOf("2026-03", returns).total).toBeNull();
  });
});
