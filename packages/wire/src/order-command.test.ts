import { parsePlaceOrder } from "@propgate/contract";
import { createPairFinder } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { orderCommand } from "./order-command.ts";

const PAIR = { trade_pair: "btc/usd" };

const pairOf = createPairFinder(new Map());

describe("an order body becomes the command it stands for [S4.2.fields] [D5.fields]", () => {
  test.each([
    [
      { ...PAIR, execution_type: "MARKET", order_type: "LONG", value: 1000.5 },
      {
        type: "placeMarket",
        orderUuid: "new",
        pair: "BTCUSD",
        direction: "long",
        size: { kind: "value", value: 1_000_500_000 },
        legs: [],
        reduceOnly: false,
      },
    ],
    [
      { ...PAIR, execution_type: "MARKET", order_type: "FLAT" },
      { type: "closePair", orderUuid: "new", pair: "BTCUSD" },
    ],
    [
      {
        ...PAIR,
        execution_type: "LIMIT",
        order_type: "SHORT",
        leverage: 0.5,
        limit_price: 100,
        trailing_stop: { trailing_value: 3 },
      },
      {
        type: "placeLimit",
        orderUuid: "new",
        pair: "BTCUSD",
        direction: "short",
        size: { kind: "leverage", leverage: 0.5 },
        limitPrice: 100,
        reduceOnly: false,
        legs: [
          {
            stopLoss: null,
            takeProfit: null,
            trailing: { kind: "value", value: 3 },
            size: null,
          },
        ],
      },
    ],
    [
      {
        ...PAIR,
        execution_type: "STOP_LIMIT",
        order_type: "LONG",
        quantity: 2,
        limit_price: 100,
        stop_price: 99,
        stop_condition: "LTE",
      },
      {
        type: "placeStopLimit",
        orderUuid: "new",
        pair: "BTCUSD",
        direction: "long",
        size: { kind: "quantity", lots: 2 },
        limitPrice: 100,
        reduceOnly: false,
        legs: [],
        stopPrice: 99,
        stopCondition: "lte",
      },
    ],
    [
      {
        ...PAIR,
        execution_type: "BRACKET",
        bracket_orders: [{ stop_loss: 90, bracket_pct: 0.5 }, { trailing_percent: 0.1 }],
      },
      {
        type: "placeBracket",
        orderUuid: "new",
        pair: "BTCUSD",
        legs: [
          {
            stopLoss: 90,
            takeProfit: null,
            trailing: null,
            size: { kind: "bracketPct", ratio: 0.5 },
          },
          {
            stopLoss: null,
            takeProfit: null,
            trailing: { kind: "percent", ratio: 0.1 },
            size: null,
          },
        ],
      },
    ],
    [
      { execution_type: "LIMIT_CANCEL", order_uuid: "a, b" },
      { type: "cancelOrders", target: ["a", "b"], pair: null },
    ],
    [
      { ...PAIR, execution_type: "LIMIT_CANCEL", order_uuid: "ALL" },
      { type: "cancelOrders", target: "all", pair: "BTCUSD" },
    ],
    [
      { ...PAIR, execution_type: "LIMIT_EDIT", order_uuid: "leg", stop_loss: 80 },
      {
        type: "editOrder",
        replacement: {
          type: "editLeg",
          orderUuid: "leg",
          pair: "BTCUSD",
          leg: { stopLoss: 80, takeProfit: null, trailing: null, size: null },
        },
      },
    ],
    [{ execution_type: "FLAT_ALL" }, { type: "flatten", target: "all", pair: null }],
    [
      { execution_type: "FLAT_ALL", order_uuid: "p" },
      { type: "flatten", target: ["p"], pair: null },
    ],
  ])("an order body becomes the command it stands for: %j", (trade, command) => {
    const parsed = parsePlaceOrder({ trade });
    if (!parsed.ok) throw new Error(parsed.message);
    expect(orderCommand(parsed.order, { pairOf, newUuid: () => "new" })).toEqual(command);
  });
});
