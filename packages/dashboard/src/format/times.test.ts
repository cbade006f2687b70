import { describe, expect, test } from "vitest";
import { countdownText, nextMondayMs, periodText } from "./times.ts";

const MONDAY = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

describe("weeks", () => {
  test.each([
    ["a Monday's first instant", MONDAY, MONDAY + WEEK],
    ["the instant before it", MONDAY - 1, MONDAY],
    ["a Thursday", MONDAY + 3 * 24 * HOUR, MONDAY + WEEK],
  ])("the next Monday after %s is found", (_, nowMs, nextMs) => {
    expect(nextMondayMs(nowMs)).toBe(nextMs);
  });

  test("a period shows its days, and one that ended on its first day shows times", () => {
    expect(periodText(MONDAY, MONDAY + WEEK)).toBe("2026-01-05 – 2026-01-12");
    expect(periodText(MONDAY, MONDAY + HOUR)).toBe("2026-01-05 00:00:00 – 01:00:00");
  });

  test("a countdown shows days and time", () => {
    expect(countdownText(MONDAY, MONDAY - 25 * HOUR - 1000)).toBe("1 d 01:00:01");
    expect(countdownText(MONDAY, MONDAY - 1000)).toBe("00:00:01");
    expect(countdownText(MONDAY, MONDAY + 1)).toBe("00:00:00");
  });
});
