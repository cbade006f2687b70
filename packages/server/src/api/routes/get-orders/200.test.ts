import type { PendingOrder } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
} as const;

describe("GET orders answers 200", () => {
  const { service, call } = openEndpointUnderTest("getOrders");
  /** The key of an account without orders. */
  let signer: Signer;
  beforeEach(async () => {
    signer = await service().newKey({ accountId: await service().newAccount() });
    await service().quote("BTCUSD", 50_000, 50_000);
  });

  test("a pending order has only the size that was sent [S2.3] [D5.sentSize]", async () => {
    const trade = {
      execution_type: "STOP_LIMIT",
      trade_pair: "btc/usd",
      order_type: "LONG",
      value: 1000,
      limit_price: 52_000,
      stop_price: 51_000,
      stop_condition: "GTE",
      stop_loss: 49_000,
    };
    await service().order(trade, { signer });
    expect((await call({ signer })).json()).toEqual({
      success: true,
      data: [
        {
          orderUuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          tradePair: "BTCUSD",
          tradePairDisplay: "BTC/USD",
          orderType: "LONG",
          executionType: "STOP_LIMIT",
          processedMs: 1_767_614_400_000,
          limitPrice: 52_000,
          stopPrice: 51_000,
          stopCondition: "GTE",
          leverage: null,
          value: 1000,
          quantity: null,
          stopLoss: 49_000,
          takeProfit: null,
          bracketPct: null,
          trailingPercent: null,
          trailingValue: null,
          currentStop: null,
          bestPrice: null,
          positionUuid: null,
          reduceOnly: false,
          bracketOrders: [
            {
              orderUuid: null,
              stopLoss: 49_000,
              takeProfit: null,
              quantity: null,
              value: null,
              leverage: null,
              bracketPct: null,
              trailingPercent: null,
              trailingValue: null,
            },
          ],
        },
      ],
    });
  });

  test("a leg is listed as BRACKET with its position's direction [S2.3] [D5.legWords]", async () => {
    const bracket_orders = [{ trailing_percent: 0.02, bracket_pct: 0.5 }];
    await service().order({ ...MARKET, bracket_orders }, { signer });
    expect((await call({ signer })).json()).toMatchObject({
      data: [
        {
          executionType: "BRACKET",
          orderType: "LONG",
          limitPrice: null,
          stopLoss: null,
          bracketPct: 0.5,
          trailingPercent: 0.02,
          trailingValue: null,
          positionUuid: expect.any(String),
        },
      ],
    });
  });

  test("a trailing leg has its present stop and the best price that it has followed [D13.currentStop]", async () => {
    const bracket_orders = [{ trailing_value: 2000, stop_loss: 49_500 }];
    await service().order({ ...MARKET, bracket_orders }, { signer });
    const leg = async () => {
      const { data } = (await call({ signer })).json() as { data: readonly PendingOrder[] };
      return data.find(({ trailingValue }) => trailingValue === 2000);
    };
    expect(await leg()).toMatchObject({ currentStop: 49_500, bestPrice: 50_000 });
    await service().quote("BTCUSD", 51_800, 51_800);
    await service().quote("BTCUSD", 51_000, 51_000);
    expect(await leg()).toMatchObject({
      stopLoss: 49_500,
      currentStop: 49_800,
      bestPrice: 51_800,
    });
  });
});
