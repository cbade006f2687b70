import {
  accountId,
  leverage,
  microUsd,
  orderUuid,
  pairId,
  payoutId,
  type Refusal,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { refusalText } from "./refusal-text.ts";

const pair = pairId("BTCUSD");
const CASES: readonly (readonly [Refusal, string])[] = [
  [
    { code: "noRoom", pair, cap: { cap: leverage(1.5), of: { kind: "pair" } } },
    "There is no room left for BTCUSD: per pair cap 1.5x",
  ],
  [{ code: "marketClosed", pair }, "The market for BTCUSD is closed"],
  [{ code: "cooldown", pair, waitMs: 1001 }, "Orders on BTCUSD are cooling down; wait 2 s"],
  [
    { code: "tooManyRestingOrders", most: 100 },
    "The account may have at most 100 pending orders and legs, and this order would exceed that",
  ],
  [
    { code: "kindMismatch", orderUuid: orderUuid("o"), isKind: "limit", sentAs: "bracket" },
    "'limit_price' is required: order o is a limit order, and an edit keeps its kind",
  ],
  [
    { code: "kindMismatch", orderUuid: orderUuid("o"), isKind: "stopLimit", sentAs: "limit" },
    "'stop_price' is required: order o is a stop-limit order, and an edit keeps its kind",
  ],
  [
    { code: "kindMismatch", orderUuid: orderUuid("o"), isKind: "limit", sentAs: "stopLimit" },
    "'stop_price' must not be given: order o is a limit order, and an edit keeps its kind",
  ],
  [
    { code: "kindMismatch", orderUuid: orderUuid("o"), isKind: "bracket", sentAs: "limit" },
    "'limit_price' must not be given: order o is a leg, and an edit keeps its kind",
  ],
  [
    { code: "pairMismatch", orderUuid: orderUuid("o"), sent: pairId("ETHUSD"), pair },
    "'trade_pair' ETHUSD is not the pair of order o, which is BTCUSD",
  ],
  [
    { code: "pairMismatch", orderUuid: orderUuid("o"), sent: pairId("ETHUSD"), pair: null },
    "'trade_pair' ETHUSD is not the pair of order o",
  ],
  [
    { code: "directionMismatch", id: "o", direction: "long" },
    "'order_type' SHORT is not the direction of o, which is LONG",
  ],
  [
    { code: "unknownOrder", orderUuid: orderUuid("o"), pair },
    "'order_uuid' o is not a pending order in BTCUSD",
  ],
  [
    { code: "proTransition", pair },
    "The account is moving to its pro account: orders may only reduce what is open, and BTCUSD would be opened or added to",
  ],
  [
    { code: "payoutSettled", payoutId: payoutId(accountId("a"), unixMs(1)) },
    "The payout po_a_1 is paid already, or is not the account's",
  ],
  [
    { code: "paidAmountDiffers", amount: microUsd(123_456_789) },
    "The paid amount must be at most a cent from 123.456789",
  ],
];

describe("a refusal names its pair, limit or field [D5.refusal]", () => {
  test.each(CASES)("a refusal names its pair, limit or field: %j", (refusal, text) => {
    expect(refusalText(refusal, "topLevel")).toBe(text);
  });

  test("a leg is named by its place when it was listed [D5.refusal]", () => {
    const refusal: Refusal = {
      code: "wrongSide",
      leg: 2,
      field: "takeProfit",
      price: 90,
      entryPrice: 100,
      mustBe: "above",
    };
    expect(refusalText(refusal, "listed")).toBe(
      "bracket_orders[2]: 'take_profit' 90 must be above the entry price 100",
    );
    expect(refusalText(refusal, "topLevel")).toBe(
      "'take_profit' 90 must be above the entry price 100",
    );
  });
});
