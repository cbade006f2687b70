import { describe, expect, test } from "vitest";
import { dollars, ratio, roundUsd, unixMs } from "../units.ts";
import { carryOf, nextCarryMs } from "./carry.ts";

const CRYPTO = { kind: "everyEightHours", rate: ratio(0.0001) } as const;
const FOREX = { kind: "daily", rate: ratio(0.03 / 365) } as const;
const at = (iso: string) => unixMs(Date.parse(iso));

describe("the time of carry [D7.carry]", () => {
  test.each([
    // Each row: a time, and the time of the first charge after it.
    ["2026-01-05T00:00Z", "2026-01-05T08:00Z"],
    ["2026-01-05T07:59:59.999Z", "2026-01-05T08:00Z"],
    ["2026-01-05T08:00Z", "2026-01-05T16:00Z"],
    ["2026-01-05T23:00Z", "2026-01-06T00:00Z"],
    ["2028-02-28T16:00Z", "2028-02-29T00:00Z"],
    ["2028-02-29T16:00Z", "2028-03-01T00:00Z"],
    ["2026-12-31T16:00Z", "2027-01-01T00:00Z"],
  ])("the first crypto carry after %s is due at %s", (after, next) => {
    expect(nextCarryMs(CRYPTO, at(after))).toBe(at(next));
  });

  test.each([
    ["2026-01-05T20:59:59.999Z", "2026-01-05T21:00Z"],
    ["2026-01-05T21:00Z", "2026-01-06T21:00Z"],
    // The charge after Friday's is Monday's, also across the end of a year.
    ["2026-01-09T21:00Z", "2026-01-12T21:00Z"],
    ["2026-01-10T12:00Z", "2026-01-12T21:00Z"],
    ["2027-12-31T21:00Z", "2028-01-03T21:00Z"],
    // 29 February 2028 is a Tuesday.
    ["2028-02-28T21:00Z", "2028-02-29T21:00Z"],
    ["1969-12-31T20:00Z", "1969-12-31T21:00Z"],
  ])("the first forex carry after %s is due at %s", (after, next) => {
    expect(nextCarryMs(FOREX, at(after))).toBe(at(next));
  });

  test("carry of an instrument without carry is never due", () => {
    expect(nextCarryMs({ kind: "none" }, at("2026-01-05T00:00Z"))).toBeNull();
  });
});

describe("the amount of carry [D7.carry]", () => {
  test.each([
    // The charge of one day: 110,000 × 0.03 / 365 = 9.041095890…
    [FOREX, "2026-01-06T21:00Z", 110_000, 9.041096],
    // The charge on a Wednesday covers three days.
    [FOREX, "2026-01-07T21:00Z", 110_000, 27.123288],
    [FOREX, "2026-01-07T21:00Z", -110_000, 27.123288],
    [CRYPTO, "2026-01-07T08:00Z", 100_000, 10],
    [{ kind: "none" }, "2026-01-07T08:00Z", 100_000, 0],
  ] as const)("carry of %o at %s on %d is %d", (carry, due, value, fee) => {
    expect(dollars(carryOf(carry, at(due), roundUsd(value)))).toBe(fee);
  });
});
