import { describe, expect, test } from "vitest";
import { ACCOUNT_ELIMINATED, ACCOUNT_PRO, ACCOUNT_STATIC } from "./accounts.ts";
import { PENDING_ORDERS, POSITIONS, TRADES } from "./listings.ts";
import { ORDER_FILLED, ORDER_RESTING } from "./order-results.ts";

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

type Known<Fields> = { readonly [Name in keyof Fields]: NonNullable<Fields[Name]> };

function isKnown<Fields extends object>(fields: Fields): fields is Fields & Known<Fields> {
  return Object.values(fields).every((value) => value !== null);
}

/**
 * Returns the fields with a type without null. The examples are from the service's own network, so every figure is
 * known. Throws when one is null.
 */
function known<Fields extends object>(fields: Fields): Fields & Known<Fields> {
  if (isKnown(fields)) return fields;
  throw new Error("a figure of an example is null");
}

describe("the figures of the examples are consistent [D4.changes] [D4.drawdown]", () => {
  test.each([
    ["static", ACCOUNT_STATIC],
    ["pro", ACCOUNT_PRO],
    ["eliminated", ACCOUNT_ELIMINATED],
  ])(
    "the figures of the %s account add up",
    (_, { evaluation, account: figures, challenge: goal, drawdownRules, performance }) => {
      // `todayPnl` and its percent are null for an account that has ended.
      const { todayPnl: _pnl, todayPnlPct: _pct, ...always } = figures;
      const account = known(always);
      const challenge = known(goal);
      const size = evaluation.effectiveAccountSizeNumeric;
      expect(account.balanceChange).toBeCloseTo(account.currentBalance - size, 6);
      expect(account.balanceChangePercent).toBeCloseTo((account.balanceChange / size) * 100, 6);
      expect(account.currentEquity).toBeCloseTo(account.currentBalance + account.openPnL, 6);
      expect(account.totalPnL).toBeCloseTo(account.currentEquity - size, 6);
      expect(account.totalPnLPercent).toBeCloseTo((account.totalPnL / size) * 100, 6);
      expect(account.portfolioBalance).toBeCloseTo(account.currentBalance * account.maxLeverage, 6);
      const { sumPositionValue } = known(account.portfolioBalanceBreakdown);
      expect(account.currentLeverage).toBeCloseTo(sumPositionValue / account.currentBalance, 6);
      expect(account.buyingPower).toBeCloseTo(account.portfolioBalance - sumPositionValue, 6);
      expect(account.availableMargin).toBeCloseTo(account.buyingPower / account.maxLeverage, 6);
      const gain = Math.min(account.currentBalance, account.currentEquity) - size;
      expect(challenge.remaining).toBeCloseTo(challenge.profitTarget - gain, 6);
      const { highWaterMark, allowedDrawdown, currentDrawdown } = known(
        challenge.drawdownBreakdown,
      );
      expect(allowedDrawdown).toBeCloseTo((highWaterMark * challenge.maxDrawdown) / 100, 6);
      expect(drawdownRules?.maxLoss.usedPct).toBeCloseTo(
        (currentDrawdown / highWaterMark) * 100,
        6,
      );
      const daily = drawdownRules?.dailyLoss;
      const lost = Math.max(0, (daily?.dayStartEquity ?? 0) - account.currentEquity);
      const allowed = ((daily?.dayStartEquity ?? 0) * (daily?.limitPct ?? 0)) / 100;
      expect(daily?.remaining).toBeCloseTo(Math.max(0, allowed - lost), 6);
      expect(drawdownRules?.maxLoss.remaining).toBe(challenge.drawdownBreakdown.remainingDrawdown);
      const closed = performance.totalTrades - account.openPositions;
      expect(performance.winRate).toBeCloseTo((performance.totalWins / closed) * 100, 6);
    },
  );

  test.each([
    ["static", ACCOUNT_STATIC],
    ["pro", ACCOUNT_PRO],
    ["eliminated", ACCOUNT_ELIMINATED],
  ])(
    "the list of the %s account's limits has the figures of both specified limits [D4.limits]",
    (_account, { account, drawdownRules }) => {
      if (drawdownRules === null) throw new Error("the examples have limits");
      const { dailyLoss, maxLoss, limits } = drawdownRules;
      const { dayStartEquity, ...daily } = dailyLoss;
      expect(limits).toMatchObject([
        { ...daily, rule: "dailyLoss", anchorEquity: dayStartEquity },
        maxLoss,
      ]);
      expect(limits[0]?.measuredEquity).toBe(account.currentEquity);
      for (const { allowed, anchorEquity, limitPct, floor } of limits) {
        const limit = known({ allowed, anchorEquity, limitPct, floor });
        expect(limit.allowed).toBeCloseTo((limit.anchorEquity * limit.limitPct) / 100, 6);
        expect(limit.floor).toBeCloseTo(limit.anchorEquity - limit.allowed, 6);
      }
      for (const { equityNow, usedPctNow, remainingNow, anchorEquity, floor } of limits) {
        expect(equityNow).toBe(account.currentEquity);
        expect(remainingNow).toBeCloseTo(equityNow - floor, 6);
        const lost = Math.max(0, anchorEquity - equityNow);
        expect(usedPctNow).toBeCloseTo((lost / anchorEquity) * 100, 6);
      }
    },
  );

  test("the static account's equity at its breach price is on the floor [D4.outlook]", () => {
    const { drawdownRules } = ACCOUNT_STATIC;
    const account = known(ACCOUNT_STATIC.account);
    const [position] = POSITIONS;
    const equityAt = (price: number) =>
      account.currentBalance +
      (price - (position?.averageEntryPrice ?? 0)) * (position?.netQuantity ?? 0);
    expect(equityAt(drawdownRules?.dailyLoss.breachPrice ?? 0)).toBeCloseTo(100_481.7 * 0.95, 6);
    expect(equityAt(drawdownRules?.maxLoss.breachPrice ?? 0)).toBeCloseTo(95_000, 6);
  });

  test("the static account's breach move and breach price are one place [D12.breachMove] [D12.breachAlone]", () => {
    const [position] = POSITIONS;
    const mark = 91_000;
    for (const { breachPrice, breachMovePct } of ACCOUNT_STATIC.drawdownRules?.limits ?? []) {
      const limit = known({ breachPrice, breachMovePct });
      expect(mark * (1 - limit.breachMovePct / 100)).toBeCloseTo(limit.breachPrice, 2);
    }
    expect(position?.breachPriceAlone).toBe(ACCOUNT_STATIC.drawdownRules?.dailyLoss.breachPrice);
  });

  test.each([
    ["static", ACCOUNT_STATIC],
    ["pro", ACCOUNT_PRO],
  ])("the %s account's profit of today is since the day's start [D13.todayPnl]", (_, example) => {
    const start = example.drawdownRules?.dailyLoss.dayStartEquity ?? Number.NaN;
    const { todayPnl, todayPnlPct, currentEquity } = example.account;
    expect(todayPnl).toBeCloseTo(currentEquity - start, 6);
    expect(todayPnlPct).toBeCloseTo(((currentEquity - start) / start) * 100, 6);
  });

  test("the pro account's balance and objectives follow from its days", () => {
    const { performance, proTrack } = ACCOUNT_PRO;
    const account = known(ACCOUNT_PRO.account);
    const days = performance.dailyReturns.map(({ value }) => value / 100);
    const grown = days.reduce((equity, day) => equity * (1 + day), 200_000);
    expect(grown).toBeCloseTo(account.currentBalance, 6);
    const full = days.slice(1);
    const returned = account.balanceChange / 200_000;
    const values = proTrack?.objectives.map(({ value }) => value);
    expect(values?.[0]).toBeCloseTo(returned, 9);
    expect(values?.[1]).toBeCloseTo(returned / ((proTrack?.maxDrawdownPercent ?? 0) / 100), 9);
    expect(values?.[2]).toBeCloseTo(Math.max(...full) / sum(full), 9);
    expect([values?.[3], ACCOUNT_PRO.tradingDays]).toEqual([full.length, full.length]);
  });

  test("the static account's lists add up to its ledger", () => {
    const trades = TRADES.map(({ realizedPnl, totalFees }) => known({ realizedPnl, totalFees }));
    const realized = sum(trades.map(({ realizedPnl }) => realizedPnl));
    const openFee = ORDER_FILLED.order?.fee ?? Number.NaN;
    const fees = sum(trades.map(({ totalFees }) => totalFees)) + openFee;
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
