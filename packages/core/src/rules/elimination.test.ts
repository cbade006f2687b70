import { describe, expect, test } from "vitest";
import { AT, madeAccount } from "../testing/made-account.ts";
import { roundUsd } from "../units.ts";
import { eliminationBy, eliminationReason } from "./elimination.ts";
import { liveBreach } from "./registry.ts";

describe("the network's reason codes [D3.eliminationReason]", () => {
  test.each([
    ["challenge", "dailyLoss", "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN"],
    ["challenge", "staticLoss", "FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN"],
    ["challenge", "endOfDayTrailing", "FAILED_CHALLENGE_PERIOD_EOD_DRAWDOWN"],
    ["funded", "dailyLoss", "FAILED_FUNDED_PERIOD_INTRADAY_DRAWDOWN"],
    ["funded", "staticLoss", "FAILED_FUNDED_PERIOD_STATIC_DRAWDOWN"],
    ["funded", "endOfDayTrailing", "FAILED_FUNDED_PERIOD_EOD_DRAWDOWN"],
    ["proTransition", "dailyLoss", "FAILED_FUNDED_PERIOD_INTRADAY_DRAWDOWN"],
    ["proChallengeDirect", "dailyLoss", "FAILED_PRO_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN"],
    ["proChallengeFromStandard", "endOfDayTrailing", "FAILED_PRO_CHALLENGE_PERIOD_EOD_DRAWDOWN"],
    ["proFunded", "endOfDayTrailing", "FAILED_PRO_FUNDED_PERIOD_EOD_DRAWDOWN"],
  ] as const)("%s by %s is %s", (phase, rule, reason) => {
    expect(eliminationReason(phase, rule)).toBe(reason);
  });

  test("an elimination keeps the time and the used percent of the limit that was passed [S2.1.3]", () => {
    const account = madeAccount();
    const breach = liveBreach(account, roundUsd(94_000));
    expect(breach).not.toBeNull();
    expect(breach && eliminationBy(account, breach, AT)).toEqual({
      reason: "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN",
      atMs: 1_700_000_000_000,
      drawdownPct: 6,
    });
  });
});
