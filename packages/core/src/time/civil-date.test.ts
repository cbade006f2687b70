import { describe, expect, test } from "vitest";
import { civilDateOf, dateText, dayNumberFromText, dayNumberOf, weekdayOf } from "./civil-date.ts";

describe("the calendar without Date [D6.sessions]", () => {
  test.each([
    ["1970-01-01", 0, 4],
    ["2000-02-29", 11_016, 2],
    ["2026-11-21", 20_778, 6],
    ["1969-12-31", -1, 3],
  ])("%s is day %i and weekday %i", (text, dayNumber, weekday) => {
    expect(dayNumberFromText(text)).toBe(dayNumber);
    expect(dateText(dayNumber)).toBe(text);
    expect(weekdayOf(dayNumber)).toBe(weekday);
  });

  test("the calendar agrees with the platform on every day of a century", () => {
    for (let dayNumber = -10_000; dayNumber < 40_000; dayNumber += 1) {
      const date = new Date(dayNumber * 86_400_000);
      const civil = {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      };
      if (dayNumberOf(civil) !== dayNumber) expect(dayNumberOf(civil)).toBe(dayNumber);
      const back = civilDateOf(dayNumber);
      if (back.day !== civil.day || back.month !== civil.month || back.year !== civil.year) {
        expect(back).toEqual(civil);
      }
    }
  });

  test.each(["2025-02-29", "2025-13-01", "2025-1-1", "1 January", ""])(
    "the text %o is no date",
    (text) => {
      expect(dayNumberFromText(text)).toBeNull();
    },
  );
});
