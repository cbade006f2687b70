import { describe, expect, test } from "vitest";
import { typedExpiry, typedTime } from "./typed-time.ts";

describe("a time that a person types [D13.dates]", () => {
  test.each([
    ["2027-01-31", Date.UTC(2027, 0, 31)],
    ["2028-02-29", Date.UTC(2028, 1, 29)],
    ["2027-01-31T12:00Z", Date.UTC(2027, 0, 31, 12)],
    ["2027-01-31T12:00:30.5Z", Date.UTC(2027, 0, 31, 12, 0, 30, 500)],
    ["2027-01-31T12:00-05:00", Date.UTC(2027, 0, 31, 17)],
  ])("%s is one moment", (text, ms) => {
    expect(typedTime(text)?.ms).toBe(ms);
  });

  test.each([
    "2027-02-29",
    "2027-02-30T14:30Z",
    "2027-11-31T14:30-05:00",
    "2027-13-01",
    "2027-00-10",
    "2027-01-00",
    "2027-01-01T24:00Z",
    "2027-01-01T12:60Z",
    "2027-01-01T12:00",
    "2027-01-01T12:00+25:00",
    "2027-1-31",
    "1798675200",
    "soon",
  ])("%s is none", (text) => {
    expect(typedTime(text)).toBeNull();
    expect(typedExpiry(text)).toBeNull();
  });

  test("a date alone as an expiry is the end of that day, UTC", () => {
    expect(typedExpiry("2027-01-31")).toBe(Date.UTC(2027, 1, 1));
    expect(typedExpiry("2027-01-31T12:00:00Z")).toBe(Date.UTC(2027, 0, 31, 12));
  });
});
