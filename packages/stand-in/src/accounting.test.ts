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

/** The position that the order with this id opened. */
async function positionOf(desk: TestStandIn, uuid: string): Promise<Body> {
  const { body } = await desk.dashboard();
  return objectAt(body, "dashboard", "positions", "positions", uuid);
}

async function sizeData(desk: TestStandIn): Promise<Body> {
  const { body } = await desk.dashboard();
  return objectAt(body, "dashboard", "account_size_data");
}

function near(values: Readonly<Record<string, number | string>>): Body {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "number" ? expect.closeTo(value, 6) : value,
    ]),
  );
}

describe("the accounting of positions, with figures computed by hand", () => {
  test("a long is opened, added to, reduced and closed", async () => {
    const desk = await openTestStandIn({ leverageTier: 2 });
    await desk.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    // Buying 1 BTC at 50,000 costs a fee of 50,000 × 0.0003 = 15.
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { quantity: 1 }), order_uuid: "p" });
    await desk.control.setPrices({ BTCUSDC: { bid: 52_000, ask: 52_010 } });
    // Buying 0.5 BTC at 52,010: the value is 26,005, the fee 7.8015, the average entry (50,000 + 26,005) / 1.5 =
    // 50,670.
    await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 0.5 }));
    expect(await positionOf(desk, "p")).toMatchObject(
      near({ tp: "BTC/USDC", t: "LONG", ap: 50_670, rp: 0, up: 2002.5, nv: 78_015 }),
    );
    expect(await sizeData(desk)).toMatchObject(
      near({ balance: 99_977.1985, capital_used: 76_005, equity: 101_979.6985 }),
    );
    // Selling 0.6 BTC at the bid realizes (52,000 − 50,670) × 0.6 = 798 and frees a capital of 76,005 × 0.4 = 30,402.
    await desk.submit(marketBody("BTCUSDC", "SHORT", { quantity: 0.6 }));
    expect(await positionOf(desk, "p")).toMatchObject(
      near({ t: "LONG", ap: 50_670, rp: 798, nv: 46_800, r: 1 + (798 + 1335 * 0.9) / 100_000 }),
    );
    // The fee of the sale is (30,402 + 798) × 0.0003 = 9.36.
    expect(await sizeData(desk)).toMatchObject(
      near({ balance: 100_765.8385, capital_used: 45_603, total_fees_paid: 32.1615 }),
    );
    await desk.control.setPrices({ BTCUSDC: { bid: 51_000, ask: 51_010 } });
    // Closing 0.9 BTC at 51,000 realizes 330 × 0.9 = 297. The fee is (45,603 + 297) × 0.0003 = 13.77.
    await desk.submit({ ...marketBody("BTCUSDC", "FLAT"), order_uuid: "close" });
    const closed = await positionOf(desk, "p");
    expect(closed).toMatchObject(near({ t: "FLAT", rp: 1095, up: 0, rc: 1.01095 }));
    expect(closed).not.toHaveProperty("nl");
    expect(closed).not.toHaveProperty("nv");
    expect(valueAt(closed, "fo", "close")).toMatchObject(near({ t: "FLAT", q: -0.9, v: -46_800 }));
    expect(Object.values(objectAt(closed, "fh"))).toHaveLength(4);
    expect(await sizeData(desk)).toMatchObject(
      near({ balance: 101_049.0685, capital_used: 0, total_realized_pnl: 1095, unrealized_pnl: 0 }),
    );
  });

  test("a short gains when the price falls and closes at the ask", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ ETHUSDC: { bid: 3000, ask: 3001 } });
    await desk.submit({ ...marketBody("ETHUSDC", "SHORT", { value: 30_000 }), order_uuid: "s" });
    await desk.control.setPrices({ ETHUSDC: { bid: 2900, ask: 2901 } });
    // 10 ETH were sold at 3,000, and the mid price is 2,900.5, so the open PnL is (2,900.5 − 3,000) × −10 = 995.
    const open = await positionOf(desk, "s");
    expect(open).toMatchObject(near({ t: "SHORT", ap: 3000, up: 995, nv: -30_000, nl: -0.3 }));
    expect(valueAt(open, "fo", "s")).toMatchObject(near({ q: -10, v: -30_000, l: -0.3 }));
    await desk.submit(marketBody("ETHUSDC", "FLAT"));
    // The close at the ask realizes (2,901 − 3,000) × −10 = 990. The fees are 9 + (30,000 + 990) × 0.0003 = 18.297.
    expect(await sizeData(desk)).toMatchObject(near({ balance: 100_971.703 }));
  });

  test("a forex cross converts by the pairs of its two currencies and pays no fee", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({
      EURGBP: { bid: 0.85, ask: 0.8502 },
      GBPUSD: { bid: 1.3, ask: 1.3 },
      EURUSD: { bid: 1.1, ask: 1.1 },
    });
    await desk.submit({ ...marketBody("EURGBP", "LONG", { quantity: 0.1 }), order_uuid: "x" });
    await desk.control.setPrices({ EURGBP: { bid: 0.86, ask: 0.8602 } });
    // The value is 0.1 × 100,000 × 1.1, and the open PnL (0.8601 − 0.8502) × 10,000 × 1.3.
    const open = await positionOf(desk, "x");
    expect(valueAt(open, "fo", "x")).toMatchObject(near({ v: 11_000, q: 0.1 }));
    expect(open).toMatchObject(near({ up: 128.7, nv: 0.8502 * 1.3 * 10_000 }));
    expect(await sizeData(desk)).toMatchObject(near({ total_fees_paid: 0 }));
  });

  test("a pair with the dollar as its base realizes at the exit's rate", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ USDJPY: { bid: 150, ask: 150.02 } });
    await desk.submit({ ...marketBody("USDJPY", "LONG", { leverage: 0.1 }), order_uuid: "j" });
    await desk.control.setPrices({ USDJPY: { bid: 151, ask: 151.02 } });
    await desk.submit(marketBody("USDJPY", "FLAT"));
    // The profit of 0.1 lots is (151 − 150.02) × 10,000 yen, which are divided by the rate of 151 yen for a dollar.
    expect(await positionOf(desk, "j")).toMatchObject(near({ rp: 9800 / 151 }));
  });

  test("an opposite order that is larger closes the position and does not flip it", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { quantity: 0.2 }), order_uuid: "p" });
    const { body } = await desk.submit(marketBody("BTCUSDC", "SHORT", { quantity: 1 }));
    expect(body).toMatchObject({ success: true });
    expect(String(body.order_json)).toContain("'quantity': -0.2,");
    expect(await positionOf(desk, "p")).toMatchObject({ t: "FLAT" });
    const counts = await desk.control.subaccount(desk.hotkey);
    expect(counts?.positions).toHaveLength(1);
  });

  test("a long of shares that costs more than the cash borrows half of its value", async () => {
    const desk = await openTestStandIn({ assetClass: "equities", leverageTier: 3 });
    await desk.control.setPrices({ BRK_B: { bid: 500, ask: 500 } });
    // 300 shares at 500 cost 150,000, which is more than the cash of 100,000. So the loan is 75,000, and the fee is 15.
    await desk.submit({ ...marketBody("BRK_B", "LONG", { quantity: 300 }), order_uuid: "b" });
    // The buying power is four times the cash that is left: (99,985 − (150,000 − 75,000)) × 4.
    expect(await sizeData(desk)).toMatchObject(
      near({ total_borrowed_amount: 75_000, buying_power: 99_940 }),
    );
    await desk.submit(marketBody("BRK_B", "SHORT", { quantity: 100 }));
    expect(await sizeData(desk)).toMatchObject(near({ total_borrowed_amount: 50_000 }));
    expect(await positionOf(desk, "b")).toMatchObject({ tp: "BRK.B" });
  });

  test("the order after the hundredth closes the position and opens another", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { value: 100 }), order_uuid: "abc" });
    for (let count = 1; count < 100; count += 1) {
      await desk.submit(marketBody("BTCUSDC", "LONG", { value: 100 }));
    }
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { value: 100 }), order_uuid: "next" });
    const full = await positionOf(desk, "abc");
    expect(valueAt(full, "fo", "cba")).toMatchObject(near({ s: 4, q: -0.2, t: "FLAT" }));
    expect(await positionOf(desk, "next")).toMatchObject(near({ t: "LONG", nv: 100 }));
  });

  test("a fee of a position lowers the balance and not its profit", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { quantity: 1 }), order_uuid: "p" });
    await desk.control.chargeFee(desk.hotkey, "p", "hl_funding", 4.5);
    expect(await sizeData(desk)).toMatchObject(near({ balance: 99_980.5, unrealized_pnl: 0 }));
    const fees = Object.values(objectAt(await positionOf(desk, "p"), "fh"));
    expect(fees).toContainEqual({ t: "hl_funding", a: 4.5 });
  });
});

describe("the caps, with figures computed by hand", () => {
  test("an order beyond the cap of its pair is clamped, and the next one is rejected", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    // The pair's cap allows a quantity of 100,000 × 1.5 / 50,000 = 3.
    const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 4 }));
    expect(String(body.order_json)).toContain("'quantity': 3.0,");
    expect(String(body.order_json)).toContain("'binding_cap': 'per pair cap 1.5x'");
    const next = await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 1 }));
    expect(next.status).toBe(400);
    expect(next.body).toMatchObject({
      success: false,
      error_message: "No buying power remaining for BTCUSDC (capped by per pair cap 1.5x)",
      message: "Order failed on Taoshi validator",
    });
  });

  test("the caps of the class and of the portfolio bind other pairs", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({
      BTCUSDC: { bid: 50_000, ask: 50_000 },
      ETHUSDC: { bid: 3000, ask: 3000 },
    });
    await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 2 }));
    // The balance is 100,000 − 30 = 99,970. The class cap leaves 149,955 − 100,000 = 49,955, which buys 16.651666 ETH
    // at 3,000 and is rounded down.
    const { body } = await desk.submit(marketBody("ETHUSDC", "LONG", { quantity: 40 }));
    expect(String(body.order_json)).toContain("'quantity': 16.65166,");
    expect(String(body.order_json)).toContain("'binding_cap': 'per class cap crypto 1.5x'");
  });

  test("a pro account has a cap for each side of a currency", async () => {
    const desk = await openTestStandIn({ bucket: "PRO_FUNDED" });
    const even = { bid: 1, ask: 1 };
    await desk.control.setPrices({ EURUSD: even, EURGBP: even, GBPUSD: even });
    await desk.submit(marketBody("EURUSD", "LONG", { leverage: 20 }));
    // The cap on EUR is 30 × 100,000. The 2,000,000 of euros that are held leave room for 10 lots.
    const { body } = await desk.submit(marketBody("EURGBP", "LONG", { leverage: 20 }));
    expect(String(body.order_json)).toContain("'quantity': 10.0,");
    expect(String(body.order_json)).toContain("'binding_cap': 'currency:EUR exposure cap 30x'");
    const short = await desk.submit(marketBody("EURGBP", "SHORT", { leverage: 1 }));
    expect(short.body).toMatchObject({ success: true });
  });

  test("the buying power of a single class leaves room for the fee", async () => {
    const desk = await openTestStandIn({ assetClass: "crypto" });
    await desk.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    // The buying power also pays the fee: 150,000 / 1.0003 / 50,000 = 2.9991002…, which is rounded down to the grid.
    const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 3 }));
    expect(String(body.order_json)).toContain("'quantity': 2.9991,");
    expect(String(body.order_json)).toContain("'binding_cap': 'overall portfolio cap 1.5x'");
  });
});

describe("resting orders", () => {
  test("a trailing leg follows the best bid and fills at its distance", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    const trailing_stop = { trailing_percent: 0.02 };
    await desk.submit({
      ...marketBody("BTCUSDC", "LONG", { quantity: 1 }),
      order_uuid: "p",
      trailing_stop,
    });
    await desk.control.setPrices({ BTCUSDC: { bid: 51_000, ask: 51_010 } });
    await desk.control.setPrices({ BTCUSDC: { bid: 49_981, ask: 49_991 } });
    const open = await positionOf(desk, "p");
    expect(valueAt(open, "uo", "p-bracket-0")).toMatchObject({
      pr: 51_000,
      tsl: { pct: 0.02 },
      bpct: 1,
    });
    // The trailing stop of 2 % is at 51,000 × 0.98 = 49,980.
    await desk.control.setPrices({ BTCUSDC: { bid: 49_900, ask: 49_910 } });
    const closed = await positionOf(desk, "p");
    expect(valueAt(closed, "fo", "p-bracket-0")).toMatchObject(near({ pr: 49_980, s: 9, q: -1 }));
  });

  test("a trailing leg of a short follows the best ask by a price distance", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    await desk.submit({
      ...marketBody("BTCUSDC", "SHORT", { quantity: 1 }),
      order_uuid: "p",
      bracket_orders: [{ order_uuid: "leg", trailing_value: 500, stop_loss: 52_000 }],
    });
    await desk.control.setPrices({ BTCUSDC: { bid: 49_000, ask: 49_010 } });
    await desk.control.setPrices({ BTCUSDC: { bid: 49_490, ask: 49_509 } });
    expect(await positionOf(desk, "p")).toMatchObject({ t: "SHORT" });
    // The trailing stop is at 49,010 + 500 = 49,510. An ask exactly at the stop triggers it.
    await desk.control.setPrices({ BTCUSDC: { bid: 49_490, ask: 49_510 } });
    const closed = await positionOf(desk, "p");
    expect(valueAt(closed, "fo", "leg")).toMatchObject(near({ pr: 49_510, s: 9, q: 1 }));
    expect(closed).toMatchObject(near({ rp: 480 }));
  });

  test("a short limit fills at a bid of its price, and an opposite fill reduces", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { quantity: 1 }), order_uuid: "p" });
    const half = limitBody("BTCUSDC", "SHORT", 51_000, { quantity: 0.5 });
    await desk.submit({ ...half, order_uuid: "half" });
    await desk.control.setPrices({ BTCUSDC: { bid: 50_999, ask: 51_009 } });
    expect(await positionOf(desk, "p")).toMatchObject(near({ rp: 0 }));
    await desk.control.setPrices({ BTCUSDC: { bid: 51_000, ask: 51_010 } });
    expect(await positionOf(desk, "p")).toMatchObject(near({ t: "LONG", rp: 500, nv: 25_500 }));
  });

  test("a resting order that no cap leaves room for is cancelled when it triggers", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 50_000, ask: 50_000 } });
    const late = limitBody("BTCUSDC", "LONG", 49_000, { quantity: 1 });
    await desk.submit({ ...late, order_uuid: "late" });
    await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 3 }));
    await desk.control.setPrices({ BTCUSDC: { bid: 48_000, ask: 48_000 } });
    const account = await desk.control.subaccount(desk.hotkey);
    expect(account?.ended).toMatchObject([{ uuid: "late", src: 7 }]);
    expect((await desk.control.acceptedOrders())[0]).toMatchObject({ state: "cancelled" });
  });

  test("a limit fills at its price, its legs appear, and one fill cancels the others", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    await desk.submit({
      ...limitBody("BTCUSDC", "LONG", 48_000, { quantity: 1 }),
      order_uuid: "l",
      bracket_orders: [{ stop_loss: 47_000, bracket_pct: 0.5 }, { take_profit: 49_500 }],
    });
    const resting = (await desk.dashboard()).body;
    expect(valueAt(resting, "dashboard", "limit_orders", "open_orders", "l")).toMatchObject({
      lp: 48_000,
      s: 5,
      pr: 0,
      q: 1,
      uo: { "l-bracket-0": { sl: 47_000, bpct: 0.5 }, "l-bracket-1": { tk: 49_500, bpct: 1 } },
    });
    await desk.control.setPrices({ BTCUSDC: { bid: 47_990, ask: 48_000 } });
    expect(valueAt(await positionOf(desk, "l"), "fo", "l")).toMatchObject({ pr: 48_000, s: 6 });
    await desk.control.setPrices({ BTCUSDC: { bid: 49_600, ask: 49_610 } });
    const closed = await positionOf(desk, "l");
    expect(valueAt(closed, "fo", "l-bracket-1")).toMatchObject({ pr: 49_500, s: 9, q: -1 });
    const account = await desk.control.subaccount(desk.hotkey);
    expect(account?.ended.map(({ uuid, src }) => [uuid, src])).toEqual([
      ["l", 6],
      ["l-bracket-1", 9],
      ["l-bracket-0", 10],
    ]);
  });

  test("a stop limit leaves a limit when the middle price crosses its stop", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_010 } });
    await desk.submit({
      ...limitBody("BTCUSDC", "LONG", 51_000, { quantity: 0.1 }),
      execution_type: "STOP_LIMIT",
      stop_price: 51_500,
      stop_condition: "GTE",
      order_uuid: "t",
    });
    await desk.control.setPrices({ BTCUSDC: { bid: 51_490, ask: 51_510 } });
    const account = await desk.control.subaccount(desk.hotkey);
    expect(account?.ended.map(({ uuid, src }) => [uuid, src])).toEqual([["t", 14]]);
    expect(account?.resting).toMatchObject([{ uuid: "t-limit", limitPrice: 51_000, src: 5 }]);
  });
});
