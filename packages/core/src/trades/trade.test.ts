import { expect, test } from "vitest";
import { AT, madePosition } from "../testing/made-account.ts";
import { microUsd, quantity, roundUsd } from "../units.ts";
import { closedTrade } from "./trade.ts";

/** One BTC from 50,000 to 40,000. */
const position = {
  ...madePosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 }),
  exitPriceQuantity: 40_000 * 100_000,
  exitQuantity: quantity(100_000),
  realizedPnl: roundUsd(-10_000),
};
const closing = {
  position,
  legs: [],
  accountSize: roundUsd(100_000),
  atMs: AT,
  status: "liquidated",
} as const;

test("its leverage is the value opened over the balance, its return on the size [S2.4] [D4.returns]", () => {
  const trade = closedTrade({ ...closing, balance: roundUsd(80_000) });
  expect([trade.leverage, trade.returnAtClose, trade.averageExitPrice]).toEqual([
    0.625, 0.9, 40_000,
  ]);
});

test.each([0, -1])("a balance of %d has no multiple, and the account still ends [S2.4]", (left) => {
  expect(closedTrade({ ...closing, balance: microUsd(left) }).leverage).toBe(0);
});
