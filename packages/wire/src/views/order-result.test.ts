import {
  ORDER_CANCELLED,
  ORDER_FILLED,
  ORDER_FLATTENED,
  ORDER_RESTING,
  type OrderResult,
} from "@propgate/contract";
import {
  type EntryOrder,
  type LegRequest,
  microUsd,
  orderUuid,
  pairId,
  price,
  quantity,
  ratio,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { OrderReceipt } from "../../../ledger/src/trading/network/port.ts";
import { orderResultView, restoredResult } from "./order-result.ts";

describe("an order's result", () => {
  test("the processing time of a result is in seconds, as a number [D10.processingTime]", () => {
    const receipt: OrderReceipt = {
      outcome: "cancelled",
      ended: null,
      orderUuid: orderUuid("o1"),
      processingMs: 4,
      order: null,
      note: { kind: "cancelled", count: 1, notFound: [], withoutStop: [] },
    };
    expect(orderResultView(receipt, new Map()).processing_time).toBe(0.004);
  });

  test.each([
    ["is the order as JSON when the stored form has none", "", "null"],
    [
      "of a validator is kept as it was sent",
      "{'trade_pair': ['BTCUSD'], 'leverage': None}",
      "{'trade_pair': ['BTCUSD'], 'leverage': None}",
    ],
    ["of a validator is kept when it is no JSON at all", '\u0000"', '\u0000"'],
  ])("an answer's order_json %s [D9.receipts]", (_what, stored, restored) => {
    const receipt: OrderReceipt = {
      outcome: "cancelled",
      ended: null,
      orderUuid: orderUuid("o1"),
      processingMs: 4,
      order: null,
      note: { kind: "cancelled", count: 1, notFound: [], withoutStop: [] },
    };
    const sent = orderResultView(receipt, new Map());
    const text = JSON.stringify({ ...sent, order_json: stored });
    expect(restoredResult(text)).toEqual({ ...sent, order_json: restored });
  });

  const DISPLAYS = new Map([
    [pairId("BTCUSD"), { display: "BTC/USD", tick: 0.01 }],
    [pairId("ETHUSD"), { display: "ETH/USD", tick: 0.01 }],
  ]);
  const legOf = (stopLoss: number, takeProfit: number | null): LegRequest => ({
    stopLoss: price(stopLoss),
    takeProfit: takeProfit === null ? null : price(takeProfit),
    trailing: null,
    size: null,
  });
  const market = orderUuid(ORDER_FILLED.order_uuid);
  const limit = orderUuid(ORDER_RESTING.order_uuid);
  const entry: EntryOrder<"limit"> = {
    kind: "limit",
    uuid: limit,
    pair: pairId("ETHUSD"),
    direction: "long",
    placedAtMs: unixMs(1_767_778_200_000),
    size: { kind: "value", value: microUsd(10_000_000_000) },
    limitPrice: price(2_900),
    legs: [legOf(2_800, null)],
    reduceOnly: false,
  };
  const receipts: readonly (readonly [string, OrderResult, OrderReceipt])[] = [
    [
      "a fill",
      ORDER_FILLED,
      {
        outcome: "filled",
        ended: null,
        orderUuid: market,
        processingMs: 4,
        note: null,
        order: {
          filled: true,
          orderUuid: market,
          pair: pairId("BTCUSD"),
          direction: "long",
          price: price(90_000),
          slippage: ratio(0),
          quantity: quantity(50_000),
          value: microUsd(45_000_000_000),
          leverage: 0.447843,
          realizedPnl: microUsd(0),
          fee: microUsd(13_500_000),
          processedMs: unixMs(1_767_776_400_000),
          bindingCap: null,
          reduceOnly: false,
          shortfall: null,
          excess: null,
          legs: [{ orderUuid: orderUuid(`${market}-bracket-0`), ...legOf(88_000, 95_000) }],
        },
      },
    ],
    [
      "a pending order",
      ORDER_RESTING,
      {
        outcome: "resting",
        ended: null,
        orderUuid: limit,
        processingMs: 3,
        note: null,
        order: {
          filled: false,
          order: entry,
          size: entry.size,
          legs: entry.legs.map((leg) => ({ orderUuid: null, ...leg })),
        },
      },
    ],
    [
      "a cancel",
      ORDER_CANCELLED,
      {
        outcome: "cancelled",
        ended: null,
        orderUuid: limit,
        processingMs: 3,
        order: null,
        note: { kind: "cancelled", count: 1, notFound: [], withoutStop: [] },
      },
    ],
    [
      "a flatten",
      ORDER_FLATTENED,
      {
        outcome: "flattened",
        ended: null,
        orderUuid: market,
        processingMs: 5,
        order: null,
        note: { kind: "flattened", closed: [pairId("BTCUSD")], stayed: [], notFound: [] },
      },
    ],
  ];

  test.each(receipts)(
    "the result of %s is that of the documentation [S2.6]",
    (_what, example, receipt) => {
      const sent = orderResultView(receipt, DISPLAYS);
      // The text may have its names in another order.
      expect({ ...sent, order_json: example.order_json }).toEqual(example);
      for (const { order_json: text, order } of [sent, example]) {
        expect(JSON.parse(text)).toEqual(order);
      }
    },
  );
});
