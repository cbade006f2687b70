import { describe, expect, test } from "vitest";
import { unixMs } from "../units.ts";
import { nextUtcMidnight, startOfUtcDay } from "./utc-day.ts";

const MIDNIGHT = unixMs(Date.parse("2026-03-08T00:00:00Z"));
const BEFORE = unixMs(MIDNIGHT - 1);

describe("the UTC day [D7.midnight]", () => {
  test("midnight belongs to the new day, and the millisecond before to the previous day", () => {
    expect(startOfUtcDay(MIDNIGHT)).toBe(MIDNIGHT);
    expect(startOfUtcDay(BEFORE)).toBe(Date.parse("2026-03-07T00:00:00Z"));
  });

  test("the next midnight is strictly later", () => {
    expect(nextUtcMidnight(BEFORE)).toBe(MIDNIGHT);
    expect(nextUtcMidnight(MIDNIGHT)).toBe(Date.parse("2026-03-09T00:00:00Z"));
  });

  test("days before the epoch also start at 00:00 UTC", () => {
    expect(startOfUtcDay(unixMs(-1))).toBe(-86_400_000);
  });
});
