import {
  accountId,
  type LegRequest,
  orderUuid,
  pairId,
  price,
  ratio,
  type TrailingDistance,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { QuotesBehind } from "../../../ledger/src/trading/executor-port.ts";
import { createLoopedMarket } from "../../../server/src/testing/looped-market.ts";
import { madeQuote } from "../../../server/src/testing/made-quote.ts";
import { createMarketLoop } from "./market-loop.ts";

const BTC = pairId("BTCUSD");
const A = accountId("00000000-0000-4000-8000-00000000000a");
const B = accountId("00000000-0000-4000-8000-00000000000b");

function leg(over: {
  readonly stopLoss?: number;
  readonly takeProfit?: number;
  readonly trailing?: TrailingDistance;
}): LegRequest {
  return {
    stopLoss: over.stopLoss === undefined ? null : price(over.stopLoss),
    takeProfit: over.takeProfit === undefined ? null : price(over.takeProfit),
    trailing: over.trailing ?? null,
    size: null,
  };
}

describe("market loop: pending orders", () => {
  test("a quote fills the orders that it reaches before the call returns, and no others [D5.triggers]", async () => {
    const { loop, give, open, limit, fills, settlements, executor } = createLoopedMarket();
    await open(A);
    await open(B);
    await give("BTCUSD", 1_000);
    await limit(A, 900);
    await limit(B, 800);
    await give("BTCUSD", 901);
    expect(settlements()).toBe(0);
    await give("BTCUSD", 850, 899);
    expect(fills()).toEqual([["limit", 899]]);
    expect(executor.account(B).state.orders).toHaveLength(1);
    await loop.whenSettled();
  });

  test("accounts that were forgotten are settled no more, until they are taken over again", async () => {
    const { loop, give, open, limit, fills, executor } = createLoopedMarket();
    await open(A);
    await open(B);
    await give("BTCUSD", 1_000);
    await limit(A, 900, [leg({ stopLoss: 850 })]);
    await limit(B, 900, [leg({ stopLoss: 850 })]);
    expect(loop.watchedCount()).toBe(2);
    await give("BTCUSD", 899);
    expect(fills()).toHaveLength(2);
    loop.forget((account) => account === A);
    expect([loop.watchedCount(), loop.watchedVersion(A)]).toEqual([1, 0]);
    await give("BTCUSD", 840);
    expect(fills()).toHaveLength(3);
    loop.watchAccounts([executor.account(A)]);
    await loop.whenSettled();
    expect(fills()).toHaveLength(4);
    expect(loop.watchedCount()).toBe(0);
  });

  test("a limit that is marketable when it is placed needs no further quote [D5.limit]", async () => {
    const { loop, give, open, limit, fills } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 1_100);
    await loop.whenSettled();
    expect(fills()).toEqual([["limit", 1_000]]);
  });

  test("a limit placed on a stale quote waits for a new one [D5.freshQuote]", async () => {
    const { loop, give, open, limit, fills, time } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    await time.pass(60_001);
    await limit(A, 1_100);
    await loop.whenSettled();
    expect(fills()).toEqual([]);
    await give("BTCUSD", 1_050);
    expect(fills()).toEqual([["limit", 1_050]]);
  });

  test("every quote of a batch has its effect, each at its own price [D5.triggers]", async () => {
    const { loop, open, limit, fills, quote, give } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900, [leg({ stopLoss: 850, takeProfit: 950 })]);
    // The fall, the recovery and the stop's price come in one batch. The last price alone would trigger no order.
    await loop.publish([
      quote("BTCUSD", 899),
      quote("ETHUSD", 50),
      quote("BTCUSD", 951),
      quote("BTCUSD", 1_000),
    ]);
    expect(fills()).toEqual([
      ["limit", 899],
      ["takeProfit", 951],
    ]);
  });

  test("an entry whose stop the quote has passed already is rejected, never filled [D10.firesAtOnce] [D10.rejected]", async () => {
    const { loop, open, limit, fills, give, executor } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900, [leg({ stopLoss: 850 })]);
    // The ask is at the limit, but the bid is already below the stop.
    await give("BTCUSD", 840, 899);
    await loop.whenSettled();
    expect(fills()).toEqual([]);
    expect(executor.account(A).state.orders).toEqual([]);
  });

  test("a trailing stop follows the best bid of each quote: 100, 110, 108, 107.8 [D5.trailing]", async () => {
    const { loop, open, buy, fills, give, settlements, executor } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 100);
    const trailing: TrailingDistance = { kind: "percent", ratio: ratio(0.02) };
    await buy(A, "BTCUSD", 1, { legs: [leg({ trailing })] });
    for (const bid of [100, 110, 108]) await give("BTCUSD", bid);
    expect(fills()).toEqual([["market", 100]]);
    const { version } = executor.account(A);
    const kept = [...(loop.bests(A, version)?.values() ?? [])];
    expect([settlements(), kept.map(({ bid }) => bid)]).toEqual([0, [110]]);
    expect(loop.bests(A, version - 1)).toBeUndefined();
    await give("BTCUSD", 107.8);
    expect(executor.events.slice(version, version + 2)).toMatchObject([
      { type: "trailMoved", bestPrice: 110 },
      { type: "orderFilled", kind: "stopLoss" },
    ]);
    expect(fills()).toEqual([
      ["market", 100],
      ["stopLoss", 107.8],
    ]);
  });

  test("another trailing distance starts again at the present price, the same one goes on [D10.editKeeps]", async () => {
    const { loop, open, buy, fills, give, executor } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 100);
    await buy(A, "BTCUSD", 1, { legs: [leg({ trailing: { kind: "value", value: 5 } })] });
    await give("BTCUSD", 120);
    await give("BTCUSD", 118);
    const edit = (value: number, takeProfit: number) =>
      executor.send(A, {
        type: "editOrder",
        replacement: {
          type: "editLeg",
          orderUuid: executor.account(A).state.orders[0]?.uuid ?? orderUuid("none"),
          pair: BTC,
          leg: leg({ takeProfit, trailing: { kind: "value", value } }),
        },
      });
    await edit(5, 130);
    expect(executor.account(A).state.orders).toMatchObject([{ bestPrice: 120 }]);
    await edit(4, 130);
    expect(executor.account(A).state.orders).toMatchObject([{ bestPrice: 118 }]);
    expect(loop.bests(A, executor.account(A).version)).toBeUndefined();
    await give("BTCUSD", 114.5);
    expect(fills()).toHaveLength(1);
    await give("BTCUSD", 114);
    expect(fills()).toHaveLength(2);
  });

  test("a quote of a closed market triggers nothing, and nothing at the opening either [D10.closedMarkets]", async () => {
    const { open, executor, fills, give, time, loop } = createLoopedMarket();
    await open(A);
    await executor.send(A, {
      type: "placeLimit",
      reduceOnly: false,
      orderUuid: orderUuid("00000000-0000-4000-8000-000000000099"),
      pair: pairId("SLOW"),
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      limitPrice: price(10),
      legs: [],
    });
    await time.pass(59 * 60_000 + 30_000);
    await give("SLOW", 9);
    expect(fills()).toEqual([]);
    await time.pass(30_000);
    await loop.sweep();
    expect(fills()).toEqual([]);
    await give("SLOW", 8);
    expect(fills()).toEqual([["limit", 8]]);
  });
});

describe("market loop: life", () => {
  test("the market loop takes over orders that were pending before it was created", async () => {
    const { executor, open, limit, give, board, intake, instruments, time, fills } =
      createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900);
    const loop = createMarketLoop({
      executor,
      board,
      intake,
      source: "test",
      instruments,
      clock: time.clock,
      onFault: () => undefined,
    });
    loop.watchAccounts([executor.account(A)]);
    await loop.publish([madeQuote("BTCUSD", 890, 890, time.clock.now())]);
    expect(fills()).toEqual([["limit", 890]]);
  });

  test("a failed settlement is reported and retried with the next quote", async () => {
    const { executor, open, limit, give, fills, faults } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900);
    executor.breakWith(new Error("no database"));
    await give("BTCUSD", 899);
    expect(faults).toHaveLength(1);
    executor.breakWith(null);
    await give("BTCUSD", 898);
    expect(fills()).toEqual([["limit", 898]]);
  });

  test("an order whose commit went unanswered is watched from the next check of prices on [D5.triggers] [D5.unknownFate]", async () => {
    const { loop, give, open, limit, fills, executor } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 1_000);
    executor.breakWith(new Error("the connection was lost"), "answer");
    await expect(limit(A, 900)).rejects.toThrow("the connection was lost");
    // The database still fails when the order is checked, so its fate stays unknown.
    await loop.sweep();
    // The account then waits for quotes at which it was decided, so the check does not reach the database.
    executor.breakWith(new QuotesBehind());
    await loop.sweep();
    executor.breakWith(null);
    await loop.sweep();
    expect(fills()).toEqual([]);
    await give("BTCUSD", 899);
    expect(fills()).toEqual([["limit", 899]]);
  });

  test("a crossed quote changes nothing and is reported", async () => {
    const { give, board } = createLoopedMarket();
    expect(await give("BTCUSD", 101, 100)).toEqual(["crossed"]);
    expect(board.quote(BTC)).toBeNull();
  });
});
