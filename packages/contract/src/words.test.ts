import { describe, expect, test } from "vitest";
import { lossRuleLabel } from "./words.ts";

describe("the label of a loss limit [D4.limits]", () => {
  test.each([
    ["dailyLoss", "Daily loss"],
    ["static", "Maximum loss"],
    ["eod_trailing", "Trailing loss"],
    // Words that this release does not know.
    ["hourly_loss", "Hourly loss"],
    ["hourlyLoss", "Hourly loss"],
    ["constructor", "Constructor"],
  ])("the label of %s is %s", (rule, label) => {
    expect(lossRuleLabel(rule)).toBe(label);
  });
});
