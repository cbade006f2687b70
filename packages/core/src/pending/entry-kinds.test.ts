import { describe, expect, test } from "vitest";
import { orderUuid, pairId, positionUuid } from "../ids.ts";
import type { BracketLeg, EntryOrder } from "../state/order.ts";
import { leverage, price, quantity, ratio, unixMs } from "../units.ts";
import { triggersOf } from "./entry-kinds.ts";

const RESTING = {
  uuid: orderUuid("o1"),
  pair: pairId("BTCUSD"),
  placedAtMs: unixMs(0),
  legs: [],
  reduceOnly: false,
  size: { kind: "leverage", leverage: leverage(1) },
} as const;
const LIMIT: EntryOrder<"limit"> = {
  ...RESTING,
  kind: "limit",
  direction: "long",
  limitPrice: price(99),
};
const STOP: EntryOrder<"stopLimit"> = {
  ...LIMIT,
  kind: "stopLimit",
  stopPrice: price(105),
  stopCondition: "gte",
};
const LEG: BracketLeg = {
  uuid: orderUuid("o1-bracket-0"),
  pair: pairId("BTCUSD"),
  placedAtMs: unixMs(0),
  kind: "bracket",
  direction: "long",
  positionUuid: positionUuid("o1"),
  stopLoss: price(90),
  takeProfit: price(110),
  trailing: null,
  size: null,
  bestPrice: null,
  shareOf: quantity(100_000),
};
const TRAILING: BracketLeg = {
  ...LEG,
  trailing: { kind: "percent", ratio: ratio(0.02) },
  bestPrice: price(110),
};

describe("the triggers of pending orders", () => {
  test.each([
    ["a long limit triggers when the ask falls to its price", LIMIT, ["ask atOrBelow 99 fill"]],
    [
      "a short limit triggers when the bid rises to its price",
      { ...LIMIT, direction: "short" },
      ["bid atOrAbove 99 fill"],
    ],
    ["a gte stop triggers when the mid rises to it", STOP, ["mid atOrAbove 105 stop"]],
    [
      "an lte stop triggers when the mid falls to it",
      { ...STOP, stopCondition: "lte" },
      ["mid atOrBelow 105 stop"],
    ],
    [
      "a long leg exits at the bid, with the stop listed first",
      LEG,
      ["bid atOrBelow 90 stopLoss", "bid atOrAbove 110 takeProfit"],
    ],
    [
      "a short leg exits at the ask",
      { ...LEG, direction: "short", stopLoss: price(110), takeProfit: price(90) },
      ["ask atOrAbove 110 stopLoss", "ask atOrBelow 90 takeProfit"],
    ],
    [
      "a trailing long leg also triggers on a bid above its best price",
      { ...TRAILING, takeProfit: null },
      ["bid atOrAbove 110.00000000000003 ratchet", "bid atOrBelow 107.8 stopLoss"],
    ],
    [
      "a trailing short leg also triggers on an ask below its best price",
      { ...TRAILING, direction: "short", stopLoss: null, takeProfit: null, bestPrice: price(100) },
      ["ask atOrBelow 99.99999999999997 ratchet", "ask atOrAbove 102 stopLoss"],
    ],
    [
      "a leg with a fixed and a trailing stop uses the one nearer to the market",
      { ...TRAILING, stopLoss: price(109), takeProfit: null },
      ["bid atOrAbove 110.00000000000003 ratchet", "bid atOrBelow 109 stopLoss"],
    ],
    [
      "a trailing distance wider than the price leaves no stop",
      { ...TRAILING, stopLoss: null, takeProfit: null, trailing: { kind: "value", value: 200 } },
      ["bid atOrAbove 110.00000000000003 ratchet"],
    ],
  ] as const)("%s [D5.legTriggers] [D5.limit] [D5.stopLimit]", (_title, order, expected) => {
    const said = triggersOf(order).map(
      (level) => `${level.side} ${level.when} ${level.price} ${level.reaction}`,
    );
    expect(said).toEqual(expected);
  });
});
