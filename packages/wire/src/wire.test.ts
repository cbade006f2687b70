import { ELIMINATION_REASONS } from "@propgate/contract";
import { type ExposureCap, leverage, microUsd } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { eliminationReason, exposureCapText, isInactivity } from "./wire.ts";

describe("the reasons of eliminations on the wire [D3.eliminationReason]", () => {
  test.each([
    ["challenge", "dailyLoss", "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN"],
    ["challenge", "staticLoss", "FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN"],
    ["challenge", "endOfDayTrailing", "FAILED_CHALLENGE_PERIOD_EOD_DRAWDOWN"],
    ["funded", "dailyLoss", "FAILED_FUNDED_PERIOD_INTRADAY_DRAWDOWN"],
    ["funded", "staticLoss", "FAILED_FUNDED_PERIOD_STATIC_DRAWDOWN"],
    ["funded", "endOfDayTrailing", "FAILED_FUNDED_PERIOD_EOD_DRAWDOWN"],
    ["proChallenge", "dailyLoss", "FAILED_PRO_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN"],
    ["proChallenge", "endOfDayTrailing", "FAILED_PRO_CHALLENGE_PERIOD_EOD_DRAWDOWN"],
    ["proFunded", "dailyLoss", "FAILED_PRO_FUNDED_PERIOD_INTRADAY_DRAWDOWN"],
    ["proFunded", "endOfDayTrailing", "FAILED_PRO_FUNDED_PERIOD_EOD_DRAWDOWN"],
  ] as const)("a breach in %s by %s is %s", (phase, rule, reason) => {
    const figures = { measured: microUsd(94_000_000_000), floor: microUsd(95_000_000_000) };
    const cause = { kind: "lossLimit", phase, rule, ...figures } as const;
    expect(eliminationReason(cause)).toBe(reason);
    expect(ELIMINATION_REASONS).toContain(reason);
    expect(isInactivity(cause)).toBe(false);
  });

  test("inactivity is INACTIVE, and an operator's own words stay as they are [S2.1.3]", () => {
    expect(eliminationReason({ kind: "inactivity" })).toBe("INACTIVE");
    expect(isInactivity({ kind: "inactivity" })).toBe(true);
    const cause = { kind: "operator", reason: "by hand" } as const;
    expect(eliminationReason(cause)).toBe("by hand");
    expect(isInactivity(cause)).toBe(false);
    expect(isInactivity({ kind: "operator", reason: "INACTIVE" })).toBe(true);
  });
});

describe("the names of caps on the wire [D5.caps]", () => {
  const rows: readonly (readonly [ExposureCap, string])[] = [
    [{ cap: leverage(1.5), of: { kind: "pair" } }, "per pair cap 1.5x"],
    [{ cap: leverage(1), of: { kind: "class", assetClass: "crypto" } }, "per class cap crypto 1x"],
    [
      { cap: leverage(30), of: { kind: "group", group: "currency:USD" } },
      "currency:USD exposure cap 30x",
    ],
    [{ cap: leverage(15), of: { kind: "portfolio" } }, "overall portfolio cap 15x"],
  ];

  test.each(rows)("%j is %s", (cap, text) => {
    expect(exposureCapText(cap)).toBe(text);
  });
});
