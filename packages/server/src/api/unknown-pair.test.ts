import type { Account, PendingOrder, PositionItem } from "@propgate/contract";
import { pairId } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { CATALOGUE, type Harness, openHarness } from "../testing/harness.ts";

const UNKNOWN = "'trade_pair' BTCUSD is not a known pair";
const NONCE = "0".repeat(32);
const DAY_MS = 86_400_000;

// BTCUSD leaves the catalogue while the account has a position, a leg and an order of it. The account also holds
// EURUSD.
describe("an account that holds a pair which no catalogue knows [D13.unknownPair]", () => {
  let firm: Harness;
  beforeEach(async () => {
    const known = new Map(CATALOGUE);
    firm = await openHarness({ instruments: known });
    await firm.quote("BTCUSD", 50_000, 50_000);
    await firm.quote("EURUSD", 1.1, 1.1);
    const long = { execution_type: "MARKET", order_type: "LONG", leverage: 0.1 };
    const rests = { ...long, execution_type: "LIMIT", limit_price: 30_000 };
    expect(await send({ ...long, trade_pair: "BTCUSD", stop_loss: 40_000 })).toEqual([200, null]);
    expect(await send({ ...long, trade_pair: "EURUSD" }, NONCE)).toEqual([200, null]);
    expect(await send({ ...rests, trade_pair: "BTCUSD" })).toEqual([200, null]);
    await firm.quote("BTCUSD", 45_000, 45_000);
    known.delete(pairId("BTCUSD"));
    return () => firm.close();
  });

  /** Sends an order. Returns the status and the error. */
  async function send(trade: object, nonce?: string): Promise<readonly [number, string | null]> {
    const reply = await firm.order(trade, nonce === undefined ? {} : { nonce });
    return [reply.status, (reply.json() as { error?: string }).error ?? null];
  }

  async function preview(trade: object): Promise<readonly [number, string | null]> {
    const body = JSON.stringify({ accountId: firm.accountId, trade });
    const reply = await firm.get("preview", { method: "POST", body });
    return [reply.status, (reply.json() as { error?: string }).error ?? null];
  }

  async function data<Data>(endpoint: string): Promise<Data> {
    return ((await firm.get(endpoint)).json() as { data: Data }).data;
  }

  test("an account with an unknown pair shows the position at its entry and as stale, and the account with it", async () => {
    expect(await data<readonly PositionItem[]>("positions")).toMatchObject([
      { tradePair: "BTCUSD", unrealizedPnl: 0, netValue: 10_000, stopLoss: 40_000, isStale: true },
      { tradePair: "EURUSD", isStale: false },
    ]);
    expect(await data<Account>("account")).toMatchObject({
      account: { currentBalance: 99_997, currentEquity: 99_997, openPositions: 2 },
      meta: { stale: true },
    });
  });

  test("an account with an unknown pair is answered by every read, and a filter by that pair is rejected with its name", async () => {
    const orders = await data<readonly PendingOrder[]>("orders");
    const lives = orders.map(({ orderUuid }) => `orders/${orderUuid}`);
    const lists = [
      "trades",
      "payouts",
      "instruments",
      "quotes",
      "events",
      "order-history",
      "fills",
    ];
    const candles = "candles?tradePair=EURUSD&interval=1m";
    for (const read of [...lives, ...lists, candles, `receipts/${NONCE}`]) {
      expect([read, (await firm.get(read)).status]).toEqual([read, 200]);
    }
    for (const filtered of ["candles?interval=1m&", "order-history?", "fills?"]) {
      const { status } = await firm.get(`${filtered}tradePair=BTCUSD`);
      expect([filtered, status]).toEqual([filtered, 400]);
    }
  });

  test("an account with an unknown pair has every order of that pair rejected with its name, and its preview", async () => {
    const size = { trade_pair: "BTCUSD", leverage: 0.1 };
    for (const trade of [
      { execution_type: "MARKET", order_type: "LONG", ...size },
      { execution_type: "MARKET", order_type: "SHORT", ...size, reduce_only: true },
      { execution_type: "MARKET", order_type: "FLAT", trade_pair: "BTCUSD" },
      { execution_type: "LIMIT", order_type: "LONG", ...size, limit_price: 30_000 },
      { execution_type: "BRACKET", trade_pair: "BTCUSD", stop_loss: 41_000 },
    ]) {
      expect([trade, await preview(trade)]).toEqual([trade, [400, UNKNOWN]]);
      expect([trade, await send(trade)]).toEqual([trade, [400, UNKNOWN]]);
    }
    const [leg, entry] = await data<readonly PendingOrder[]>("orders");
    const edit = { execution_type: "LIMIT_EDIT", trade_pair: "BTCUSD" };
    expect(await send({ ...edit, order_uuid: leg?.orderUuid, stop_loss: 41_000 })).toEqual([
      400,
      UNKNOWN,
    ]);
    const moved = { ...edit, ...size, order_uuid: entry?.orderUuid, limit_price: 31_000 };
    expect(await send({ ...moved, order_type: "LONG" })).toEqual([400, UNKNOWN]);
  });

  test("trades its other pairs, previews included, and cancels and closes what it can", async () => {
    const long = { order_type: "LONG", trade_pair: "EURUSD", leverage: 0.1 };
    for (const trade of [
      { ...long, execution_type: "MARKET", stop_loss: 1 },
      { ...long, execution_type: "LIMIT", limit_price: 1 },
      { execution_type: "BRACKET", trade_pair: "EURUSD", stop_loss: 1.05 },
    ]) {
      expect([trade, await preview(trade)]).toEqual([trade, [200, null]]);
      expect([trade, await send(trade)]).toEqual([trade, [200, null]]);
    }
    for (const { orderUuid } of await data<readonly PendingOrder[]>("orders")) {
      const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: orderUuid };
      expect(await send(cancel)).toEqual([200, null]);
    }
    expect(await send({ execution_type: "FLAT_ALL" })).toEqual([200, null]);
    expect(await data("positions")).toMatchObject([{ tradePair: "BTCUSD" }]);
  });

  test("an account with an unknown pair is read as before after days of due work that waits", async () => {
    await firm.pass(3 * DAY_MS);
    for (const read of ["account", "positions", "payouts", "events"]) {
      expect([read, (await firm.get(read)).status]).toEqual([read, 200]);
    }
    expect(firm.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});
