import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 200", () => {
  const { service, call } = openEndpointUnderTest("getPositions");

  test("GET positions answers an empty list when nothing is open [S2.2]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    expect((await call({ signer })).text).toBe('{"success":true,"data":[]}');
  });

  test("a SHORT has a negative size, value and leverage [S2.2] [D4.returns] [D12.breachAlone]", async () => {
    await service().quote("EURUSD", 1.1, 1.1);
    await service().order({
      execution_type: "MARKET",
      trade_pair: "EURUSD",
      order_type: "SHORT",
      quantity: 0.5,
      stop_loss: 1.2,
      take_profit: 1,
    });
    const reply = await call();
    expect(reply.json()).toMatchObject({
      success: true,
      data: [
        {
          tradePair: "EURUSD",
          tradePairDisplay: "EUR/USD",
          positionType: "SHORT",
          netLeverage: -0.55,
          netQuantity: -0.5,
          averageEntryPrice: 1.1,
          currentReturn: 1,
          openMs: 1_767_614_400_000,
          unrealizedPnl: 0,
          realizedPnl: 0,
          netValue: -55_000,
          cumulativeEntryValue: 55_000,
          stopLoss: 1.2,
          takeProfit: 1,
          // 5,000 USD may be lost on 50,000 EUR, so the price may rise by 0.1.
          breachPriceAlone: 1.2,
        },
      ],
    });
  });

  test("each of several positions has its own price at which the account ends [D12.breachAlone]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    await service().quote("BTCUSD", 50_000, 50_000);
    await service().quote("EURUSD", 1.1, 1.1);
    const market = { execution_type: "MARKET", order_type: "LONG" };
    await service().order({ ...market, trade_pair: "BTCUSD", quantity: 1 }, { signer });
    await service().order({ ...market, trade_pair: "EURUSD", quantity: 1 }, { signer });
    // The fee is 15, so 4,985 may be lost.
    expect((await call({ signer })).json()).toMatchObject({
      data: [{ breachPriceAlone: 45_015 }, { breachPriceAlone: 1.05015 }],
    });
  });
});
