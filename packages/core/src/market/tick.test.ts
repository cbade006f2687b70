import { describe, expect, test } from "vitest";
import { price } from "../units.ts";
import { multiplesAround } from "./tick.ts";

describe("multiples of a step [D6.priceStep]", () => {
  test.each([
    // Each row: the value and the step.
    [0.1 + 0.2, 0.01],
    [1.1 * 3, 0.01],
    [104_000, 0.01],
    [104_000.07, 0.01],
    [4.9005, 0.0005],
    [151.501, 0.001],
    [1.00001, 0.00001],
    [0.000000003, 1e-9],
    [0.123456789, 1e-9],
    [104_000.123456, 1e-9],
    [1_000_000_000, 1e-9],
    [1_000_000_000, 1_000_000_000],
    [7, 0.1],
    [0.7, 0.1],
  ])("%d is a multiple of %d", (value, step) => {
    expect(multiplesAround(price(step), value)).toBeNull();
  });

  test.each([
    // Each row: the value, the step, and the multiples of the step below and above the value.
    [0.305, 0.01, 0.3, 0.31],
    [104_000.005, 0.01, 104_000, 104_000.01],
    [151.4996, 0.001, 151.499, 151.5],
    [4.9004, 0.0005, 4.9, 4.9005],
    [0.00000000049, 1e-9, null, 1e-9],
    [1e-12, 0.01, null, 0.01],
    [0.999, 1, null, 1],
    [1.23456789012, 0.00001, 1.23456, 1.23457],
  ])("%d is none of %d: between %d and %d", (value, step, below, above) => {
    expect(multiplesAround(price(step), value)).toEqual({ below, above });
  });
});
