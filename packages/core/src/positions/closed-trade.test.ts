import { expect, test } from "vitest";
import { createTestPosition, TEST_TIME_MS } from "../testing/test-account.ts";
import { quantity, roundUsd } from "../units.ts";
import { createTrade } from "./closed-trade.ts";

/** A long of one BTC from 50,000 that was closed at 40,000. */
const position = {
  ...createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 }),
  exitPriceQuantity: 40_000 * 100_000,
  exitQuantity: quantity(100_000),
  realizedPnl: roundUsd(-10_000),
};
const closing = {
  position,
  legs: [],
  accountSize: roundUsd(100_000),
  atMs: TEST_TIME_MS,
  status: "liquidated",
} as const;

test("a trade's leverage is the opened value over the balance at its first fill, and its return is on the size [S2.4] [D4.returns] [D10.tradeLeverage]", () => {
  // 1 BTC at 50,000 and 1 BTC at 46,000 are 1.2 times the balance of 80,000. Later losses do not change this leverage.
  const added = {
    ...position,
    cumulativeEntryValue: roundUsd(96_000),
    openingBalance: roundUsd(80_000),
  };
  const trade = createTrade({ ...closing, position: added });
  expect([trade.leverage, trade.returnAtClose, trade.averageExitPrice]).toEqual([1.2, 0.9, 40_000]);
});
