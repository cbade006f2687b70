import { describe, expect, test } from "vitest";
import { exactMoney, sharedDigits } from "./exact-money.ts";

describe("amounts shown together", () => {
  test.each([
    [[], 2],
    [[320, 400.5, -0.25], 2],
    [[0.1, 0.2, 100.005], 3],
    [[1.000001, 2], 6],
    [[null, undefined, 7], 2],
  ])("the amounts %j are shown with %i digits", (amounts, digits) => {
    expect(sharedDigits(amounts)).toBe(digits);
  });

  test("amounts have the given digits, and a loss has a sign", () => {
    const { as, faint } = exactMoney(sharedDigits([1_234.567]));
    expect([as(1_234.567), as(-2), as(null), faint]).toEqual(["1,234.567", "−2.000", "--", 1]);
  });
});
