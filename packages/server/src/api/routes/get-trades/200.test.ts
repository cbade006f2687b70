import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 200", () => {
  const { service, call } = endpointUnderTest("getTrades");

  test("a closed position is a trade, its texts beside its numbers [S2.4] [D3.formats] [D4.returns]", async () => {
    await service().order({
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 1,
    });
    await service().time.pass(60_000);
    await service().quote("BTCUSD", 51_000, 51_000);
    await service().order({ execution_type: "FLAT_ALL" });
    // Fees 0.03 % of 50,000 and of 51,000: 15 + 15.30.
    expect((await call()).json()).toMatchObject({
      success: true,
      data: [
        {
          tradePair: "BTCUSD",
          tradePairDisplay: "BTC/USD",
          positionType: "LONG",
          positionSize: "$50,000.00",
          positionSizeNumeric: 50_000,
          quantity: 1,
          entryPrice: "50000.00000",
          entryPriceNumeric: 50_000,
          closePrice: "51000.00000",
          closePriceNumeric: 51_000,
          unrealizedPnl: 0,
          realizedPnl: 1000,
          returnAtClose: 1.01,
          status: "CLOSED",
          openTimeMs: 1_767_614_400_000,
          closeTimeMs: 1_767_614_460_000,
          stopLoss: null,
          takeProfit: null,
          totalFees: 30.3,
        },
      ],
    });
  });

  test("history stays readable while the network is down [S7.502]", async () => {
    service().faults.set({ network: "down" });
    expect((await call()).status).toBe(200);
  });
});
