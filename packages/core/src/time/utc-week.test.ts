import { describe, expect, test } from "vitest";
import { unixMs } from "../units.ts";
import { nextUtcMonday, startOfUtcWeek } from "./utc-week.ts";

const at = (text: string) => unixMs(Date.parse(text));

describe("the UTC week, Monday to Monday [D7.week]", () => {
  test.each([
    // The columns are a time, the start of its week, and the next Monday.
    ["2026-11-16T00:00:00.000Z", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"],
    ["2026-11-18T12:00:00.000Z", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"],
    ["2026-11-22T23:59:59.999Z", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"],
    ["1970-01-01T00:00:00.000Z", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z"],
  ])("the week of %s begins and ends on a Monday", (now, start, next) => {
    expect(startOfUtcWeek(at(now))).toBe(at(start));
    expect(nextUtcMonday(at(now))).toBe(at(next));
  });
});
