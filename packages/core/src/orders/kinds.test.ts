import { describe, expect, test } from "vitest";
import { orderUuid, pairId, positionUuid } from "../ids.ts";
import type { BracketLeg, LimitOrder, StopLimitOrder } from "../state/order.ts";
import { leverage, price, ratio, unixMs } from "../units.ts";
import { triggerLevels } from "./kinds.ts";

const RESTING = {
  uuid: orderUuid("o1"),
  pair: pairId("BTCUSD"),
  placedAtMs: unixMs(0),
  legs: [],
  reduceOnly: false,
  size: { kind: "leverage", leverage: leverage(1) },
} as const;
const LIMIT: LimitOrder = { ...RESTING, kind: "limit", direction: "long", limitPrice: price(99) };
const STOP: StopLimitOrder = {
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
  shareOf: null,
};
const TRAILING: BracketLeg = {
  ...LEG,
  trailing: { kind: "percent", ratio: ratio(0.02) },
  bestPrice: price(110),
};

describe("what a resting order waits for", () => {
  test.each([
    ["a long limit buys at the ask", LIMIT, ["ask atOrBelow 99 fill"]],
    ["a short one sells at the bid", { ...LIMIT, direction: "short" }, ["bid atOrAbove 99 fill"]],
    ["a stop watches the mid, upwards", STOP, ["mid atOrAbove 105 stop"]],
    ["or downwards", { ...STOP, stopCondition: "lte" }, ["mid atOrBelow 105 stop"]],
    [
      "a long leg leaves at the bid, the stop first",
      LEG,
      ["bid atOrBelow 90 stopLoss", "bid atOrAbove 110 takeProfit"],
    ],
    [
      "a short leg at the ask",
      { ...LEG, direction: "short", stopLoss: price(110), takeProfit: price(90) },
      ["ask atOrAbove 110 stopLoss", "ask atOrBelow 90 takeProfit"],
    ],
    [
      "a trailing leg also waits for a price better than its best",
      { ...TRAILING, takeProfit: null },
      ["bid atOrAbove 110.00000000000003 ratchet", "bid atOrBelow 107.8 stopLoss"],
    ],
    [
      "a short one for a lower one",
      { ...TRAILING, direction: "short", stopLoss: null, takeProfit: null, bestPrice: price(100) },
      ["ask atOrBelow 99.99999999999997 ratchet", "ask atOrAbove 102 stopLoss"],
    ],
    [
      "the stop nearer to the market stands",
      { ...TRAILING, stopLoss: price(109), takeProfit: null },
      ["bid atOrAbove 110.00000000000003 ratchet", "bid atOrBelow 109 stopLoss"],
    ],
    [
      "a distance wider than the price leaves no stop",
      { ...TRAILING, stopLoss: null, takeProfit: null, trailing: { kind: "value", value: 200 } },
      ["bid atOrAbove 110.00000000000003 ratchet"],
    ],
  ] as const)("%s [D5.legs] [D5.limit] [D5.stopLimit]", (_title, order, expected) => {
    const said = triggerLevels(order).map(
      (level) => `${level.side} ${level.when} ${level.price} ${level.reaction}`,
    );
    expect(said).toEqual(expected);
  });
});
