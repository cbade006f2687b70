import { describe, expect, test } from "vitest";
import { createTestAccount, TEST_TIME_MS } from "../testing/test-account.ts";
import { roundUsd } from "../units.ts";
import { eliminationByBreach } from "./elimination-cause.ts";
import { liveBreach } from "./registry.ts";

describe("the cause of an elimination", () => {
  test("an elimination keeps the limit, the time and the used percent of the breach [S2.1.3]", () => {
    const account = createTestAccount();
    const breach = liveBreach(account, roundUsd(94_000));
    expect(breach).not.toBeNull();
    expect(breach && eliminationByBreach(account, breach, TEST_TIME_MS)).toEqual({
      cause: {
        kind: "lossLimit",
        phase: "challenge",
        rule: "dailyLoss",
        measured: 94_000_000_000,
        floor: 95_000_000_000,
      },
      atMs: 1_700_000_000_000,
      drawdownPct: 6,
    });
  });

  test.each([
    ["challenge", "challenge"],
    ["funded", "funded"],
    ["proTransition", "funded"],
    ["proChallengeDirect", "proChallenge"],
    ["proChallengeFromStandard", "proChallenge"],
    ["proFunded", "proFunded"],
  ] as const)("an account in %s fails in %s [D3.eliminationReason]", (phase, failed) => {
    const account = createTestAccount({ phase });
    const breach = liveBreach(account, roundUsd(90_000));
    expect(breach && eliminationByBreach(account, breach, TEST_TIME_MS).cause).toMatchObject({
      phase: failed,
    });
  });
});
