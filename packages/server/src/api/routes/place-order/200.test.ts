import type { OrderResult } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Reply } from "../../../testing/signed-request.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("POST orders answers 200", () => {
  const { service, call } = openEndpointUnderTest("placeOrder");

  test("MARKET fills, clamped by the cap that it names [S2.6] [S3.orders]", async () => {
    const reply = await service().order({
      execution_type: "MARKET",
      trade_pair: "BTC/USD",
      order_type: "LONG",
      leverage: 2,
      take_profit: 60_000,
    });
    expect(reply.status).toBe(200);
    const body: { data: { order_json: string; order: unknown } } = JSON.parse(reply.text);
    expect(JSON.parse(body.data.order_json)).toEqual(body.data.order);
    expect(body).toMatchObject({
      success: true,
      data: {
        success: true,
        status: "filled",
        order_uuid: expect.stringMatching(UUID),
        message:
          "LONG BTC/USD filled: 3 lots (150000 USD) at 50000.00000, limited by per pair cap 1.5x, 1 lot less than its size.",
        error_message: "",
        processing_time: 0,
        order: {
          tradePair: "BTCUSD",
          tradePairDisplay: "BTC/USD",
          orderType: "LONG",
          executionType: "MARKET",
          filled: true,
          quantity: 3,
          value: 150_000,
          leverage: 1.5,
          price: 50_000,
          slippage: 0,
          fee: 45,
          realizedPnl: 0,
          processedMs: 1_767_614_400_000,
          limitPrice: null,
          stopPrice: null,
          stopCondition: null,
          stopLoss: null,
          takeProfit: 60_000,
          bracketPct: null,
          bindingCap: "per pair cap 1.5x",
          bracketOrders: [{ takeProfit: 60_000, stopLoss: null, quantity: null }],
        },
      },
    });
  });

  test("an order that ends its account says so in `ended` and in words [D13.ended]", async () => {
    const accountId = await service().newAccount();
    const signer = await service().newKey({ accountId });
    await service().quote("EURUSD", 1.03, 1.1);
    const trade = { execution_type: "MARKET", trade_pair: "EURUSD", order_type: "LONG" };
    const reply = await service().order({ ...trade, quantity: 1.3 }, { signer });
    expect(JSON.parse(reply.text)).toMatchObject({
      data: {
        status: "filled",
        ended: "eliminated",
        message: expect.stringMatching(/filled: 1.3 lots .* the account is eliminated/),
      },
    });
  });

  test("stop and target of an order are its nearest legs in answer, GET orders, its life, the history and events [D13.oneReading]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    const bracket_orders = [{ stop_loss: 38_000, take_profit: 60_000 }, { stop_loss: 39_000 }];
    const limit = { execution_type: "LIMIT", trade_pair: "BTCUSD", limit_price: 40_000 };
    const trade = { ...limit, order_type: "LONG", quantity: 0.1, bracket_orders };
    const { order } = JSON.parse((await service().order(trade, { signer })).text).data;
    const read = async (path: string) =>
      JSON.parse((await service().call(`/api/v1/trading/${path}`, { signer })).text).data;
    const [listed] = await read("orders");
    const life = await read(`orders/${order.orderUuid}`);
    const [past] = (await read("order-history")).items;
    const { data } = (await read("events")).items.at(-1);
    for (const shown of [order, listed, life.order, past.order, data.order]) {
      expect([shown.stopLoss, shown.takeProfit]).toEqual([39_000, 60_000]);
    }
  });

  test("LIMIT rests, is edited under its id and cancelled [S3.orders]", async () => {
    const limit = {
      execution_type: "LIMIT",
      trade_pair: "BTCUSD",
      order_type: "SHORT",
      quantity: 0.1,
      limit_price: 55_000,
    };
    const placed = JSON.parse((await service().order(limit)).text);
    expect(placed.data).toMatchObject({
      status: "resting",
      order: { filled: false, quantity: 0.1, value: null, leverage: null, price: null },
    });
    const order_uuid = String(placed.data.order_uuid);
    const edit = { ...limit, execution_type: "LIMIT_EDIT", order_uuid, limit_price: 56_000 };
    expect(JSON.parse((await service().order(edit)).text).data).toMatchObject({
      status: "edited",
      order_uuid,
      order: { filled: false, limitPrice: 56_000 },
    });
    const cancel = await service().order({ execution_type: "LIMIT_CANCEL", order_uuid });
    expect(cancel.json()).toMatchObject({
      data: {
        status: "cancelled",
        order_uuid,
        message: "1 order cancelled.",
        order: null,
        order_json: "null",
      },
    });
  });

  test("FLAT_ALL closes, and says so when nothing is open [S3.orders] [D5.flattenAll]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    const long = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
    await service().order({ ...long, quantity: 0.1 }, { signer });
    expect((await call({ signer })).json()).toMatchObject({
      data: { status: "flattened", message: "1 position closed.", order: null },
    });
    expect((await call({ signer })).json()).toMatchObject({
      data: { status: "flattened", message: "No open position to close." },
    });
  });

  test("BRACKET answers with the id of its first leg; bracketOrders has those that GET orders lists [D5.bracket] [D10.lists]", async () => {
    const accountId = await service().newAccount();
    const signer = await service().newKey({ accountId });
    const order = async (trade: object): Promise<OrderResult> =>
      resultOf(await service().order({ trade_pair: "BTCUSD", ...trade }, { signer }));
    await order({ execution_type: "MARKET", order_type: "LONG", quantity: 1 });
    const one = await order({ execution_type: "BRACKET", stop_loss: 49_000 });
    expect(one.order?.orderUuid).toBe(one.order_uuid);
    const listed = await service().get("orders", { signer });
    expect(listed.json()).toMatchObject({ data: [{ orderUuid: one.order_uuid }] });
    const edit = { execution_type: "LIMIT_EDIT", order_uuid: one.order_uuid, stop_loss: 48_000 };
    expect(await order(edit)).toMatchObject({ order_uuid: one.order_uuid, status: "edited" });
    const legs = [{ take_profit: 60_000 }, { take_profit: 61_000 }];
    const two = await order({ execution_type: "BRACKET", bracket_orders: legs });
    const ids = two.order?.bracketOrders?.map((leg) => leg.orderUuid) ?? [];
    expect(two.order_uuid).toBe(ids[0]);
    const both = await order({ execution_type: "LIMIT_CANCEL", order_uuid: ids.join(",") });
    expect(both.order_uuid).toBe(ids.join(","));
  });

  test("a misspelt field is ignored, and named in a header [S4.2.ignored] [D2.help]", async () => {
    const body = JSON.stringify({ note: 1, trade: { execution_type: "FLAT_ALL", flat: true } });
    const reply = await call({ body });
    expect(reply.status).toBe(200);
    expect(reply.headers["x-service-ignored-fields"]).toBe("note,trade.flat");
  });

  test("the bound account may be named in the body, in either case [S5.R5]", async () => {
    const accountId = service().accountId.toUpperCase();
    const body = JSON.stringify({ accountId, trade: { execution_type: "FLAT_ALL" } });
    expect((await call({ body })).status).toBe(200);
  });
});

function resultOf(reply: Reply): OrderResult {
  expect(reply.status, reply.text).toBe(200);
  const body: { data: OrderResult } = JSON.parse(reply.text);
  return body.data;
}
