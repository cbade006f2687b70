import { describe, expect, test } from "vitest";
import { paidAmountOf } from "./paid-amount.ts";

const NUMBER = "Enter a number with a point, such as 969.70.";
const NEAR = "Enter an amount at most a cent from 1234.5678.";

describe("the typed amount of a payment [D7.paidAmount]", () => {
  test.each([
    ["1234.56", 1234.56],
    ["1234.57", 1234.57],
    [" 1234.570 ", 1234.57],
    ["", null],
  ])("the amount %j is accepted", (typed, usd) => {
    expect(paidAmountOf(typed, 1234.5678)).toEqual({ usd, problem: null });
  });

  test.each([
    ["1,234.56", NUMBER],
    ["-1234.57", NUMBER],
    ["all", NUMBER],
    ["1234.568", "Enter whole cents, such as 969.70."],
    ["1234.55", NEAR],
    ["1234.58", NEAR],
  ])("the problem of the amount %j is named", (typed, problem) => {
    expect(paidAmountOf(typed, 1234.5678)).toEqual({ usd: null, problem });
  });

  test("an amount exactly a cent away is accepted", () => {
    expect(paidAmountOf("0.30", 0.29)).toEqual({ usd: 0.3, problem: null });
  });
});
