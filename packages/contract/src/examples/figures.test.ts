import { describe, expect, test } from "vitest";
import { ACCOUNT_ELIMINATED, ACCOUNT_PRO, ACCOUNT_STATIC } from "./accounts.ts";
import { PENDING_ORDERS, POSITIONS, TRADES } from "./listings.ts";
import { ORDER_FILLED, ORDER_RESTING } from "./order-results.ts";

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

describe("the examples' figures belong together [D4.changes] [D4.drawdown]", () => {
  test.each([
    ["static", ACCOUNT_STATIC],
    ["pro", ACCOUNT_PRO],
    ["eliminated", ACCOUNT_ELIMINATED],
  ])("%s account", (_, { evaluation, account, challenge, drawdownRules, performance }) => {
    const size = evaluation.effectiveAccountSizeNumeric;
    expect(account.balanceChange).toBeCloseTo(account.currentBalance - size, 6);
    expect(account.balanceChangePercent).toBeCloseTo((account.balanceChange / size) * 100, 6);
    expect(account.currentEquity).toBeCloseTo(account.currentBalance + account.openPnL, 6);
    expect(account.totalPnL).toBeCloseTo(account.currentEquity - size, 6);
    expect(account.totalPnLPercent).toBeCloseTo((account.totalPnL / size) * 100, 6);
    expect(account.portfolioBalance).toBeCloseTo(account.currentBalance * account.maxLeverage, 6);
    const { sumPositionValue } = account.portfolioBalanceBreakdown;
    expect(account.currentLeverage).toBeCloseTo(sumPositionValue / account.currentBalance, 6);
    expect(account.buyingPower).toBeCloseTo(account.portfolioBalance - sumPositionValue, 6);
    expect(account.availableMargin).toBeCloseTo(account.buyingPower / account.maxLeverage, 6);
    const gain = Math.min(account.currentBalance, account.currentEquity) - size;
    expect(challenge.remaining).toBeCloseTo(challenge.profitTarget - gain, 6);
    const { highWaterMark, allowedDrawdown, currentDrawdown } = challenge.drawdownBreakdown;
    expect(allowedDrawdown).toBeCloseTo((highWaterMark * challenge.maxDrawdown) / 100, 6);
    expect(drawdownRules?.maxLoss.usedPct).toBeCloseTo((currentDrawdown / highWaterMark) * 100, 6);
    const closed = performance.totalTrades - account.openPositions;
    expect(performance.winRate).toBeCloseTo((performance.totalWins / closed) * 100, 6);
  });

  test("the static account's lists add up to its ledger", () => {
    const realized = sum(TRADES.map((trade) => trade.realizedPnl));
    const openFee = ORDER_FILLED.order?.fee ?? Number.NaN;
    const fees = sum(TRADES.map((trade) => trade.totalFees)) + openFee;
    expect(ACCOUNT_STATIC.account.totalRealizedPnl).toBeCloseTo(realized, 6);
    expect(ACCOUNT_STATIC.account.currentBalance).toBeCloseTo(100_000 + realized - fees, 6);
    expect(sum(POSITIONS.map((one) => one.unrealizedPnl ?? Number.NaN))).toBe(500);
    expect(POSITIONS[0]?.positionUuid).toBe(ORDER_FILLED.order_uuid);
    expect(PENDING_ORDERS.map((order) => order.orderUuid)).toEqual([
      ORDER_FILLED.order?.bracketOrders?.[0]?.orderUuid,
      ORDER_RESTING.order_uuid,
    ]);
  });
});
