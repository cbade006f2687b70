/**
 * The fields of an order over HTTP: fields in objects where they do not belong, ids, and races of a cancel or an edit
 * with a fill.
 */
import type { RunningSandbox } from "@propgate/server";
import { beforeAll, describe, expect, test } from "vitest";
import { startSandbox } from "../../packages/server/src/start/start-sandbox.ts";
import { createSandboxClient } from "../../packages/server/src/testing/sandbox-client.ts";
import { deepenedCount } from "../environment/depth.ts";

const MONDAY = Date.parse("2026-01-05T15:00:00Z");
const ENTRY = { trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.5 } as const;
const MARKET = { ...ENTRY, execution_type: "MARKET" } as const;
const LIMIT = { ...ENTRY, execution_type: "LIMIT", limit_price: 49_500 } as const;
const FLAT = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" } as const;
const CANCEL = { execution_type: "LIMIT_CANCEL" } as const;
const BRACKET = { execution_type: "BRACKET", trade_pair: "BTCUSD", stop_loss: 49_000 } as const;
const OTHER_ACCOUNT = "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11";
/** The number of races of a fill with a cancel, and of a fill with an edit. */
const RACES = deepenedCount(500, 8);
const RACES_OF_A_KEY = 50;

interface Answer {
  readonly status: number;
  readonly json: () => unknown;
}

interface Trader {
  readonly order: (trade: object) => Promise<Answer>;
  readonly read: (endpoint: string) => Promise<readonly Record<string, unknown>[]>;
  readonly quote: (bid: number) => Promise<unknown>;
}

describe("an order's words", () => {
  let sandbox: RunningSandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      startMs: MONDAY,
      seed: "words",
      clock: "frozen",
      dataDir: null,
      networkTimeoutMs: 15_000,
    });
    return () => sandbox.stop();
  });

  async function trader(): Promise<Trader> {
    const { control } = createSandboxClient(sandbox, () => MONDAY);
    const { body: account } = await control("POST", "/accounts", { size: 100_000 });
    const { accountId } = account as { accountId: string };
    const scopes = ["trade:read", "trade:place"];
    const { body: key } = await control("POST", "/keys", { accountId, scopes });
    const ready = { ...sandbox.ready, ...(key as { keyId: string; secret: string }) };
    const client = createSandboxClient({ ...sandbox, ready }, () => MONDAY);
    const quote = (bid: number) =>
      client.control("POST", "/quotes", [{ pair: "BTCUSD", bid, ask: bid }]);
    await quote(50_000);
    return {
      order: (trade) => client.order(trade),
      read: async (endpoint) => {
        const { data } = (await client.get(endpoint)).json() as {
          data: readonly Record<string, unknown>[];
        };
        return data;
      },
      quote,
    };
  }

  /**
   * Orders with a field in an object where it does not belong and where the service must not ignore it. A row has a
   * title, the order's `trade`, and a part of the error text.
   */
  const ROWS: readonly (readonly [name: string, trade: object, text: string])[] = [
    ["a stop on LIMIT", { ...LIMIT, stop_price: 50_500, stop_condition: "GTE" }, "'stop_price'"],
    ["a distance on MARKET", { ...MARKET, trailing_percent: 0.1 }, "'trailing_percent'"],
    [
      "a share beside a list",
      {
        execution_type: "BRACKET",
        trade_pair: "BTCUSD",
        bracket_pct: 0.5,
        bracket_orders: [{ stop_loss: 49_000 }],
      },
      "'bracket_pct'",
    ],
    ["a share on FLAT", { ...FLAT, bracket_pct: 0.5 }, "'bracket_pct'"],
    ["a stop on FLAT", { ...FLAT, stop_loss: 49_000 }, "'stop_loss'"],
    [
      "a direction on FLAT_ALL",
      { execution_type: "FLAT_ALL", order_type: "SHORT" },
      "'order_type'",
    ],
    ["a direction on ALL", { ...CANCEL, order_uuid: "ALL", order_type: "SHORT" }, "'order_type'"],
    ["an unknown pair beside ids", { ...CANCEL, order_uuid: "x", trade_pair: "NOSUCH" }, "NOSUCH"],
    ["a size on a cancel", { ...CANCEL, order_uuid: "x", quantity: 0.1 }, "'quantity'"],
    [
      "a trailing stop inside a leg",
      {
        ...MARKET,
        bracket_orders: [{ take_profit: 60_000, trailing_stop: { trailing_value: 9 } }],
      },
      "bracket_orders[0]: 'trailing_stop'",
    ],
    [
      "a size inside a trailing stop",
      { ...MARKET, trailing_stop: { trailing_value: 9, quantity: 0.1 } },
      "'quantity'",
    ],
    ["a share on LIMIT", { ...LIMIT, stop_loss: 49_000, bracket_pct: 0.5 }, "'bracket_pct'"],
    ["an id on MARKET", { ...MARKET, order_uuid: "own" }, "'order_uuid'"],
    ["a stop on MARKET", { ...MARKET, stop_price: 50_500 }, "'stop_price'"],
    ["a limit on MARKET", { ...MARKET, limit_price: 49_000 }, "'limit_price'"],
    ["seconds in trade", { ...MARKET, seconds: 9 }, "'seconds'"],
    ["the other direction on BRACKET", { ...BRACKET, order_type: "SHORT" }, "'order_type'"],
    ["FLAT on BRACKET", { ...BRACKET, order_type: "FLAT" }, "'order_type'"],
  ];

  test("a field of the contract at a wrong place is rejected, and the account stays as it was [D13.fates] [D13.ownDirection]", async () => {
    const { order, read } = await trader();
    expect((await order(MARKET)).status).toBe(200);
    const before = [await read("positions"), await read("orders")];
    for (const [name, trade, text] of ROWS) {
      const answer = await order(trade);
      expect({ name, status: answer.status }).toEqual({ name, status: 400 });
      expect((answer.json() as { error: string }).error).toContain(text);
    }
    expect([await read("positions"), await read("orders")]).toEqual(before);
  });

  test("an account inside trade must be the bound one [D2.10]", async () => {
    const { order, read } = await trader();
    expect((await order({ ...MARKET, accountId: OTHER_ACCOUNT })).status).toBe(403);
    expect((await order({ ...MARKET, accountId: "mine" })).status).toBe(400);
    expect(await read("positions")).toEqual([]);
  });

  test("the message of ALL names the positions that stay without a stop [D13.nakedNamed]", async () => {
    const { order } = await trader();
    await order({ ...MARKET, stop_loss: 48_000 });
    const all = { ...CANCEL, order_uuid: "ALL" };
    expect((await order(all)).json()).toMatchObject({
      data: { message: "1 order cancelled. Open without a stop: BTC/USD." },
    });
    expect((await order({ ...all, trade_pair: "ETHUSD" })).json()).toMatchObject({
      data: { message: "No pending order to cancel." },
    });
    expect((await order(all)).json()).toMatchObject({
      data: { message: "No pending order to cancel. Open without a stop: BTC/USD." },
    });
  });

  test.each([
    ["a cancel", (id: string) => ({ ...CANCEL, order_uuid: id })],
    [
      "an edit",
      (id: string) => ({
        ...LIMIT,
        execution_type: "LIMIT_EDIT",
        order_uuid: id,
        limit_price: 49_450,
        stop_loss: 47_900,
      }),
    ],
  ])(
    "%s that races a fill never leaves a position without its stop [D13.oneOrder]",
    async (_, act) => {
      let client: Trader = await trader();
      for (let race = 0; race < RACES; race += 1) {
        // A key has 120 reads in a minute of the frozen clock.
        if (race % RACES_OF_A_KEY === 0) client = await trader();
        const { order, read, quote } = client;
        await quote(50_000);
        const placed = await order({ ...LIMIT, stop_loss: 48_000 });
        const { data } = placed.json() as { data: { order_uuid: string } };
        const fill = () => quote(49_400);
        const change = () => order(act(data.order_uuid));
        // The order alternates: one race begins with the change, the next race with the quote.
        const acts = race % 2 === 0 ? [change, fill] : [fill, change];
        await Promise.all(acts.map((begin) => begin()));
        const positions = await read("positions");
        expect(positions.filter(({ stopLoss }) => stopLoss === null)).toEqual([]);
        // After the race no pending order has the id, whether the entry was filled or cancelled.
        const late = await order({ ...CANCEL, order_uuid: data.order_uuid });
        expect(late.status).toBe(400);
        expect((await read("positions")).filter(({ stopLoss }) => stopLoss === null)).toEqual([]);
        await order({ execution_type: "FLAT_ALL" });
      }
    },
  );
});
