import { pairId } from "@propgate/core";
import { expect, test } from "vitest";
import { madeQuote } from "../../../../server/src/testing/made-quote.ts";
import { createPriceTrends } from "./price-trends.ts";

const BTC = pairId("BTCUSD");

function trendAfter(...prices: readonly number[]): number {
  const trends = createPriceTrends();
  for (const at of prices) trends.addQuote(madeQuote("BTCUSD", at, at, 0));
  return trends.trendOf(BTC);
}

test("a pair without a step has no trend", () => {
  expect(trendAfter()).toBe(0);
  expect(trendAfter(100)).toBe(0);
  expect(trendAfter(100, 100)).toBe(0);
});

test("prices that only fall have a full trend, and those that only rise the opposite one", () => {
  expect(trendAfter(100, 99, 98, 97)).toBeCloseTo(-1, 9);
  expect(trendAfter(100, 101, 102, 103)).toBeCloseTo(1, 9);
});

test("a price that goes both ways has almost no trend, and old steps are forgotten", () => {
  const both = Array.from({ length: 200 }, (_, index) => 100 + (index % 2));
  expect(Math.abs(trendAfter(...both))).toBeLessThan(0.05);
  const falling = Array.from({ length: 200 }, (_, index) => 200 - index * 0.1);
  expect(trendAfter(100, 200, ...falling)).toBeLessThan(-0.8);
});
