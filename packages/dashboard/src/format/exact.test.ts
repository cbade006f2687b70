import { describe, expect, test } from "vitest";
import { decimalText, sumKnownUsd, sumUsd } from "./exact.ts";

describe("exact figures", () => {
  test.each([
    [[0.1, 0.2], 0.3],
    [[1_000, -18.3, -500], 481.7],
    [[0.000001, 0.000001], 0.000002],
    [[], 0],
  ])("the amounts %j add up to exactly %d", (amounts, sum) => {
    expect(sumUsd(amounts)).toBe(sum);
  });

  test.each([
    [[0.1, 0.2], 0.3],
    [[], 0],
    [[1, null], null],
    [[null], null],
  ])("the amounts %j, of which some may be unknown, add up to %s", (amounts, sum) => {
    expect(sumKnownUsd(amounts)).toBe(sum);
  });

  test.each([
    [100_468.2, "100468.2"],
    [-0.5, "-0.5"],
    [0.0000001, "0.0000001"],
    [-1.25e-7, "-0.000000125"],
    [1e21, "1000000000000000000000"],
    [1.5e21, "1500000000000000000000"],
  ])("the number %d is written %s", (value, text) => {
    expect(decimalText(value)).toBe(text);
  });
});
