import { describe, expect, test } from "vitest";
import { accountFilterOf, accountQueryOf } from "./account-filter.ts";

const FULL = {
  q: "ann",
  order: "nearest",
  status: "active",
  phase: "funded",
  program: "classic",
  used: 75,
  idle: "2026-01-05",
  ended: "2026-01-06",
} as const;

describe("the filter of the console's accounts", () => {
  test("the address has every part of the filter", () => {
    expect(accountFilterOf(FULL)).toEqual(FULL);
    expect(accountFilterOf({})).toEqual({});
  });

  test.each([
    { order: "largest" },
    { status: "open" },
    { phase: "pro" },
    { used: "many" },
    { used: -1 },
    { idle: "2026-02-30" },
    { ended: "yesterday" },
    { q: "", program: "" },
  ])("invalid parts of the address %j are left out", (search) => {
    expect(accountFilterOf(search)).toEqual({});
  });

  test("a name of digits alone is still a text", () => {
    expect(accountFilterOf({ q: 42, program: 7 })).toEqual({ q: "42", program: "7" });
  });

  test("the parameters of the call are those of the index of accounts", () => {
    expect(accountQueryOf({ ...FULL, order: "newest" })).toEqual({
      q: "ann",
      status: "active",
      phase: "funded",
      programId: "classic",
      nearestUsedOfLimitPctMin: "75",
      idleSinceMsMax: String(Date.UTC(2026, 0, 5)),
      endedAtMsMin: String(Date.UTC(2026, 0, 6)),
    });
    expect(accountQueryOf({})).toEqual({});
  });

  test("a chosen status replaces the one of the order", () => {
    const ended = accountQueryOf({ order: "nearest", status: "eliminated" });
    expect(ended).toMatchObject({ status: "eliminated", sort: "-nearestUsedOfLimitPct" });
    expect(accountQueryOf({ order: "nearest" })).toMatchObject({ status: "active" });
  });
});
