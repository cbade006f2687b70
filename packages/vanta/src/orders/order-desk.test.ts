import type { OrderResult } from "@propgate/contract";
import { openStandIn, type StandIn } from "@propgate/stand-in";
import { beforeAll, expect, test } from "vitest";
import { eventually, until } from "../../../../test/eventually.ts";
import { formatTraceParent } from "../../../base/src/trace-parent.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import {
  awaitEndedReceipt,
  type BenchAccount,
  linkBenchAccount,
  type OrderBench,
  openOrderBench,
  orderResultOf,
  storedOrderResultOf,
  type TradeBody,
} from "../../../server/src/testing/order-bench.ts";
import { ORDER_SLOT_LIMITS } from "./order-times.ts";

const LONG_BTC: TradeBody = {
  execution_type: "MARKET",
  trade_pair: "BTCUSDC",
  order_type: "LONG",
  value: 10_000,
};
const SHORT_EUR: TradeBody = {
  execution_type: "MARKET",
  trade_pair: "EURUSD",
  order_type: "SHORT",
  quantity: 0.3,
};
const LIMIT_SOL: TradeBody = {
  execution_type: "LIMIT",
  trade_pair: "SOLUSDC",
  order_type: "LONG",
  value: 1_000,
  limit_price: 100,
};
const FLAT_ALL: TradeBody = { execution_type: "FLAT_ALL" };

await describeOnEachDatabase("orders of linked accounts", (database) => {
  const time = createManualTime(TEST_NOON);
  let standIn: StandIn;
  let bench: OrderBench;
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 16, clock: time.clock });
    await standIn.control.setPrices({
      BTCUSDC: { bid: 49_990, ask: 50_000 },
      ETHUSDC: { bid: 2_999, ask: 3_000 },
      SOLUSDC: { bid: 150, ask: 150.1 },
      EURUSD: { bid: 1.1, ask: 1.1002 },
      GBPUSD: { bid: 1.3, ask: 1.3002 },
    });
    bench = openOrderBench({ database: database(), standIn, time });
    return async () => {
      await bench.close();
      await standIn.close();
    };
  });
  const account = (): Promise<BenchAccount> => linkBenchAccount({ database: database(), standIn });

  /** Places an order that must be accepted, and checks that its receipt has exactly the bytes of the answer. */
  const accepted = async (mine: BenchAccount, trade: TradeBody): Promise<OrderResult> => {
    const placed = await bench.place(mine, trade);
    const result = orderResultOf(placed);
    const receipt = await bench.receipt(placed.nonce);
    expect(storedOrderResultOf(receipt)).toEqual(result);
    return result;
  };
  /** Places an order that must be rejected, and checks that its receipt has the same rejection. */
  const rejected = async (mine: BenchAccount, trade: TradeBody) => {
    const { nonce, answer } = await bench.place(mine, trade);
    if (answer.ok) throw new Error("the order was accepted");
    const { text, refusalCode, error } = answer.rejection;
    const receipt = await bench.receipt(nonce);
    expect(receipt).toMatchObject({ fate: "rejected", refusalCode: refusalCode ?? null });
    if (text !== undefined) expect(receipt).toMatchObject({ error: text });
    return { error, text, refusalCode };
  };

  test("a market order is answered with the executed figures, and legs have ids [S2.6]", async () => {
    const { order, ...result } = await accepted(await account(), {
      ...LONG_BTC,
      trade_pair: "btc/usdc",
      stop_loss: 45_000,
      take_profit: 60_000,
    });
    // The order is for 10,000 USD at a price of 50,000 USD, which is 0.2 BTC and a tenth of the balance of 100,000 USD.
    expect(order).toMatchObject({
      tradePair: "BTCUSDC",
      tradePairDisplay: "BTC/USDC",
      orderType: "LONG",
      executionType: "MARKET",
      filled: true,
      quantity: 0.2,
      value: 10_000,
      leverage: 0.1,
      price: 50_000,
      fee: null,
      bindingCap: null,
      stopLoss: 45_000,
      takeProfit: 60_000,
    });
    expect(order?.bracketOrders).toEqual([
      expect.objectContaining({
        orderUuid: `${order?.orderUuid}-bracket-0`,
        stopLoss: 45_000,
        takeProfit: 60_000,
        bracketPct: null,
      }),
    ]);
    expect(result).toMatchObject({ success: true, status: "filled", error_message: "" });
    expect(result.order_json).toMatch(/^\{'trade_pair_id': 'BTCUSDC'/);
  });

  test("legs that were sent as a list are answered with their ids, although the record leaves them out [S2.6]", async () => {
    const mine = await account();
    const { order } = await accepted(mine, {
      ...LONG_BTC,
      bracket_orders: [
        { stop_loss: 45_000, bracket_pct: 0.5 },
        { take_profit: 60_000, bracket_pct: 0.25 },
      ],
    });
    const legs = [
      { stopLoss: 45_000, takeProfit: null, bracketPct: 0.5 },
      { stopLoss: null, takeProfit: 60_000, bracketPct: 0.25 },
    ];
    const ids = legs.map((_, place) => `${order?.orderUuid}-bracket-${place}`);
    expect(order?.bracketOrders).toMatchObject(
      legs.map((leg, place) => ({ ...leg, orderUuid: ids[place] })),
    );
    const cancelled = await accepted(mine, {
      execution_type: "LIMIT_CANCEL",
      order_uuid: ids.join(","),
    });
    expect(cancelled.order_uuid).toBe(ids.join(","));
  });

  test("a SHORT has positive sizes [D5.size]", async () => {
    const { order } = await accepted(await account(), SHORT_EUR);
    // 0.3 lots of 100,000 units at a price of 1.1 are worth 33,000 USD.
    expect(order).toMatchObject({ orderType: "SHORT", quantity: 0.3, value: 33_000, price: 1.1 });
  });

  test("a capped order is filled smaller and names the cap; the next one has no room [S3.orders]", async () => {
    const mine = await account();
    const first = await accepted(mine, { ...LONG_BTC, value: undefined, leverage: 5 });
    expect(first.order?.bindingCap).toBe("per pair cap 1.5x");
    expect(first.order?.value).toBeLessThanOrEqual(150_000);
    expect(await rejected(mine, LONG_BTC)).toEqual({
      error: "orderRefused",
      text: "There is no room left for BTCUSDC: per pair cap 1.5x",
      refusalCode: "noRoom",
    });
  });

  test("a pending order shows only the size that was sent, and its legs have no id yet [D5.sentSize]", async () => {
    const { order, status } = await accepted(await account(), {
      ...LIMIT_SOL,
      bracket_orders: [{ stop_loss: 90, bracket_pct: 0.5 }, { trailing_percent: 0.1 }],
    });
    expect(status).toBe("resting");
    expect(order).toMatchObject({
      filled: false,
      value: 1_000,
      quantity: null,
      leverage: null,
      price: null,
      limitPrice: 100,
      stopLoss: 90,
    });
    expect(order?.bracketOrders).toMatchObject([
      { orderUuid: null, stopLoss: 90, bracketPct: 0.5 },
      { orderUuid: null, trailingPercent: 0.1 },
    ]);
  });

  test("an edit keeps the id and shows the new fields [D5.edit]", async () => {
    const mine = await account();
    const { order_uuid } = await accepted(mine, LIMIT_SOL);
    const edited = await accepted(mine, {
      ...LIMIT_SOL,
      execution_type: "LIMIT_EDIT",
      order_uuid,
      limit_price: 99,
    });
    expect(edited).toMatchObject({ status: "edited", order_uuid });
    expect(edited.order).toMatchObject({ orderUuid: order_uuid, limitPrice: 99, filled: false });
  });

  test("a bracket on a SHORT is a leg of its direction and can be edited [D5.bracket]", async () => {
    const mine = await account();
    await accepted(mine, SHORT_EUR);
    const bracket = { execution_type: "BRACKET", trade_pair: "EURUSD", stop_loss: 1.2 };
    const { order, order_uuid } = await accepted(mine, { ...bracket, bracket_pct: 0.5 });
    expect(order).toMatchObject({
      orderType: "SHORT",
      executionType: "BRACKET",
      reduceOnly: true,
      bracketPct: 0.5,
      bracketOrders: [{ orderUuid: order_uuid, stopLoss: 1.2, bracketPct: 0.5 }],
    });
    const edit = {
      execution_type: "LIMIT_EDIT",
      order_uuid,
      trade_pair: "EURUSD",
      stop_loss: 1.25,
    };
    expect((await accepted(mine, edit)).order).toMatchObject({ stopLoss: 1.25 });
  });

  test("LIMIT_CANCEL answers with the cancelled ids, also for ALL on one pair [D5.cancel]", async () => {
    const mine = await account();
    const first = await accepted(mine, LIMIT_SOL);
    const second = await accepted(mine, { ...LIMIT_SOL, trade_pair: "ETHUSDC" });
    const all = await accepted(mine, {
      execution_type: "LIMIT_CANCEL",
      order_uuid: "ALL",
      trade_pair: "ETH/USDC",
    });
    expect(all).toMatchObject({
      status: "cancelled",
      order: null,
      order_uuid: second.order_uuid,
      notFound: [],
    });
    const one = { execution_type: "LIMIT_CANCEL", order_uuid: first.order_uuid };
    expect(await accepted(mine, one)).toMatchObject({ order_uuid: first.order_uuid });
    expect(await rejected(mine, one)).toMatchObject({ refusalCode: "unknownOrder" });
  });

  test("FLAT closes a position; without one it is rejected, although the network says success [D5.flat]", async () => {
    const mine = await account();
    const flat = { execution_type: "MARKET", trade_pair: "EURUSD", order_type: "FLAT" };
    expect(await rejected(mine, flat)).toMatchObject({ refusalCode: "noPosition" });
    await accepted(mine, SHORT_EUR);
    const { order } = await accepted(mine, flat);
    expect(order).toMatchObject({ orderType: "FLAT", filled: true, quantity: 0.3 });
  });

  test("FLAT_ALL of a pair closes that pair's position alone [D10.flattenAll]", async () => {
    const mine = await account();
    await accepted(mine, LONG_BTC);
    const { order_uuid } = await accepted(mine, SHORT_EUR);
    const eur = { ...FLAT_ALL, trade_pair: "EURUSD" };
    expect(await accepted(mine, eur)).toMatchObject({
      status: "flattened",
      order_uuid,
      closed: [{ tradePair: "EURUSD" }],
      stayed: [],
    });
    expect(await accepted(mine, eur)).toMatchObject({ closed: [], stayed: [] });
    const counts = (await standIn.control.submissions()).filter(
      ({ hotkey, executionType }) => hotkey === mine.hotkey && executionType === "FLAT_ALL",
    );
    expect(counts).toHaveLength(1);
  });

  test("FLAT_ALL names what stays open, and is rejected when nothing closed [D10.flattenAll]", async () => {
    const mine = await account();
    await accepted(mine, LONG_BTC);
    await accepted(mine, { ...SHORT_EUR, trade_pair: "GBPUSD" });
    await standIn.control.closeMarket("GBPUSD", true);
    expect(await accepted(mine, FLAT_ALL)).toMatchObject({
      success: false,
      status: "partial",
      closed: [{ tradePair: "BTCUSDC" }],
      stayed: [{ tradePair: "GBPUSD", reason: "notReported" }],
    });
    expect(await rejected(mine, FLAT_ALL)).toMatchObject({ refusalCode: "nothingClosed" });
    await standIn.control.closeMarket("GBPUSD", false);
    const owner = await bench.desk.flatten(mine.id);
    expect(owner).toMatchObject({ ok: true, result: { closed: [{ tradePair: "GBPUSD" }] } });
  });

  test("a fill whose legs the network refused is an accepted order with an error text", async () => {
    const result = await accepted(await account(), { ...LONG_BTC, stop_loss: 55_000 });
    expect(result).toMatchObject({ success: true, status: "filled" });
    expect(result.order).toMatchObject({ filled: true, quantity: 0.2, bracketOrders: null });
    expect(result.error_message).toMatch(/legs were not attached: .*bracket order creation failed/);
  });

  test.each([
    ["an unknown pair", { ...LONG_BTC, trade_pair: "NOPE" }, "unknownPair"],
    ["a blocked pair", { ...LONG_BTC, trade_pair: "BTCUSD" }, "blockedPair"],
    [
      "a leg without a position",
      { execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 1 },
      "noPosition",
    ],
    ["a stop on the wrong side", { ...LIMIT_SOL, stop_loss: 110 }, "wrongSide"],
    ["a size below the minimum", { ...LONG_BTC, value: 2 }, "positionTooSmall"],
    [
      "another pair's order",
      { ...LIMIT_SOL, execution_type: "LIMIT_EDIT", order_uuid: "gone" },
      "unknownOrder",
    ],
  ])("%s is refused with the service's own code [D10.refusalCodes]", async (_what, trade, code) => {
    expect(await rejected(await account(), trade)).toMatchObject({
      error: "orderRefused",
      refusalCode: code,
    });
  });

  test("a subaccount that was eliminated after it was linked gets the elimination as refusal", async () => {
    const mine = await account();
    await standIn.control.eliminate(mine.hotkey, { reason: "LIQUIDATED", dd: 5 });
    expect(await rejected(mine, LONG_BTC)).toMatchObject({ refusalCode: "eliminated" });
  });

  test("an order_json that cannot be read leaves the order to the account's readings", async () => {
    const mine = await account();
    for (const order_json of ["<Order object at 0x7f>", "{'price': nan}", "x".repeat(250_000)]) {
      const body = JSON.stringify({ success: true, order_uuid: null, order_json });
      const fault = { kind: "answer", when: "after", status: 200, body } as const;
      await standIn.control.addFault({ call: "submit", hotkey: mine.hotkey, fault, times: 1 });
      const result = await accepted(mine, { ...LONG_BTC, value: 1_000 });
      expect(result.order).toMatchObject({
        filled: true,
        quantity: 0.02,
        price: 50_000,
        slippage: null,
      });
      expect(result.order_json).toBe(order_json);
    }
  });

  test("an accepted order that can be read nowhere is of unknown fate, and no figure is made up [D13.answerInDoubt]", async () => {
    const mine = await account();
    const lost = { kind: "answer", when: "after", status: 200, body: '{"success":true}' } as const;
    const down = { kind: "cut", when: "before" } as const;
    await standIn.control.addFault({ call: "submit", hotkey: mine.hotkey, fault: lost, times: 1 });
    await standIn.control.addFault({ call: "dashboard", hotkey: mine.hotkey, fault: down });
    const { nonce, answer } = await bench.place(mine, LONG_BTC);
    expect(answer).toEqual({ ok: false, rejection: { error: "unknownFate" } });
    await standIn.control.clearFaults();
    const { order } = storedOrderResultOf(await awaitEndedReceipt(bench, nonce));
    expect(order).toMatchObject({ quantity: 0.2, price: 50_000 });
  });

  test("questions about a fate that fail are asked again until they are answered", async () => {
    const mine = await account();
    const { hotkey } = mine;
    const cut = { kind: "cut", when: "after" } as const;
    await standIn.control.addFault({ call: "submit", hotkey, fault: cut, times: 1 });
    for (const fault of [
      { kind: "error500", when: "after" },
      { kind: "invalidJson" },
      { kind: "answer", when: "after", status: 404, body: '{"error":"no such page"}' },
      { kind: "answer", when: "after", status: 200, body: '{"status":"processing"}' },
    ] as const) {
      await standIn.control.addFault({ call: "status", fault, times: 1 });
    }
    const { nonce, answer } = await bench.place(mine, LONG_BTC);
    expect(answer).toEqual({ ok: false, rejection: { error: "unknownFate" } });
    expect(await bench.receipt(nonce)).toMatchObject({ fate: "pending" });
    const receipt = await awaitEndedReceipt(bench, nonce);
    expect(storedOrderResultOf(receipt).order).toMatchObject({ quantity: 0.2, price: 50_000 });
    await standIn.control.clearFaults();
  });

  test("an order brings the gateway the span of its request", async () => {
    const trace = formatTraceParent({
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      traceFlags: 1,
    });
    const traces: unknown[] = [];
    const traced = openOrderBench({
      database: database(),
      standIn,
      time,
      wrap: (gateway) => ({
        ...gateway,
        submit(body, timeoutMs, sent) {
          traces.push(sent);
          return gateway.submit(body, timeoutMs, sent);
        },
      }),
    });
    const mine = await account();
    expect((await traced.place(mine, LONG_BTC, "traced", trace)).answer.ok).toBe(true);
    expect((await traced.place(mine, LONG_BTC)).answer.ok).toBe(true);
    await traced.close();
    expect(traces).toEqual([trace, undefined]);
  });

  test("one answer that does not know an order is not the end of it", async () => {
    const mine = await account();
    const times = { callMs: 300, resolveMs: 1, firstCheckMs: 500 };
    const early = openOrderBench({ database: database(), standIn, time, times });
    const cut = { kind: "cut", when: "after" } as const;
    const lost = {
      kind: "answer",
      when: "after",
      status: 404,
      body: '{"status":"not_found"}',
    } as const;
    await standIn.control.addFault({ call: "submit", hotkey: mine.hotkey, fault: cut, times: 1 });
    await standIn.control.addFault({ call: "status", fault: lost, times: 1 });
    const { nonce } = await early.place(mine, LONG_BTC);
    expect(await awaitEndedReceipt(early, nonce)).toMatchObject({ fate: "accepted" });
    expect((await standIn.control.faults()).at(-1)).toMatchObject({ call: "status", fault: lost });
    await early.close();
  });

  test("an account's slow orders take its own places only, and the others are not sent", async () => {
    const [slow, quick] = [await account(), await account()];
    const fault = { kind: "held", when: "after" } as const;
    await standIn.control.addFault({ call: "submit", hotkey: slow.hotkey, fault });
    const times = { callMs: 600_000 };
    const patient = openOrderBench({ database: database(), standIn, time, times });
    const answers: string[] = [];
    const slowOnes = Array.from({ length: 8 }, async (_, place) => {
      const { answer } = await patient.place(slow, { ...LIMIT_SOL, limit_price: 90 + place });
      answers.push(answer.ok ? "accepted" : answer.rejection.error);
    });
    expect((await patient.place(quick, LONG_BTC)).answer.ok).toBe(true);
    expect(answers).toEqual([]);
    const held = async () =>
      (await standIn.control.faults()).filter(({ hotkey }) => hotkey === slow.hotkey);
    await until(async () => (await held()).length === 4);
    await eventually(async () => {
      await time.pass(ORDER_SLOT_LIMITS.waitMs / 20);
      expect(answers).toHaveLength(4);
    });
    await standIn.control.release(slow.hotkey);
    await Promise.all(slowOnes);
    expect(answers).toEqual([
      ...Array.from({ length: 4 }, () => "networkDown"),
      ...Array.from({ length: 4 }, () => "accepted"),
    ]);
    const arrived = (await standIn.control.submissions()).filter(
      ({ hotkey }) => hotkey === slow.hotkey,
    );
    expect(arrived).toHaveLength(4);
    await standIn.control.clearFaults();
    await patient.close();
  });

  test("a refused key of the service is no fault of the order: nothing was sent, and the health shows it", async () => {
    const wrong = openOrderBench({
      database: database(),
      standIn,
      time,
      gatewayKey: "another-key",
    });
    const { nonce, answer } = await wrong.place(await account(), LONG_BTC);
    expect(answer).toEqual({ ok: false, rejection: { error: "networkDown" } });
    expect(await wrong.receipt(nonce)).toMatchObject({
      fate: "rejected",
      status: 500,
      error: "The trading network is unreachable; the order was not accepted",
    });
    expect((await wrong.desk.health()).keyRefusedSinceMs).toBeTypeOf("number");
    expect((await bench.desk.health()).keyRefusedSinceMs).toBeNull();
    await wrong.close();
  });

  test("the desk has met no fault of its own", () => {
    expect(bench.faults).toEqual([]);
  });
});
