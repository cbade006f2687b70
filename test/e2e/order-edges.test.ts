/** Edge cases of orders and legs over HTTP: the answers, and the reads afterwards. */
import type { RunningSandbox } from "@propgate/server";
import { beforeAll, describe, expect, test } from "vitest";
import { startSandbox } from "../../packages/server/src/start/start-sandbox.ts";
import { createSandboxClient } from "../../packages/server/src/testing/sandbox-client.ts";

const MONDAY = Date.parse("2026-01-05T15:00:00Z");
/** A Saturday, on which crypto trades and forex and equities do not. */
const SATURDAY = Date.parse("2026-01-10T12:00:00Z");
const MARKET = { execution_type: "MARKET", order_type: "LONG", quantity: 1 } as const;
const BTC_LONG = { ...MARKET, trade_pair: "BTCUSD" };
const LEG = {
  quantity: null,
  value: null,
  leverage: null,
  bracketPct: null,
  trailingPercent: null,
  trailingValue: null,
};

interface Trader {
  readonly order: (trade: object) => Promise<{ readonly status: number; readonly body: unknown }>;
  readonly read: (endpoint: string) => Promise<unknown>;
  readonly quote: (pair: string, bid: number, ask?: number) => Promise<void>;
}

describe("orders at their edges", () => {
  let sandbox: RunningSandbox;
  let nowMs = MONDAY;

  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      startMs: MONDAY,
      seed: "edges",
      clock: "frozen",
      dataDir: null,
      networkTimeoutMs: 15_000,
    });
    return () => sandbox.stop();
  });

  /** Opens an account of its own, with a key. */
  async function trader(): Promise<Trader> {
    const { control } = createSandboxClient(sandbox, () => nowMs);
    const { body: account } = await control("POST", "/accounts", { size: 100_000 });
    const { accountId } = account as { accountId: string };
    const scopes = ["trade:read", "trade:place"];
    const { body: key } = await control("POST", "/keys", { accountId, scopes });
    const ready = { ...sandbox.ready, ...(key as { keyId: string; secret: string }) };
    const client = createSandboxClient({ ...sandbox, ready }, () => nowMs);
    return {
      order: async (trade) => {
        const reply = await client.order(trade);
        return { status: reply.status, body: reply.json() };
      },
      read: async (endpoint) => (await client.get(endpoint)).json(),
      quote: async (pair, bid, ask = bid) => {
        await client.control("POST", "/quotes", [{ pair, bid, ask }]);
      },
    };
  }

  test("GET orders lists every leg of a pending entry, without ids until they are attached [D10.legIds]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    const limit = { ...BTC_LONG, execution_type: "LIMIT", limit_price: 49_000 };
    const bracket_orders = [{ stop_loss: 48_000, bracket_pct: 0.5 }, { take_profit: 52_000 }];
    const legs = [
      { ...LEG, orderUuid: null, stopLoss: 48_000, takeProfit: null, bracketPct: 0.5 },
      { ...LEG, orderUuid: null, stopLoss: null, takeProfit: 52_000 },
    ];
    expect(await order({ ...limit, bracket_orders })).toMatchObject({
      status: 200,
      body: { data: { status: "resting", order: { reduceOnly: false, bracketOrders: legs } } },
    });
    expect(await read("orders")).toMatchObject({
      data: [{ executionType: "LIMIT", reduceOnly: false, bracketOrders: legs }],
    });
    await quote("BTCUSD", 49_000, 49_000);
    expect(await read("orders")).toMatchObject({
      data: [
        { orderUuid: expect.stringMatching(/-bracket-0$/), reduceOnly: true, bracketOrders: null },
        { orderUuid: expect.stringMatching(/-bracket-1$/), reduceOnly: true, bracketOrders: null },
      ],
    });
  });

  test("a BRACKET of several legs answers with the first one's id and lists all [D10.lists]", async () => {
    const { order, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    await order(BTC_LONG);
    const legs = [{ stop_loss: 48_000 }, { take_profit: 52_000 }];
    const answer = await order({
      execution_type: "BRACKET",
      trade_pair: "BTCUSD",
      bracket_orders: legs,
    });
    const { data } = answer.body as { data: { order_uuid: string; order: unknown } };
    expect(data.order_uuid).toMatch(/^[0-9a-f-]{36}-bracket-0$/);
    expect(data.order).toMatchObject({
      orderUuid: data.order_uuid,
      bracketOrders: [{ orderUuid: data.order_uuid }, { orderUuid: expect.any(String) }],
    });
  });

  test("reduce_only is listed, refused without a position, and cancelled with it [D10.reduceOnly]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    const exit = {
      execution_type: "LIMIT",
      trade_pair: "BTCUSD",
      order_type: "SHORT",
      quantity: 5,
      limit_price: 51_000,
      reduce_only: true,
    };
    expect(await order(exit)).toEqual({
      status: 400,
      body: {
        error: "'reduce_only' needs an open position in BTCUSD in the other direction",
      },
    });
    await order(BTC_LONG);
    expect(await order(exit)).toMatchObject({
      status: 200,
      body: { data: { order: { reduceOnly: true } } },
    });
    expect(await read("orders")).toMatchObject({ data: [{ reduceOnly: true }] });
    await order({ execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" });
    expect(await read("orders")).toEqual({ success: true, data: [] });
  });

  test("reduce_only at the market closes at most what is open, and says so [D12.marketReduces] [D12.shortfall]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    const exit = { ...BTC_LONG, order_type: "SHORT", quantity: 5, reduce_only: true };
    const nothing = {
      status: 400,
      body: { error: "'reduce_only' needs an open position in BTCUSD in the other direction" },
    };
    expect(await order(exit)).toEqual(nothing);
    await order(BTC_LONG);
    expect(await order({ ...exit, order_type: "LONG" })).toEqual(nothing);
    const { body } = await order(exit);
    const shortfall = { code: "nothingLeft", quantity: 4 };
    expect(body).toMatchObject({
      data: {
        status: "filled",
        message: expect.stringMatching(/, 4 lots less than its size: no more was open\.$/),
        order: { orderType: "SHORT", quantity: 1, reduceOnly: true, shortfall, excess: null },
      },
    });
    const { data } = body as { readonly data: { readonly order_uuid: string } };
    expect(await read(`orders/${data.order_uuid}`)).toMatchObject({
      data: { filledQuantity: 1, shortfall, fills: [{ data: { shortfall } }] },
    });
    expect(await read("order-history")).toMatchObject({
      data: { items: [{ shortfall: null, excess: null }, { shortfall }] },
    });
    expect(await read("positions")).toMatchObject({ data: [] });
    expect(await order(exit)).toEqual(nothing);
  });

  test("legs on a reducing order and stops that would trigger are refused by name [D10.legsOfReducing] [D10.firesAtOnce] [D10.legNeverMore]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_010);
    await order(BTC_LONG);
    const short = { ...BTC_LONG, order_type: "SHORT", quantity: 0.5 };
    expect(await order({ ...short, stop_loss: 51_000 })).toEqual({
      status: 400,
      body: {
        error:
          "The order would reduce the position in BTCUSD: stops and targets belong to orders that open or add. Use BRACKET to protect the position",
      },
    });
    expect(await order({ ...BTC_LONG, quantity: 0.1, stop_loss: 50_005 })).toEqual({
      status: 400,
      body: {
        error: "'stop_loss' 50005 must be below the bid 50000, or it would trigger immediately",
      },
    });
    const bracket = { execution_type: "BRACKET", trade_pair: "BTCUSD" };
    const bracket_orders = [
      { take_profit: 52_000, quantity: 0.1 },
      { take_profit: 53_000, quantity: 0.000001 },
    ];
    expect(await order({ ...bracket, bracket_orders })).toEqual({
      status: 400,
      body: {
        error:
          "bracket_orders[1]: The size is too small for BTCUSD: its smallest step is 0.00001 lots",
      },
    });
    expect(await read("orders")).toEqual({ success: true, data: [] });
  });

  test("lists skip closed orders and name them; a single id of a closed order is refused [D10.lists] [D10.cancelPair]", async () => {
    const { order, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    const limit = { ...BTC_LONG, execution_type: "LIMIT", limit_price: 40_000 };
    const placed = await order(limit);
    const { data } = placed.body as { data: { order_uuid: string } };
    const cancel = { execution_type: "LIMIT_CANCEL" };
    const gone = "00000000-0000-4000-8000-000000000000";
    expect(await order({ ...cancel, order_uuid: `${gone},${data.order_uuid}` })).toMatchObject({
      status: 200,
      body: {
        data: {
          status: "cancelled",
          order_uuid: data.order_uuid,
          notFound: [gone],
          message: `1 order cancelled. No longer open: ${gone}.`,
        },
      },
    });
    expect(await order({ ...cancel, order_uuid: data.order_uuid })).toMatchObject({ status: 400 });
    expect(await order({ ...cancel, order_uuid: "ALL", trade_pair: "NOPE" })).toEqual({
      status: 400,
      body: { error: "'trade_pair' NOPE is not a known pair" },
    });
    expect(await order({ ...cancel, order_uuid: "ALL" })).toMatchObject({
      status: 200,
      body: { data: { order_uuid: "", notFound: [], closed: null, stayed: null } },
    });
  });

  test("FLAT_ALL lists closed and remaining pairs, and is refused when nothing could close [D10.flattenAll]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    await quote("ETHUSD", 2_500, 2_500);
    await quote("EURUSD", 1.1, 1.1);
    const all = { execution_type: "FLAT_ALL" };
    expect(await order(all)).toMatchObject({
      status: 200,
      body: { data: { success: true, status: "flattened", closed: [], stayed: [] } },
    });
    for (const trade_pair of ["BTCUSD", "ETHUSD", "EURUSD"]) await order({ ...MARKET, trade_pair });
    expect(await order({ ...all, trade_pair: "eth/usd" })).toMatchObject({
      status: 200,
      body: { data: { success: true, status: "flattened", closed: [{ tradePair: "ETHUSD" }] } },
    });
    const { control } = createSandboxClient(sandbox, () => nowMs);
    await control("POST", "/clock", { set: SATURDAY });
    nowMs = SATURDAY;
    await quote("BTCUSD", 51_000, 51_000);
    expect(await order({ ...all, order_uuid: null })).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          success: false,
          status: "partial",
          order: null,
          error_message: "EUR/USD stays open: its market is closed.",
          message: "1 position closed. EUR/USD stays open: its market is closed.",
          closed: [{ tradePair: "BTCUSD" }],
          stayed: [{ tradePair: "EURUSD", reason: "marketClosed" }],
          notFound: [],
        },
      },
    });
    expect(await order(all)).toEqual({
      status: 400,
      body: { error: "Nothing could be closed: EURUSD stays open: its market is closed" },
    });
    expect(await read("positions")).toMatchObject({ data: [{ tradePair: "EURUSD" }] });
  });

  test("a MARKET closes a remainder below the minimum position too, and the message reports it [D10.leastGoesAlong]", async () => {
    const { order, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    await order({ ...BTC_LONG, quantity: 0.5 });
    expect(await order({ ...BTC_LONG, order_type: "SHORT", quantity: 0.4999 })).toMatchObject({
      status: 200,
      body: {
        data: {
          order: { quantity: 0.5, bindingCap: null },
          message: expect.stringMatching(
            /, 0\.0001 lots more than its size: the rest was below the minimum position\.$/,
          ),
        },
      },
    });
  });

  test("ids compare without case: cancel, edit, close and the life of an order take them in capitals [D12.idCase]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    const limit = { ...BTC_LONG, execution_type: "LIMIT", limit_price: 49_000 };
    const idOf = async (trade: object): Promise<string> => {
      const { data } = (await order(trade)).body as { data: { order_uuid: string } };
      return data.order_uuid;
    };
    const id = await idOf(limit);
    const capitals = id.toUpperCase();
    expect(await read(`orders/${capitals}`)).toMatchObject({ data: { orderUuid: id } });
    const edit = { ...limit, execution_type: "LIMIT_EDIT", order_uuid: capitals };
    expect(await order({ ...edit, limit_price: 48_000 })).toMatchObject({ status: 200 });
    const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: `${capitals},${id}` };
    expect(await order(cancel)).toMatchObject({
      body: { data: { order_uuid: id, notFound: [] } },
    });
    await order({ ...BTC_LONG, stop_loss: 48_000 });
    const { data } = (await read("orders")) as { data: readonly { orderUuid: string }[] };
    const leg = data[0]?.orderUuid.toUpperCase() ?? "";
    expect(leg).toMatch(/-BRACKET-0$/);
    expect(await read(`orders/${leg}`)).toMatchObject({ data: { executionType: "BRACKET" } });
    expect(await order({ execution_type: "LIMIT_CANCEL", order_uuid: leg })).toMatchObject({
      status: 200,
    });
    const positions = (await read("positions")) as { data: readonly { positionUuid: string }[] };
    const position = positions.data[0]?.positionUuid.toUpperCase();
    expect(await order({ execution_type: "FLAT_ALL", order_uuid: position })).toMatchObject({
      body: { data: { closed: [{ tradePair: "BTCUSD" }] } },
    });
  });

  test("a pending order below the minimum position is rejected when it is placed, as a market order is, but not one that reduces [D12.restingLeast]", async () => {
    const { order, read, quote } = await trader();
    await quote("BTCUSD", 50_000, 50_000);
    const small = { execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG", value: 5 };
    const market = await order({ ...small, execution_type: "MARKET" });
    expect(market).toEqual({ status: 400, body: { error: expect.stringContaining("$10") } });
    const limit = { ...small, limit_price: 49_000 };
    expect(await order(limit)).toEqual(market);
    const trigger = { stop_price: 51_000, stop_condition: "GTE", limit_price: 51_100 };
    expect(await order({ ...small, execution_type: "STOP_LIMIT", ...trigger })).toEqual(market);
    expect(await read("orders")).toEqual({ success: true, data: [] });

    const placed = (await order({ ...limit, value: 50 })).body as { data: { order_uuid: string } };
    const edit = { execution_type: "LIMIT_EDIT", order_uuid: placed.data.order_uuid };
    expect(await order({ ...limit, ...edit })).toEqual(market);
    await order(BTC_LONG);
    const exit = { ...small, order_type: "SHORT", limit_price: 51_000 };
    for (const trade of [exit, limit]) expect((await order(trade)).status).toBe(200);
  });
});
