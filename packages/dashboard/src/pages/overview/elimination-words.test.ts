import { ELIMINATION_REASONS, INACTIVITY_REASON } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { eliminationWords } from "./elimination-words.ts";

const wordsOf = (reason: string | null) =>
  eliminationWords({
    reason,
    atMs: 1_767_777_300_000,
    drawdownPct: null,
    forInactivity: reason === INACTIVITY_REASON,
  });

describe("why an account ended", () => {
  test.each(ELIMINATION_REASONS)("the reason %s has its own text", (reason) => {
    const { rule } = wordsOf(reason);
    expect(rule).not.toContain("_");
    expect(rule).not.toContain(reason);
  });

  test("every reason has a different text", () => {
    const rules = ELIMINATION_REASONS.map((reason) => wordsOf(reason).rule);
    expect(new Set(rules).size).toBe(ELIMINATION_REASONS.length);
  });

  test.each([
    [
      "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN",
      "The daily loss limit was passed in the evaluation",
    ],
    [
      "FAILED_PRO_FUNDED_PERIOD_EOD_DRAWDOWN",
      "The trailing loss limit was passed in the funded pro phase",
    ],
    ["INACTIVE", "The account was inactive"],
    ["shared with another trader", "Your firm ended the account: shared with another trader"],
    [null, "No reason was recorded"],
  ])("the reason %s reads as: %s", (reason, rule) => {
    expect(wordsOf(reason).rule).toBe(rule);
  });

  test("an account without an elimination has no reason", () => {
    expect(eliminationWords(null).rule).toBe("No reason was recorded");
  });
});
