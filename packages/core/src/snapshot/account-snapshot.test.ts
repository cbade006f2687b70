import { describe, expect, test } from "vitest";
import type { AccountState } from "../state/account.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { dollars, leverage, microUsd, percent, roundUsd } from "../units.ts";
import { type AccountSnapshot, accountSnapshot } from "./account-snapshot.ts";

const LONG_BTC = createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 });
const SHORT_EURUSD = createTestPosition({
  pair: "EURUSD",
  direction: "short",
  lots: 0.5,
  entry: 1.1,
  entryUsd: 55_000,
});

function snapshot(
  changes: Partial<AccountState>,
  prices: Parameters<typeof createTestMarket>[0] = {},
): AccountSnapshot {
  const read = accountSnapshot(createTestAccount(changes), {
    ...createTestMarket(prices),
    now: TEST_TIME_MS,
  });
  if (!read.ok) throw new Error(`a mark for ${read.refusal.pair}`);
  return read.value;
}

describe("the account's figures [S2.1]", () => {
  test("a new account has its size, no positions and nothing used", () => {
    const read = snapshot({});
    expect(dollars(read.balance)).toBe(100_000);
    expect(dollars(read.equity)).toBe(100_000);
    expect(read.currentLeverage).toBe(0);
    expect(read.maxLeverage).toBe(15);
    expect(dollars(read.buyingPower)).toBe(1_500_000);
    expect(dollars(read.availableMargin)).toBe(100_000);
    expect(dollars(read.profitTarget)).toBe(10_000);
    expect(dollars(read.profitRemaining)).toBe(10_000);
    expect(read.drawdown.limits[0]?.usedPct).toBe(0);
  });

  test("balance is size + realized − fees; equity adds the open PnL at bid and ask [D4.balance]", () => {
    const read = snapshot(
      {
        realized: roundUsd(1_000),
        fees: roundUsd(45),
        positions: [LONG_BTC, SHORT_EURUSD],
      },
      { BTCUSD: [51_000, 51_010], EURUSD: [1.09, 1.092] },
    );
    expect(dollars(read.balance)).toBe(100_955);
    // BTC gains 1,000 at its bid, and the short of EURUSD gains (1.1 − 1.092) × 50,000 = 400 at its ask.
    expect(dollars(read.openPnl)).toBe(1_400);
    expect(dollars(read.equity)).toBe(102_355);
    // The sum of both position values: 51,000 + 54,600.
    expect(dollars(read.positionValue)).toBe(105_600);
    expect(read.currentLeverage).toBeCloseTo(1.046, 3);
    expect(dollars(read.capitalUsed)).toBe(105_000);
    // The balance times the cap, less the position value: 100,955 × 15 − 105,600.
    expect(dollars(read.buyingPower)).toBe(1_408_725);
    expect(dollars(read.availableMargin)).toBe(93_915);
    expect(read.openPositions).toBe(2);
  });

  test("buying power is never below zero [D4.buyingPower]", () => {
    const terms = { ...CLASSIC_TERMS, portfolioCap: leverage(0.4) };
    const read = snapshot({ terms, positions: [LONG_BTC] }, { BTCUSD: 50_000 });
    expect(dollars(read.buyingPower)).toBe(0);
    expect(dollars(read.availableMargin)).toBe(0);
  });

  test("an account with an unpriced position has no figures, and the refusal names the pair", () => {
    const account = createTestAccount({ positions: [LONG_BTC, SHORT_EURUSD] });
    expect(
      accountSnapshot(account, { ...createTestMarket({ BTCUSD: 50_000 }), now: TEST_TIME_MS }),
    ).toEqual({
      ok: false,
      refusal: { code: "missingMark", pair: "EURUSD" },
    });
  });
});

describe("progress of the challenge [D4.remaining]", () => {
  test.each([
    // Each row: the realized profit, the bid of BTC bought at 50,000, and the profit that remains to the target.
    [0, 50_000, 10_000],
    [4_000, 53_000, 6_000],
    [4_000, 47_000, 9_000],
    [0, 44_000, 16_000],
    [12_000, 50_000, 0],
  ])("%d realized and a bid of %d leave %d to the target", (realized, bid, remaining) => {
    const state = { realized: roundUsd(realized), positions: [LONG_BTC] };
    expect(dollars(snapshot(state, { BTCUSD: bid }).profitRemaining)).toBe(remaining);
  });

  test("a funded account has passed and has no target", () => {
    const read = snapshot({ phase: "funded" });
    expect(read.isPassed).toBe(true);
    expect(read.profitTargetPct).toBe(0);
    expect(read.profitTarget).toBe(0);
    expect(read.profitRemaining).toBe(0);
  });

  test("a forex account has the lower target", () => {
    const challenge = { ...CLASSIC_TERMS.challenge, profitTargetPct: percent(8) };
    const read = snapshot({ terms: { ...CLASSIC_TERMS, challenge } });
    expect(dollars(read.profitTarget)).toBe(8_000);
  });
});

describe("performance [D4.performance]", () => {
  test("rates are 0 and the average time held is unknown without closed trades [D4.performance]", () => {
    const { performance } = snapshot({});
    expect(performance.winRatePct).toBe(0);
    expect(performance.averageTradePnl).toBe(0);
    expect(performance.averageHeldMs).toBeNull();
  });

  test("the win rate uses closed trades, the average trade is net of fees, and open positions count as trades", () => {
    const record = { trades: 3, wins: 2, netPnl: roundUsd(-100), heldMs: 9_000 };
    const { performance } = snapshot({ record, positions: [LONG_BTC] }, { BTCUSD: 50_000 });
    expect(performance.totalTrades).toBe(4);
    expect(performance.closedTrades).toBe(3);
    expect(performance.winRatePct).toBeCloseTo(66.6667, 4);
    expect(performance.averageTradePnl).toBe(microUsd(-33_333_333));
    expect(performance.averageHeldMs).toBe(3_000);
  });
});
