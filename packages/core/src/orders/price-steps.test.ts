import { describe, expect, test } from "vitest";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import type { Command, PlaceEntry } from "../state/command.ts";
import type { Moment } from "../state/moment.ts";
import type { LegRequest } from "../state/order.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { type Price, price, unixMs } from "../units.ts";

const PAIR = pairId("TICKUSD");
const NOW = unixMs(1_767_625_200_000);
const LEG: LegRequest = {
  stopLoss: price(80.001),
  takeProfit: price(120.001),
  trailing: { kind: "value", value: 3.005 },
  size: null,
};
const ENTRY: PlaceEntry<"limit"> = {
  type: "placeLimit",
  orderUuid: orderUuid("o1"),
  pair: PAIR,
  direction: "long",
  size: { kind: "quantity", lots: 1 },
  limitPrice: price(90.005),
  legs: [LEG],
  reduceOnly: false,
};
const OPEN: Command = {
  type: "openAccount",
  accountId: accountId("a"),
  ownerId: ownerId("w"),
  terms: CLASSIC_TERMS,
  provisioned: true,
};

function momentWith(priceStep: Price | null): Moment {
  const found = TEST_CATALOGUE.get(PAIR);
  if (found === undefined) throw new Error("TICKUSD is in the catalogue");
  const instrument: Instrument = { ...found, priceStep };
  const quote = { pair: PAIR, bid: price(100), ask: price(100), atMs: NOW };
  return { now: NOW, quotes: new Map([[PAIR, quote]]), instruments: new Map([[PAIR, instrument]]) };
}

const FREE = momentWith(null);
const STEPPED = momentWith(price(0.01));

function after(state: AccountState | null, command: Command, moment: Moment): AccountState {
  const decision = decide(state, command, moment);
  if (!decision.ok) throw new Error(decision.refusal.code);
  const next = decision.value.reduce<AccountState | null>(evolve, state);
  if (next === null) throw new Error("an account");
  return next;
}

function codeOf(state: AccountState, command: Command): string {
  const decision = decide(state, command, STEPPED);
  return decision.ok ? "ok" : decision.refusal.code;
}

describe("an order that was placed before its pair had a step [D6.priceStep]", () => {
  const placed = after(after(null, OPEN, FREE), ENTRY, FREE);
  const edit = (over: Partial<PlaceEntry<"limit">>): Command => ({
    type: "editOrder",
    replacement: { ...ENTRY, ...over },
  });

  test.each<[string, Partial<PlaceEntry<"limit">>, string]>([
    ["all prices as they were", {}, "ok"],
    ["another size", { size: { kind: "quantity", lots: 2 } }, "ok"],
    ["a new price on the step", { limitPrice: price(91) }, "ok"],
    ["a new price off the step", { limitPrice: price(91.005) }, "priceOffTick"],
    ["the legs in another place", { legs: [{ ...LEG, stopLoss: null }, LEG] }, "ok"],
    ["a new stop off the step", { legs: [{ ...LEG, stopLoss: price(81.001) }] }, "priceOffTick"],
    ["the stop sent as a limit", { limitPrice: price(80.001) }, "priceOffTick"],
    [
      "a new distance off the step",
      { legs: [{ ...LEG, trailing: { kind: "value", value: 3.004 } }] },
      "priceOffTick",
    ],
  ])("an edit is accepted or rejected by the step of its prices: %s", (_what, over, code) => {
    expect(codeOf(placed, edit(over))).toBe(code);
  });

  test("the order can be cancelled, and it fills with its legs", () => {
    expect(codeOf(placed, { type: "cancelOrders", target: "all", pair: null })).toBe("ok");
    const reached = {
      ...STEPPED,
      quotes: new Map([[PAIR, { pair: PAIR, bid: price(90), ask: price(90), atMs: NOW }]]),
    };
    const filled = after(placed, { type: "settlePrices" }, reached);
    expect(filled.positions).toHaveLength(1);
    expect(filled.orders).toMatchObject([{ kind: "bracket", stopLoss: 80.001 }]);
    const [leg] = filled.orders;
    if (leg === undefined) throw new Error("a leg");
    const editLeg = (stopLoss: number): Command => ({
      type: "editOrder",
      replacement: {
        type: "editLeg",
        orderUuid: leg.uuid,
        pair: PAIR,
        leg: { ...LEG, stopLoss: price(stopLoss) },
      },
    });
    expect(codeOf(filled, editLeg(80.001))).toBe("ok");
    expect(codeOf(filled, editLeg(80.002))).toBe("priceOffTick");
  });
});
