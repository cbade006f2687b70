import { orderUuid } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { OrderReceipt } from "../../trading/network/port.ts";
import { orderResultView, storedResult } from "./order-result.ts";

describe("an order's result", () => {
  test("its processing time is in seconds, as a number [D10.processingTime]", () => {
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
  ])("its order_json %s [D9.receipts]", (_what, stored, restored) => {
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
    expect(storedResult(text)).toEqual({ ...sent, order_json: restored });
  });
});
