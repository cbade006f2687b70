import { describe, expect, test } from "vitest";
import {
  type Body,
  limitBody,
  marketBody,
  objectAt,
  openTestStandIn,
  type TestStandIn,
  valueAt,
} from "./testing/test-stand-in.ts";

const QUIET = { BTCUSDC: { bid: 49_990, ask: 50_000 }, EURUSD: { bid: 1.1, ask: 1.1002 } };

async function quietDesk(
  account: Parameters<typeof openTestStandIn>[0] = {},
): Promise<TestStandIn> {
  const desk = await openTestStandIn(account);
  await desk.control.setPrices(QUIET);
  return desk;
}

const SMALL = { quantity: 0.1 };
const RESTING = limitBody("BTCUSDC", "LONG", 40_000, SMALL);

describe("a rejected order", () => {
  test.each<[string, Body, string]>([
    [
      "two sizes",
      marketBody("BTCUSDC", "LONG", { quantity: 1, value: 5 }),
      "Exactly one of leverage",
    ],
    ["no size", marketBody("BTCUSDC", "LONG"), "Exactly one of leverage"],
    ["a negative long", marketBody("BTCUSDC", "LONG", { quantity: -1 }), "must not be negative"],
    ["no direction", { ...marketBody("BTCUSDC", "LONG", SMALL), order_type: null }, "order_type"],
    ["an unknown type", { ...RESTING, execution_type: "ICEBERG" }, "execution_type must be one of"],
    ["a flat limit", { ...RESTING, order_type: "FLAT" }, "FLAT is not supported"],
    ["no limit price", { ...RESTING, limit_price: 0 }, "limit_price must be above 0"],
    [
      "a stop above a long limit",
      { ...RESTING, stop_loss: 41_000 },
      "stop_loss 41000 must be below",
    ],
    ["a target below it", { ...RESTING, take_profit: 39_000 }, "take_profit 39000 must be above"],
    ["a stop limit without a stop", { ...RESTING, execution_type: "STOP_LIMIT" }, "stop_price"],
    [
      "two kinds of trailing",
      { ...RESTING, trailing_stop: { trailing_percent: 0.1, trailing_value: 5 } },
      "exactly one",
    ],
    [
      "a trailing percent of 1",
      { ...RESTING, trailing_stop: { trailing_percent: 1 } },
      "between 0 and 1",
    ],
    [
      "a leg without a price",
      { ...RESTING, bracket_orders: [{ stop_loss: 1 }, {}] },
      "bracket_orders[1]:",
    ],
    [
      "a bracket without a position",
      { ...marketBody("BTCUSDC", "LONG"), execution_type: "BRACKET", stop_loss: 5 },
      "open position",
    ],
    ["a cancel without an id", { execution_type: "LIMIT_CANCEL" }, "order_uuid is required"],
    [
      "a cancel of an unknown id",
      { execution_type: "LIMIT_CANCEL", order_uuid: "none" },
      "No unfilled limit orders found",
    ],
    [
      "an edit of an unknown id",
      { ...RESTING, execution_type: "LIMIT_EDIT", order_uuid: "none" },
      "No unfilled limit orders found",
    ],
    ["an unknown pair", marketBody("NOPE", "LONG", SMALL), "Invalid trade pair [NOPE]"],
    [
      "a blocked pair",
      marketBody("BTCUSD", "LONG", SMALL),
      "Trade pair [BTCUSD] is no longer supported",
    ],
    [
      "a pair without a price",
      marketBody("ETHUSDC", "LONG", SMALL),
      "no live prices being found for ETHUSDC",
    ],
    [
      "a position below $10",
      marketBody("BTCUSDC", "LONG", { value: 9 }),
      "below the minimum of $10.00",
    ],
    [
      "a lot below the grid",
      marketBody("EURUSD", "LONG", { quantity: 0.004 }),
      "below the minimum of 0.01 lots",
    ],
  ])("a rejection has the text of its reason: %s", async (_, body, text) => {
    const desk = await quietDesk();
    const { status, body: answer } = await desk.submit({ ...body });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ success: false, error_message: expect.stringContaining(text) });
    expect(await desk.control.acceptedOrders()).toEqual([]);
  });

  test.each<[string, Parameters<TestStandIn["control"]["changeSubaccount"]>[1], string]>([
    ["pending", { status: "pending" }, "is not active (status: pending)"],
    ["in transition", { bucket: "PRO_CHALLENGE_TRANSITION" }, "transitioning to a pro account"],
    ["of another class", { assetClass: "forex" }, "outside the asset class forex"],
  ])("a rejection has the text of its reason: an account that is %s", async (_, change, text) => {
    const desk = await quietDesk();
    await desk.control.changeSubaccount(desk.hotkey, change);
    const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", SMALL));
    expect(body).toMatchObject({ success: false, error_message: expect.stringContaining(text) });
  });

  test("a closed market rejects MARKET and lets a LIMIT rest until it opens", async () => {
    const desk = await quietDesk();
    await desk.control.closeMarket("BTCUSDC", true);
    const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", SMALL));
    expect(body.error_message).toBe("The market for BTCUSDC is currently closed.");
    await desk.submit({ ...limitBody("BTCUSDC", "LONG", 60_000, SMALL), order_uuid: "l" });
    expect(await desk.control.acceptedOrders()).toMatchObject([{ uuid: "l", state: "resting" }]);
    await desk.control.closeMarket("BTCUSDC", false);
    expect(await desk.control.acceptedOrders()).toMatchObject([{ uuid: "l", state: "filled" }]);
  });

  test("the cooldown rejects a second fill on a pair and no resting order", async () => {
    const desk = await quietDesk();
    await desk.control.setCooldown(5000);
    await desk.submit(marketBody("BTCUSDC", "LONG", SMALL));
    await desk.control.advance(1800);
    const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", SMALL));
    expect(body.error_message).toContain("Wait 3.2 seconds");
    expect((await desk.submit(RESTING)).status).toBe(200);
    expect((await desk.submit(limitBody("BTCUSDC", "LONG", 60_000, SMALL))).status).toBe(400);
    await desk.control.advance(3200);
    expect((await desk.submit(marketBody("BTCUSDC", "LONG", SMALL))).status).toBe(200);
  });
});

describe("an order id", () => {
  test("an order id that was seen before is rejected, and its status stays that of the first", async () => {
    const desk = await quietDesk();
    const order = { ...marketBody("BTCUSDC", "LONG", SMALL), order_uuid: "same" };
    expect((await desk.status("same")).body).toMatchObject({ status: "not_found" });
    expect((await desk.submit(order)).status).toBe(200);
    const again = await desk.submit(order);
    expect(again.status).toBe(400);
    expect(again.body.error_message).toContain("already processed");
    expect((await desk.status("same")).body).toMatchObject({ status: "completed" });
    expect(await desk.control.contents()).toMatchObject([{ accepted: 1, refused: 1 }]);
  });

  test("an order id of a rejected order has the status failed with its text", async () => {
    const desk = await quietDesk();
    await desk.submit({ ...marketBody("NOPE", "LONG", SMALL), order_uuid: "bad" });
    const { status, body } = await desk.status("bad");
    expect([status, body.status, body.error_message]).toEqual([
      200,
      "failed",
      "Invalid trade pair [NOPE]",
    ]);
  });

  test("an order id is no part of the content by which orders are counted", async () => {
    const desk = await quietDesk();
    await desk.submit({ ...RESTING, order_uuid: "a" });
    await desk.submit({ order_uuid: "b", ...RESTING });
    await desk.submit({ ...RESTING, limit_price: 40_001, order_uuid: "c" });
    const counts = await desk.control.contents();
    expect(counts.map(({ accepted }) => accepted)).toEqual([2, 1]);
  });
});

describe("a wrong stop of a MARKET order", () => {
  test("a wrong stop of a MARKET order leaves the fill and reports the error beside it", async () => {
    const desk = await quietDesk();
    const order = marketBody("BTCUSDC", "LONG", { ...SMALL, stop_loss: 51_000 });
    const { status, body } = await desk.submit({ ...order, order_uuid: "p" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, order_uuid: "p" });
    expect(body.error_message).toMatch(
      /^Market order filled successfully, but bracket order creation failed: /,
    );
    const account = await desk.control.subaccount(desk.hotkey);
    expect([account?.positions.length, account?.resting.length]).toEqual([1, 0]);
  });
});

describe("changes of resting orders", () => {
  test("a cancel ends its order and the legs of its id", async () => {
    const desk = await quietDesk();
    const legs = { bracket_orders: [{ stop_loss: 40_000 }, { take_profit: 60_000 }] };
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", SMALL), ...legs, order_uuid: "p" });
    const { body } = await desk.submit({ execution_type: "LIMIT_CANCEL", order_uuid: "p" });
    expect(body.order_json).toMatch(
      /^{'status': 'cancelled', 'order_uuid': 'p', .*'num_cancelled': 2}$/,
    );
    const dashboard = (await desk.dashboard()).body;
    expect(valueAt(dashboard, "dashboard", "limit_orders", "closed_orders")).toEqual([
      "p-bracket-0",
      "p-bracket-1",
    ]);
  });

  test("ALL cancels the orders of a pair, and nothing is a success with 0", async () => {
    const desk = await quietDesk();
    await desk.submit(RESTING);
    await desk.submit(limitBody("EURUSD", "LONG", 1, { quantity: 0.1 }));
    const all = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL", trade_pair: "EURUSD" };
    expect((await desk.submit(all)).body.order_json).toContain("'num_cancelled': 1}");
    expect((await desk.submit(all)).body).toMatchObject({ success: true });
    expect((await desk.control.subaccount(desk.hotkey))?.resting).toHaveLength(1);
  });

  test("an edit keeps the id, needs the same pair, and may fill immediately", async () => {
    const desk = await quietDesk();
    await desk.submit({ ...RESTING, order_uuid: "l" });
    const edit = { ...RESTING, execution_type: "LIMIT_EDIT", order_uuid: "l" };
    const other = await desk.submit({ ...edit, trade_pair: "EURUSD", limit_price: 1 });
    expect(other.body.error_message).toContain("trade pair mismatch");
    await desk.submit({ ...edit, limit_price: 41_000, quantity: 0.2 });
    const account = await desk.control.subaccount(desk.hotkey);
    expect(account?.resting).toMatchObject([{ uuid: "l", limitPrice: 41_000, quantity: 0.2 }]);
    const filled = await desk.submit({ ...edit, limit_price: 55_000 });
    expect(filled.body.order_json).toContain("'price': 50000.0,");
    expect((await desk.control.acceptedOrders())[0]).toMatchObject({ uuid: "l", state: "filled" });
  });

  test("an edit of an unknown id with legs changes, cancels and adds legs", async () => {
    const desk = await quietDesk();
    const legs = [
      { order_uuid: "x", stop_loss: 40_000 },
      { order_uuid: "y", take_profit: 60_000 },
    ];
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", SMALL), bracket_orders: legs });
    const bulk = [
      { order_uuid: "x", stop_loss: 41_000 },
      { order_uuid: "y" },
      { take_profit: 70_000 },
    ];
    const edit = { execution_type: "LIMIT_EDIT", order_uuid: "bulk", trade_pair: "BTCUSDC" };
    expect((await desk.submit({ ...edit, bracket_orders: bulk })).status).toBe(200);
    const account = await desk.control.subaccount(desk.hotkey);
    expect(account?.resting.map(({ stopLoss, takeProfit }) => [stopLoss, takeProfit])).toEqual([
      [41_000, null],
      [null, 70_000],
    ]);
  });

  test("FLAT_ALL closes what has a market and leaves resting entries", async () => {
    const desk = await quietDesk();
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", SMALL), order_uuid: "b" });
    await desk.submit({ ...marketBody("EURUSD", "LONG", { quantity: 0.1 }), order_uuid: "e" });
    await desk.submit(RESTING);
    await desk.control.closeMarket("EURUSD", true);
    await desk.submit({ execution_type: "FLAT_ALL", order_uuid: "ALL" });
    const positions = objectAt(
      (await desk.dashboard()).body,
      "dashboard",
      "positions",
      "positions",
    );
    expect(valueAt(positions, "b", "fo", "b-flat-all")).toMatchObject({ s: 11, t: "FLAT" });
    expect(valueAt(positions, "e", "t")).toBe("LONG");
    expect((await desk.control.subaccount(desk.hotkey))?.resting).toHaveLength(1);
  });

  test("FLAT without a position does nothing and is no error", async () => {
    const desk = await quietDesk();
    const { status, body } = await desk.submit({
      ...marketBody("BTCUSDC", "FLAT"),
      order_uuid: "f",
    });
    expect([status, body.success, body.order_json]).toEqual([200, true, ""]);
    expect(await desk.control.acceptedOrders()).toMatchObject([{ uuid: "f", state: "nothing" }]);
  });

  test("the 101st resting order is rejected", async () => {
    const desk = await quietDesk();
    for (let count = 0; count < 100; count += 1) await desk.submit(RESTING);
    expect((await desk.submit(RESTING)).body.error_message).toBe(
      "miner has too many unfilled limit orders",
    );
  });
});

test("order_json is a Python text with every kind of escape", async () => {
  const desk = await quietDesk();
  await desk.control.setSourceName('it\'s "x" \\ \n \u0007 \u200b é 日');
  const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", SMALL));
  expect(body.order_json).toContain(
    `{'source': 'it\\'s "x" \\\\ \\n \\x07 \\u200b é 日', 'bid': 49990.0,`,
  );
});
