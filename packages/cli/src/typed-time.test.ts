import { describe, expect, test } from "vitest";
import {
  parseExactTimeOption,
  parseTimeOption,
  parseTimeParameter,
  parseTypedExpiry,
  parseTypedTime,
} from "./typed-time.ts";

describe("a time that a person types [D13.dates]", () => {
  test.each([
    ["2027-01-31", Date.UTC(2027, 0, 31)],
    ["2028-02-29", Date.UTC(2028, 1, 29)],
    ["2027-01-31T12:00Z", Date.UTC(2027, 0, 31, 12)],
    ["2027-01-31T12:00:30.5Z", Date.UTC(2027, 0, 31, 12, 0, 30, 500)],
    ["2027-01-31T12:00-05:00", Date.UTC(2027, 0, 31, 17)],
  ])("%s is one moment", (text, ms) => {
    expect(parseTypedTime(text)?.ms).toBe(ms);
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
    expect(parseTypedTime(text)).toBeNull();
    expect(parseTypedExpiry(text)).toBeNull();
  });

  test("a date alone as an expiry is the end of that day, UTC [D13.dateExpiry]", () => {
    expect(parseTypedExpiry("2027-01-31")).toBe(Date.UTC(2027, 1, 1));
    expect(parseTypedExpiry("2027-01-31T12:00:00Z")).toBe(Date.UTC(2027, 0, 31, 12));
  });
});

describe("an option that takes a time [D13.optionTimes]", () => {
  test.each([
    ["2026-11-23", Date.UTC(2026, 10, 23)],
    ["2026-11-23T01:30Z", Date.UTC(2026, 10, 23, 1, 30)],
    ["2026-11-23T01:30+01:00", Date.UTC(2026, 10, 23, 0, 30)],
    ["1767614400000", 1_767_614_400_000],
  ])("%s is one moment, written in any of the three ways", (text, ms) => {
    expect(parseTimeOption(text, "--at")).toBe(ms);
    expect(parseTimeParameter(text, "--at")).toBe(String(ms));
  });

  test("0 is the beginning where a list begins, and no moment elsewhere", () => {
    expect(parseTimeParameter("0", "--after")).toBe("0");
    expect(() => parseTimeOption("0", "--at")).toThrow("--at must be a time in Unix milliseconds");
  });

  test.each([
    [
      "1767614400",
      "--at must be a time in Unix milliseconds between 2000 and 2100; 1767614400 looks like seconds",
    ],
    ["1767614400000000", "looks like microseconds"],
    ["1999-12-31", "between 2000 and 2100, not 1999-12-31"],
    ["2026-02-30", "--at is not a time: 2026-02-30"],
    ["2026-11-23T01:30", "--at is not a time: 2026-11-23T01:30"],
  ])("%s is refused with the option's name", (text, words) => {
    expect(() => parseTimeOption(text, "--at")).toThrow(words);
  });

  test("a date alone is refused where the hour matters", () => {
    expect(() => parseExactTimeOption("2026-11-23", "--at")).toThrow(
      "--at is not a time with its zone",
    );
    expect(() => parseExactTimeOption("soon", "--at")).toThrow("--at is not a time with its zone");
    expect(() => parseExactTimeOption("1767614400", "--at")).toThrow("looks like seconds");
    expect(parseExactTimeOption("2026-11-23T01:30Z", "--at")).toBe(Date.UTC(2026, 10, 23, 1, 30));
  });
});
