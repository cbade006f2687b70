import type { Preview } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };

describe("POST preview answers 200 [D9.preview]", () => {
  const { service, call } = openEndpointUnderTest("previewOrder");
  const preview = async (trade: object, signer?: Signer): Promise<Preview> => {
    const by = signer === undefined ? {} : { signer };
    const reply = await call({ body: JSON.stringify({ trade }), ...by });
    expect(reply.status, reply.text).toBe(200);
    const body: { data: Preview } = JSON.parse(reply.text);
    return body.data;
  };

  test("POST preview answers what a market order would do, with its stop", async () => {
    // 1 BTC at 50,000: 15 of fee; the stop at 48,000 costs 2,000 and 14.40 of fee.
    expect(await preview({ ...MARKET, quantity: 1, stop_loss: 48_000 })).toEqual({
      tradePair: "BTCUSD",
      orderType: "LONG",
      quantity: 1,
      value: 50_000,
      leverage: 0.5,
      bindingCap: null,
      shortfall: null,
      excess: null,
      price: 50_000,
      slippage: 0,
      fee: 15,
      // 50,000 / 99,985, to twelve digits.
      accountLeverageAfter: 0.500075011252,
      buyingPowerAfter: 1_449_775,
      limitsAfter: [
        {
          rule: "dailyLoss",
          limit: "dailyLoss",
          checked: "live",
          remaining: 4_985,
          remainingIfStopped: 2_970.6,
          breachedIfStopped: false,
        },
        {
          rule: "static",
          limit: "maxLoss",
          checked: "live",
          remaining: 4_985,
          remainingIfStopped: 2_970.6,
          breachedIfStopped: false,
        },
      ],
      lossIfStopped: 2_029.4,
      ended: null,
    });
  });

  test("a stop that would end the account says so", async () => {
    const { limitsAfter } = await preview({ ...MARKET, quantity: 1, stop_loss: 44_000 });
    for (const limit of limitsAfter)
      expect([limit.remainingIfStopped, limit.breachedIfStopped]).toEqual([0, true]);
  });

  test("the binding cap, and the order then does what the preview showed", async () => {
    const accountId = await service().newAccount();
    const signer = await service().newKey({ accountId });
    const trade = { ...MARKET, quantity: 4 };
    const seen = await preview(trade, signer);
    expect(seen).toMatchObject({ quantity: 3, bindingCap: "per pair cap 1.5x", fee: 45 });
    expect(seen).toMatchObject({ shortfall: { code: "cap", quantity: 1 }, excess: null });
    const { data } = (await service().order(trade, { signer })).json() as {
      readonly data: { readonly order: object };
    };
    const { quantity, value, leverage, price, slippage, fee, bindingCap, shortfall } = seen;
    expect(data.order).toMatchObject({
      quantity,
      value,
      leverage,
      price,
      slippage,
      fee,
      bindingCap,
      shortfall,
    });
    const over = await preview({ ...MARKET, order_type: "SHORT", quantity: 5 }, signer);
    expect(over).toMatchObject({ quantity: 3, shortfall: { code: "neverFlips", quantity: 2 } });
    expect(await preview({ ...MARKET, order_type: "FLAT" }, signer)).toMatchObject({
      orderType: "FLAT",
      quantity: 3,
      accountLeverageAfter: 0,
    });
  });

  test("a limit order counts as filled at its limit", async () => {
    const limit = { ...MARKET, execution_type: "LIMIT", value: 4_000, limit_price: 40_000 };
    expect(await preview({ ...limit, stop_loss: 39_000 })).toMatchObject({
      quantity: 0.1,
      value: 4_000,
      price: 40_000,
      fee: 1.2,
      lossIfStopped: 102.37,
    });
  });

  test("a bracket opens nothing, and its stop counts", async () => {
    const accountId = await service().newAccount();
    const signer = await service().newKey({ accountId });
    await service().order({ ...MARKET, quantity: 1 }, { signer });
    const bracket = { execution_type: "BRACKET", trade_pair: "BTCUSD", stop_loss: 49_000 };
    expect(await preview(bracket, signer)).toMatchObject({
      orderType: "LONG",
      quantity: 0,
      value: 0,
      fee: 0,
      price: 50_000,
      lossIfStopped: 1_014.7,
    });
  });

  test("a preview changes nothing: no order, no position, no journal line", async () => {
    const before = await service().database.query("select count(*) from journal");
    await preview({ ...MARKET, quantity: 1 });
    await preview({ ...MARKET, execution_type: "LIMIT", value: 10, limit_price: 1 });
    expect(await service().database.query("select count(*) from journal")).toEqual(before);
    expect((await service().get("positions")).json()).toEqual({ success: true, data: [] });
    expect((await service().get("orders")).json()).toEqual({ success: true, data: [] });
  });

  test("a read-only key may preview", async () => {
    const signer = await service().newKey({ scopes: ["read"] });
    expect(await preview({ ...MARKET, quantity: 1 }, signer)).toMatchObject({ quantity: 1 });
  });

  test("a misspelt field is named in a header [D2.help]", async () => {
    const body = JSON.stringify({ trade: { ...MARKET, quantity: 1, stop_los: 1 } });
    const reply = await call({ body });
    expect(reply.headers["x-service-ignored-fields"]).toBe("trade.stop_los");
  });
});
