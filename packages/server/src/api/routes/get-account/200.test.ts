import type { Account } from "@propgate/contract";
import { ownerId } from "@propgate/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Harness } from "../../../testing/harness.ts";
import { PRO_TERMS } from "../../../testing/scripted-account.ts";
import type { Signer } from "../../../testing/signed-request.ts";

describe("GET account answers 200", () => {
  const { service, call } = openEndpointUnderTest("getAccount");

  test("a fresh account reads as it was sold [S2.1] [S2.1.1] [S2.1.breakdown] [D3.words] [D3.title] [D4.changes] [D4.firstDay]", async () => {
    const accountId = await service().newAccount({ ownerId: ownerId("of one account") });
    const reply = await call({ signer: await service().newKey({ accountId }) });
    expect(reply.json()).toEqual({ success: true, data: { ...FRESH, accountId } });
  });

  test("an open position shows in equity, leverage and buying power [D4.leverage] [D4.buyingPower] [D4.capitalUsed] [D4.portfolioBalance] [D4.outlook] [D12.limitNow] [D12.breachMove] [D13.todayPnl]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    await service().quote("BTCUSD", 50_000, 50_000);
    const long = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
    await service().order({ ...long, quantity: 1 }, { signer });
    await service().quote("BTCUSD", 51_000, 51_000);
    const reply = await call({ signer });
    // Fee 0.03 % of 50,000: 15. Balance 99,985; value 51,000.
    expect(reply.json()).toMatchObject({
      data: {
        account: {
          currentBalance: 99_985,
          currentEquity: 100_985,
          totalPnL: 985,
          openPnL: 1000,
          openPnLPercent: 1,
          // The fee is a cost of today.
          todayPnl: 985,
          todayPnlPct: 0.985,
          openPositions: 1,
          portfolioBalance: 1_499_775,
          leverage: "Current - 0.5101x / Max - 15x",
          buyingPower: 1_448_775,
          availableMargin: 96_585,
          capitalUsed: 50_000,
        },
        // 4,985 above the floor of 95,000, on one bitcoin from 50,000.
        drawdownRules: {
          dailyLoss: { remaining: 5000, nextCheckMs: null, breachPrice: 45_015 },
          maxLoss: {
            usedPct: 0,
            measuredEquity: 100_985,
            remaining: 5000,
            nextCheckMs: null,
            breachPrice: 45_015,
          },
          // 5,985 above the floor, on a value of 51,000.
          limits: [
            { equityNow: 100_985, usedPctNow: 0, remainingNow: 5985, breachMovePct: 11.7352941176 },
            { equityNow: 100_985, usedPctNow: 0, remainingNow: 5985, breachMovePct: 11.7352941176 },
          ],
        },
      },
    });
  });

  test("an eliminated account is still read [D8.states] [S2.1.3]", async () => {
    const accountId = await service().newAccount();
    const signer = await service().newKey({ accountId });
    await service().accounts.eliminate(accountId, "INACTIVE");
    const reply = await call({ signer });
    expect(reply.json()).toMatchObject({
      data: {
        account: { currentEquity: 100_000, todayPnl: null, todayPnlPct: null },
        evaluation: { status: "eliminated", isEliminated: true },
        challenge: { bucket: "ELIMINATED" },
        elimination: {
          reason: "INACTIVE",
          atMs: 1_767_614_400_000,
          drawdownPct: null,
          forInactivity: true,
        },
      },
    });
  });

  test("a failed secondary source marks the figures as stale [D4.stale]", async () => {
    loseStatistics(service());
    const { meta, performance, account } = (await readData(call())).data;
    expect([meta.stale, performance.dailyReturns]).toEqual([true, []]);
    expect(account.currentBalance).toBe(100_000);
  });
});

describe("GET account on the pro track", () => {
  const { service, call } = openEndpointUnderTest("getAccount");
  const proAccount = async (): Promise<Signer> => {
    const accountId = await service().newAccount();
    await service().accounts.offerPro(accountId, PRO_TERMS);
    return service().newKey({ accountId });
  };

  test("only drawdownRules says pro; the challenge says trailing [S3.criteria] [S2.1.1]", async () => {
    const { data } = await readData(call({ signer: await proAccount() }));
    expect([data.challenge.drawdownCriteria, data.drawdownRules?.criteria]).toEqual([
      "trailing",
      "pro",
    ]);
    // 8 % of 200,000. The limit is checked when the Monday ends.
    expect(data.drawdownRules?.maxLoss).toMatchObject({
      remaining: 16_000,
      nextCheckMs: 1_767_657_600_000,
    });
    expect(data.proTrack).toMatchObject({ phase: "challenge", hasStats: true, evaluated: false });
    expect([data.isPro, data.tradingDays]).toEqual([true, 0]);
  });

  test("the figures of the statistics are null while these are down [D4.stale]", async () => {
    const signer = await proAccount();
    loseStatistics(service());
    const { data } = await readData(call({ signer }));
    expect([data.meta.stale, data.isPro, data.tradingDays]).toEqual([true, true, null]);
    expect(data.proTrack?.hasStats).toBe(false);
    expect(data.proTrack?.objectives.map(({ value, met }) => value ?? met)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(data.account.currentBalance).toBe(200_000);
  });
});

/** Makes the statistics unavailable until the end of the test. */
function loseStatistics({ faults }: Harness): void {
  faults.set({ stats: "down" });
  onTestFinished(() => {
    faults.set({ stats: "up" });
  });
}

async function readData(
  calling: ReturnType<ReturnType<typeof openEndpointUnderTest>["call"]>,
): Promise<{ readonly data: Account }> {
  const body: { data: Account } = JSON.parse((await calling).text);
  return body;
}

const AHEAD = { remaining: 5000, nextCheckMs: null, breachPrice: null };
const UNUSED_LIMIT = {
  checked: "live",
  usedPct: 0,
  limitPct: 5,
  anchorEquity: 100_000,
  measuredEquity: 100_000,
  allowed: 5000,
  floor: 95_000,
  equityNow: 100_000,
  usedPctNow: 0,
  remainingNow: 5000,
  breachMovePct: null,
  ...AHEAD,
};

const FRESH = {
  assetClass: "all_markets",
  marketName: "All Markets",
  accountSize: 100_000,
  formattedAccountSize: "$100,000",
  evaluation: {
    title: "Classic $100K Evaluation",
    status: "evaluation",
    isEliminated: false,
    accountSize: "$100,000",
    accountSizeNumeric: 100_000,
    activeAccounts: "1/5",
    activeAccountsCount: 1,
    activeAccountsMax: 5,
    effectiveAccountSizeNumeric: 100_000,
  },
  account: {
    currentBalance: 100_000,
    currentEquity: 100_000,
    balanceChange: 0,
    balanceChangePercent: 0,
    totalPnL: 0,
    totalPnLPercent: 0,
    openPnL: 0,
    openPnLPercent: 0,
    todayPnl: 0,
    todayPnlPct: 0,
    openPositions: 0,
    portfolioBalance: 1_500_000,
    portfolioBalanceChangePercent: 0,
    portfolioBalanceBreakdown: {
      currentBalance: 100_000,
      marginLeverage: 15,
      sumPositionValue: 0,
    },
    leverage: "Current - 0.0000x / Max - 15x",
    currentLeverage: 0,
    maxLeverage: 15,
    buyingPower: 1_500_000,
    availableMargin: 100_000,
    capitalUsed: 0,
    totalRealizedPnl: 0,
    isPassed: false,
  },
  challenge: {
    variant: "classic",
    bucket: "SUBACCOUNT_CHALLENGE",
    drawdownCriteria: "static",
    profitTarget: 10_000,
    profitTargetPercent: 10,
    remaining: 10_000,
    maxLeverage: "15x",
    maxLeverageNumeric: 15,
    trailingDrawdownPercent: 5,
    maxDrawdown: 5,
    daysRemaining: 0,
    totalDays: 0,
    drawdownBreakdown: {
      highWaterMark: 100_000,
      allowedDrawdown: 5000,
      currentDrawdown: 0,
      remainingDrawdown: 5000,
      remainingDrawdownPercentHWM: 5,
    },
  },
  performance: {
    totalTrades: 0,
    winRate: 0,
    totalWins: 0,
    avgTradePnL: 0,
    tradeDuration: "--",
    tradeDurationMs: null,
    challengeStartMs: 1_767_614_400_000,
    dailyReturns: [],
  },
  meta: { generatedAtMs: 1_767_614_400_000, stale: false },
  proTrack: null,
  drawdownRules: {
    criteria: "static",
    dailyLoss: { usedPct: 0, limitPct: 5, dayStartEquity: 100_000, ...AHEAD },
    maxLoss: {
      rule: "static",
      usedPct: 0,
      limitPct: 5,
      anchorEquity: 100_000,
      measuredEquity: 100_000,
      ...AHEAD,
    },
    currentBalance: 100_000,
    limits: [
      { rule: "dailyLoss", ...UNUSED_LIMIT },
      { rule: "static", ...UNUSED_LIMIT },
    ],
  },
  elimination: null,
  isPro: false,
  cancelAllAfter: null,
  tradingDays: null,
};
