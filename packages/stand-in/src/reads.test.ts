import { describe, expect, test } from "vitest";
import {
  limitBody,
  marketBody,
  objectAt,
  openTestStandIn,
  valueAt,
} from "./testing/test-stand-in.ts";

const PRICES = { BTCUSDC: { bid: 49_990, ask: 50_000 } };
const DAY_MS = 86_400_000;

describe("the dashboard", () => {
  test("the dashboard of a new subaccount has no section without data", async () => {
    const desk = await openTestStandIn();
    const { body } = await desk.dashboard();
    expect(body).toMatchObject({ status: "success", timestamp: Date.UTC(2026, 10, 2, 12) });
    expect(Object.keys(objectAt(body, "dashboard"))).toEqual([
      "subaccount_info",
      "challenge_period",
      "drawdown",
      "account_size_data",
    ]);
    expect(valueAt(body, "dashboard", "subaccount_info")).toMatchObject({
      synthetic_hotkey: `${desk.standIn.entity}_0`,
      subaccount_id: 0,
    });
  });

  test("the dashboard has ratios, percents and fractions in its drawdown", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices(PRICES);
    await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 1 }));
    await desk.control.changeSubaccount(desk.hotkey, {
      drawdown: { dailyOpenEquity: 1.01, eodHwm: 1.02, lastEodEquity: 0.99 },
    });
    // The equity is 100,000 minus a fee of 15 and an open loss of 5, because the mid price is 49,995. That is 0.9998 of
    // the size.
    const { body } = await desk.dashboard();
    expect(valueAt(body, "dashboard", "drawdown")).toMatchObject({
      current_equity: expect.closeTo(0.9998, 9),
      current_balance: expect.closeTo(0.99985, 9),
      intraday_drawdown_pct: expect.closeTo((1 - 0.9998 / 1.01) * 100, 9),
      eod_drawdown_pct: expect.closeTo((1 - 0.99 / 1.02) * 100, 9),
      static_drawdown_pct: expect.closeTo(0.02, 9),
      intraday_drawdown_threshold: 0.05,
    });
  });

  test("the dashboard leaves out and replaces what a control call names", async () => {
    const desk = await openTestStandIn();
    await desk.control.changeSubaccount(desk.hotkey, {
      overrides: { "account_size_data.balance": 1234.5, "pro_stats.calmar": 2 },
      absent: ["challenge_period", "drawdown.daily_open_equity"],
      proStats: { trading_days: 3 },
    });
    const dashboard = objectAt((await desk.dashboard()).body, "dashboard");
    expect(valueAt(dashboard, "account_size_data", "balance")).toBe(1234.5);
    expect(dashboard.pro_stats).toEqual({ trading_days: 3, calmar: 2 });
    expect(dashboard).not.toHaveProperty("challenge_period");
    expect(dashboard.drawdown).not.toHaveProperty("daily_open_equity");
  });

  test("the dashboard drains the closed orders: the next reader has none", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices(PRICES);
    await desk.submit({ ...limitBody("BTCUSDC", "LONG", 1, { quantity: 100 }), order_uuid: "l" });
    await desk.submit({ execution_type: "LIMIT_CANCEL", order_uuid: "l" });
    const first = (await desk.dashboard()).body;
    expect(valueAt(first, "dashboard", "limit_orders", "closed_orders")).toEqual(["l"]);
    expect(objectAt((await desk.dashboard()).body, "dashboard")).not.toHaveProperty("limit_orders");
  });

  test("the dashboard answers a cursor with what changed after it, and nothing twice", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices(PRICES);
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { quantity: 0.1 }), order_uuid: "p" });
    await desk.control.addCheckpoint(desk.hotkey, 1000, { r: 1, u: 0, m: 0, s: 0 });
    await desk.control.addDailyReturn(desk.hotkey, "2026-11-01", 0.5);
    const first = objectAt((await desk.dashboard()).body, "dashboard");
    const cursors = [
      `positions_time_ms=${String(valueAt(first, "positions", "positions_time_ms"))}`,
      `checkpoints_time_ms=${String(valueAt(first, "ledger", "checkpoints_time_ms"))}`,
      `daily_returns_time_ms=${String(valueAt(first, "statistics", "daily_returns_time_ms"))}`,
    ];
    const query = `?${cursors.join("&")}`;
    const second = objectAt((await desk.dashboard(query)).body, "dashboard");
    for (const section of ["positions", "ledger", "statistics"]) {
      expect(second).not.toHaveProperty(section);
    }
    await desk.control.setPrices({ BTCUSDC: { bid: 50_990, ask: 51_000 } });
    await desk.control.addDailyReturn(desk.hotkey, "2026-11-02", -0.25);
    const third = objectAt((await desk.dashboard(query)).body, "dashboard");
    expect(Object.keys(objectAt(third, "positions", "positions"))).toEqual(["p"]);
    expect(valueAt(third, "statistics", "daily_returns")).toEqual({ "2026-11-02": -0.25 });
  });

  test("the dashboard shows an elimination, its closed positions and its cancelled orders", async () => {
    const desk = await openTestStandIn();
    await desk.control.setPrices(PRICES);
    await desk.submit({ ...marketBody("BTCUSDC", "LONG", { quantity: 1 }), order_uuid: "p" });
    await desk.submit({
      ...limitBody("BTCUSDC", "LONG", 40_000, { quantity: 0.1 }),
      order_uuid: "l",
    });
    await desk.control.eliminate(desk.hotkey, { reason: "INACTIVE", dd: 0 });
    const dashboard = objectAt((await desk.dashboard()).body, "dashboard");
    expect(dashboard.elimination).toMatchObject({ reason: "INACTIVE", dd: 0 });
    expect(valueAt(dashboard, "subaccount_info", "status")).toBe("eliminated");
    expect(valueAt(dashboard, "positions", "positions", "p", "fo", "p-close-1")).toMatchObject({
      s: 1,
    });
    expect(valueAt(dashboard, "limit_orders", "closed_orders")).toEqual(["l"]);
    const { body } = await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 1 }));
    expect(body.error_message).toContain("was eliminated");
  });

  test("the dashboard takes the midnight snapshot as the daily open and the high-water mark", async () => {
    const desk = await openTestStandIn();
    await desk.control.changeSubaccount(desk.hotkey, { dividends: 1500 });
    await desk.control.endDay(desk.hotkey);
    const { body } = await desk.dashboard();
    expect(valueAt(body, "dashboard", "drawdown")).toMatchObject({
      daily_open_equity: 1.015,
      last_eod_equity: 1.015,
      eod_hwm: 1.015,
    });
  });
});

describe("the keys", () => {
  test.each([
    ["an unknown key", "nonsense", 401],
    ["a key of a low tier", "low", 403],
    ["the key of the gateway", "stand-in-gateway-key", 401],
    ["the right key", "stand-in-validator-key", 200],
  ])("%s reads the dashboard with status %s %i", async (_, key, status) => {
    const desk = await openTestStandIn();
    await desk.control.setKeyTier("low", 30);
    const answered = await desk.get(`/v2/entity/subaccount/${desk.hotkey}`, key);
    expect(answered.status).toBe(status);
  });

  test("an unknown subaccount is 404 and its limits are 400", async () => {
    const desk = await openTestStandIn();
    expect((await desk.get("/v2/entity/subaccount/other_5")).status).toBe(404);
    expect((await desk.get("/subaccounts/other_5/limits")).status).toBe(400);
  });
});

describe("the other reads", () => {
  test("trade-pairs has ids and displays, and blocked pairs apart", async () => {
    const desk = await openTestStandIn();
    const { body } = await desk.get("/trade-pairs");
    const allowed = Object.values(objectAt(body, "allowed"));
    for (const [trade_pair_id, trade_pair] of [
      ["BTCUSDC", "BTC/USDC"],
      ["EURUSD", "EUR/USD"],
      ["BRK_B", "BRK.B"],
      ["kPEPEUSDC", "kPEPE/USDC"],
      ["AAPL", "AAPL"],
      ["GOLDUSDC", "GOLD/USDC"],
    ]) {
      expect(allowed).toContainEqual(expect.objectContaining({ trade_pair_id, trade_pair }));
    }
    const ids = (list: string) =>
      Object.values(objectAt(body, list)).map((item) => valueAt(Object(item), "trade_pair_id"));
    expect(ids("deprecated")).toEqual(expect.arrayContaining(["BTCUSD", "SPX"]));
    expect(ids("disabled")).toEqual(expect.arrayContaining(["TONUSDC", "NSA"]));
  });

  test("health needs no key, and pairs may be inside data", async () => {
    const desk = await openTestStandIn({}, { wrapsData: true });
    const health = await fetch(`${desk.standIn.gatewayUrl}/api/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { status: "healthy" }]);
    const { body } = await desk.get("/trade-pairs?is_pro=true");
    expect(Object.keys(body)).toEqual(["status", "data", "timestamp"]);
    const pairs = Object.values(objectAt(body, "data", "allowed"));
    expect(pairs).not.toContainEqual(expect.objectContaining({ is_pro: false }));
  });

  test("a subaccount of number 0 and an order without one are told apart", async () => {
    const desk = await openTestStandIn();
    const { status, body } = await desk.submit({ subaccount_id: undefined });
    expect([status, body.error]).toEqual([400, "Missing required field: subaccount_id"]);
    const zero = await desk.submit(marketBody("BTCUSDC", "LONG", { quantity: 1 }));
    expect(zero.body.error_message).toContain("no live prices");
  });

  test("limits follow tier and balance", async () => {
    const desk = await openTestStandIn({
      assetClass: "forex",
      leverageTier: 2,
      accountSize: 50_000,
    });
    const { body } = await desk.get(`/subaccounts/${desk.hotkey}/limits`);
    expect(body).toMatchObject({
      account_size: 50_000,
      tier: 2,
      portfolio_multiplier: 15,
      max_portfolio_usd: 750_000,
      max_asset_class_usd: { forex: 750_000 },
      positional_leverage: expect.objectContaining({ EURUSD: 15, EURNZD: 7.5 }),
    });
  });

  test("payouts are 404 without a history and 400 off the grid", async () => {
    const desk = await openTestStandIn();
    const { keys, validatorUrl } = desk.standIn;
    const account = await desk.control.subaccount(desk.hotkey);
    const ask = async (body: object): Promise<readonly [number, string]> => {
      const response = await fetch(`${validatorUrl}/entity/subaccount/payout`, {
        method: "POST",
        headers: { authorization: `Bearer ${keys.validator}` },
        body: JSON.stringify({ subaccount_uuid: account?.uuid, ...body }),
      });
      return [response.status, await response.text()];
    };
    expect((await ask({ start_time_ms: 0 }))[0]).toBe(404);
    await desk.control.changeSubaccount(desk.hotkey, { payout: { payout: 140 } });
    // 2026-11-02 was a Monday.
    const monday = Date.UTC(2026, 10, 2);
    const [status, text] = await ask({ start_time_ms: monday, end_time_ms: monday + DAY_MS / 2 });
    expect([status, JSON.parse(text)]).toMatchObject([200, { hotkey: desk.hotkey, payout: 140 }]);
    expect((await ask({ start_time_ms: monday + DAY_MS }))[0]).toBe(400);
    expect((await ask({ start_time_ms: monday, end_time_ms: monday + 1 }))[0]).toBe(400);
  });
});
