import { expect } from "vitest";
import {
  expectAccepted,
  expectNotOffered,
  flatTrade,
  limitTrade,
  marketTrade,
  type NetworkCase,
  readEndpoint,
} from "./network-case.ts";

const PREVIEW = JSON.stringify({ trade: marketTrade("BTCUSD", "LONG", { quantity: 0.1 }) });

/** Reads, and the endpoints that only one network has. */
export const READ_CASES: readonly NetworkCase[] = [
  {
    title: "a new account shows its size, its equity and its challenge",
    async run(trader) {
      expect(await readEndpoint(trader, "account")).toMatchObject({
        assetClass: "crypto",
        accountSize: 100_000,
        evaluation: { status: "evaluation", isEliminated: false },
        account: { currentBalance: 100_000, currentEquity: 100_000, openPositions: 0 },
        challenge: { bucket: "SUBACCOUNT_CHALLENGE", profitTarget: 10_000 },
        elimination: null,
        isPro: false,
        meta: { stale: false },
      });
    },
  },
  {
    title: "an account without trades has empty lists and no payouts",
    async run(trader) {
      for (const list of ["positions", "orders", "trades"] as const)
        expect(await readEndpoint(trader, list)).toEqual([]);
      expect(await readEndpoint(trader, "payouts")).toMatchObject({
        items: [],
        nextCursor: null,
        accrualStatus: "not_applicable",
      });
    },
  },
  {
    title: "instruments list the pairs of the account with their caps",
    async run(trader) {
      const instruments = await readEndpoint(trader, "instruments");
      expect(instruments).toContainEqual(
        expect.objectContaining({
          tradePair: trader.pairs.btc,
          assetClass: "crypto",
          lotSize: 1,
          gridStep: 0.00001,
          leverageCap: 1.5,
          isTradable: true,
        }),
      );
    },
  },
  {
    title: "a position, a pending order and a closed trade are in the account's figures",
    async run(trader) {
      const { btc, eth } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.5 }));
      await expectAccepted(trader, limitTrade(eth, 2_000));
      expect(await readEndpoint(trader, "account")).toMatchObject({
        account: { openPositions: 1, totalRealizedPnl: 0 },
      });
      await trader.quote(btc, 51_000, 51_000);
      // The open PnL is 0.5 × 1,000.
      expect(await readEndpoint(trader, "account")).toMatchObject({ account: { openPnL: 500 } });
      await expectAccepted(trader, flatTrade(btc));
      expect(await readEndpoint(trader, "positions")).toEqual([]);
      expect(await readEndpoint(trader, "account")).toMatchObject({
        account: { openPositions: 0, openPnL: 0, totalRealizedPnl: 500 },
        performance: { totalTrades: 1, totalWins: 1 },
      });
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { tradePair: eth, limitPrice: 2_000 },
      ]);
    },
  },
  ...(["quotes", "candles"] as const).map(
    (endpoint): NetworkCase => ({
      title: `GET ${endpoint} answers with prices`,
      cannot: {
        vanta: {
          reason: "a validator does not publish its prices to this service",
          says: (trader) => expectNotOffered(trader, targetOf(endpoint, trader.pairs.btc)),
        },
      },
      async run(trader) {
        const reply = await trader.call(targetOf(endpoint, trader.pairs.btc));
        expect(reply.status).toBe(200);
      },
    }),
  ),
  {
    title: "POST preview tells the effect of an order",
    cannot: {
      vanta: {
        reason: "a validator has no preview",
        says: (trader) =>
          expectNotOffered(trader, "/api/v1/trading/preview", { method: "POST", body: PREVIEW }),
      },
    },
    async run(trader) {
      const call = { method: "POST", body: PREVIEW } as const;
      const reply = await trader.call("/api/v1/trading/preview", call);
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"quantity":0.1')]);
    },
  },
];

function targetOf(endpoint: "quotes" | "candles", pair: string): string {
  return endpoint === "quotes"
    ? `/api/v1/trading/quotes?pairs=${pair}`
    : `/api/v1/trading/candles?tradePair=${pair}&interval=1m`;
}
