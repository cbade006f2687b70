import { expect } from "vitest";
import {
  expectAccepted,
  expectRefused,
  flatTrade,
  limitTrade,
  marketTrade,
  type NetworkCase,
  readEndpoint,
} from "./network-case.ts";

const NOWHERE = "00000000-0000-4000-8000-000000000000";

/** Orders that a network refuses, each with its code. A refused order has no effect. */
export const REFUSAL_CASES: readonly NetworkCase[] = [
  {
    title: "BRACKET without a position is refused",
    async run(trader) {
      const bracket = { execution_type: "BRACKET", trade_pair: trader.pairs.btc };
      await expectRefused(trader, { ...bracket, stop_loss: 49_000 }, "noPosition");
    },
  },
  {
    title: "MARKET FLAT without a position is refused",
    async run(trader) {
      await expectRefused(trader, flatTrade(trader.pairs.btc), "noPosition");
    },
  },
  {
    title: "an unknown pair is refused by name",
    async run(trader) {
      const text = await expectRefused(
        trader,
        marketTrade("NOPE", "LONG", { quantity: 1 }),
        "unknownPair",
      );
      expect(text).toContain("NOPE");
    },
  },
  {
    title: "a pair outside the account's class is refused",
    async run(trader) {
      const { outsideClass } = trader.pairs;
      await expectRefused(
        trader,
        marketTrade(outsideClass, "LONG", { quantity: 1 }),
        "pairOutsideClass",
      );
    },
  },
  {
    title: "an order without any room below a cap is refused with the cap's name",
    async run(trader) {
      const { btc } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "LONG", { value: 200_000 }));
      const text = await expectRefused(
        trader,
        marketTrade(btc, "LONG", { value: 1_000 }),
        "noRoom",
      );
      expect(text).toMatch(/cap|power/);
    },
  },
  {
    title: "a second order on a pair within the cooldown is refused with the wait",
    cooldownMs: 5_000,
    async run(trader) {
      const { btc } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.1 }));
      const text = await expectRefused(
        trader,
        marketTrade(btc, "LONG", { quantity: 0.1 }),
        "cooldown",
      );
      expect(text).toMatch(/\d/);
      expect(await readEndpoint(trader, "positions")).toMatchObject([{ netQuantity: 0.1 }]);
    },
  },
  {
    title: "a stop on the wrong side of the limit is refused",
    async run(trader) {
      await expectRefused(
        trader,
        limitTrade(trader.pairs.btc, 49_000, { stop_loss: 49_500 }),
        "wrongSide",
      );
      expect(await readEndpoint(trader, "orders")).toEqual([]);
    },
  },
  {
    title: "MARKET with a stop on the wrong side of its fill is refused as a whole",
    cannot: {
      vanta: {
        reason:
          "a validator checks the stop after the fill: the position is open, without the stop",
        async says(trader) {
          const { btc } = trader.pairs;
          const order = { ...marketTrade(btc, "LONG", { quantity: 0.1 }), stop_loss: 51_000 };
          expect(await expectAccepted(trader, order)).toMatchObject({
            status: "filled",
            error_message: expect.stringMatching(/stop|leg|bracket/i),
          });
          expect(await readEndpoint(trader, "positions")).toMatchObject([
            { netQuantity: 0.1, stopLoss: null },
          ]);
          expect(await readEndpoint(trader, "orders")).toEqual([]);
        },
      },
    },
    async run(trader) {
      const order = marketTrade(trader.pairs.btc, "LONG", { quantity: 0.1 });
      await expectRefused(trader, { ...order, stop_loss: 51_000 }, "wrongSide");
      expect(await readEndpoint(trader, "positions")).toEqual([]);
    },
  },
  {
    title: "a position below the minimum is refused with the minimum",
    async run(trader) {
      const small = marketTrade(trader.pairs.btc, "LONG", { quantity: 0.0001 });
      const text = await expectRefused(trader, small, "positionTooSmall");
      expect(text).toContain("$10");
    },
  },
  {
    title: "reduce_only keeps an order from opening a position",
    cannot: {
      vanta: {
        reason: "a validator has no such field, and an opposite order never opens the other side",
        async says(trader) {
          const order = limitTrade(trader.pairs.btc, 51_000, {
            order_type: "SHORT",
            reduce_only: true,
          });
          expect(await expectRefused(trader, order, null)).toContain(
            "'reduce_only' is not offered",
          );
        },
      },
    },
    async run(trader) {
      const order = limitTrade(trader.pairs.btc, 51_000, {
        order_type: "SHORT",
        reduce_only: true,
      });
      await expectRefused(trader, order, "nothingToReduce");
    },
  },
  {
    title: "two sizes are refused before the network sees the order",
    async run(trader) {
      const two = marketTrade(trader.pairs.btc, "LONG", { quantity: 1, value: 1_000 });
      const text = await expectRefused(trader, two, null);
      expect(text).toBe("'leverage', 'value', or 'quantity' must be provided");
    },
  },
  {
    title: "cancelling or editing an unknown order is refused",
    async run(trader) {
      const id = { order_uuid: NOWHERE };
      await expectRefused(trader, { execution_type: "LIMIT_CANCEL", ...id }, "unknownOrder");
      const edit = limitTrade(trader.pairs.btc, 49_000, { execution_type: "LIMIT_EDIT", ...id });
      await expectRefused(trader, edit, "unknownOrder");
    },
  },
  {
    title: "an edit to another pair is refused and changes nothing",
    async run(trader) {
      const { btc, eth } = trader.pairs;
      const { order_uuid } = await expectAccepted(trader, limitTrade(btc, 49_000));
      const edit = limitTrade(eth, 2_000, { execution_type: "LIMIT_EDIT", order_uuid });
      await expectRefused(trader, edit, "pairMismatch");
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { tradePair: btc, limitPrice: 49_000 },
      ]);
    },
  },
  {
    title: "FLAT_ALL with an unknown position is refused",
    async run(trader) {
      const unknown = { execution_type: "FLAT_ALL", order_uuid: NOWHERE };
      await expectRefused(trader, unknown, "unknownPosition");
    },
  },
  {
    title: "an eliminated account refuses orders and shows its elimination",
    async run(trader) {
      await trader.eliminate();
      const order = marketTrade(trader.pairs.btc, "LONG", { quantity: 0.1 });
      await expectRefused(trader, order, "eliminated");
      expect(await readEndpoint(trader, "account")).toMatchObject({
        evaluation: { status: "eliminated", isEliminated: true },
        elimination: { reason: expect.any(String) },
      });
    },
  },
];
