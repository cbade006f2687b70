import { orderUuid } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { OrderReceipt } from "../../trading/network/port.ts";
import { orderResultView } from "./order-result.ts";

describe("an order's result", () => {
  test("its processing time is in seconds, as a number [D10.processingTime]", () => {
    const receipt: OrderReceipt = {
      outcome: "cancelled",
      orderUuid: orderUuid("o1"),
      processingMs: 4,
      order: null,
      note: { kind: "cancelled", count: 1, notFound: [] },
    };
    expect(orderResultView(receipt, new Map()).processing_time).toBe(0.004);
  });
});
