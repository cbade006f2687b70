import { describe, expect, test } from "vitest";
import { dollars, price, ratio, roundUsd } from "../units.ts";
import { feeOf } from "./fees.ts";
import { slippageOf, slippedPrice } from "./slippage.ts";
import { roundToTick } from "./tick.ts";

describe("fees of a fill [D6.fees]", () => {
  test.each([
    // Each row: the value of a fill, the fee ratio and the fee.
    [150_000, 0.0003, 45],
    [10_000, 0.0001, 1],
    [100_000, 0.00005, 5],
    [12_100, 0, 0],
    // The exact fee is 0.0237585 USD, which ends in half a micro dollar and is rounded up.
    [79.195, 0.0003, 0.023759],
    [0.005, 0.0003, 0.000002],
  ])("a fill of %d at a fee ratio of %d costs %d", (value, share, fee) => {
    expect(dollars(feeOf({ feeRatio: ratio(share) }, roundUsd(value)))).toBe(fee);
  });
});

describe("slippage [D5.market]", () => {
  const linear = {
    slippage: {
      kind: "linear",
      freeUpTo: roundUsd(10_000),
      perMillion: ratio(0.01),
      most: ratio(0.002),
    },
  } as const;

  test.each([
    // Each row: the value of a fill, and its slippage as a fraction of the quote.
    [10_000, 0],
    [100_000, 0.001],
    [1_000_000, 0.002],
  ])("an order of %d slips %d", (value, share) => {
    expect(slippageOf(linear, roundUsd(value))).toBe(share);
    expect(slippageOf({ slippage: { kind: "none" } }, roundUsd(value))).toBe(0);
  });

  test("slippage is always against the trader, and zero slippage keeps the quote", () => {
    expect(slippedPrice(price(100), "long", ratio(0.001))).toBe(100.1);
    expect(slippedPrice(price(100), "short", ratio(0.001))).toBe(99.9);
    expect(slippedPrice(price(0.1 + 0.2), "long", ratio(0))).toBe(0.1 + 0.2);
  });
});

describe("ticks [D6.ticks]", () => {
  test.each([
    [1.100004, 0.00001, 1.1],
    [0.1 + 0.2, 0.1, 0.3],
    [0.000001, 0.01, 0.01],
    [151.4996, 0.001, 151.5],
  ])("%d rounds by a tick of %d to %d", (value, tick, rounded) => {
    expect(roundToTick({ tick: price(tick) }, value)).toBe(rounded);
  });
});
