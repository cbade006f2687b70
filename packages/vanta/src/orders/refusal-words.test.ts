import { parsePlaceOrder, type RefusalCode } from "@propgate/contract";
import { type OrderCommand, pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { orderCommand } from "../../../wire/src/order-command.ts";
import { exposureCapOf } from "./exposure-cap.ts";
import { meaningOfNetworkText } from "./refusal-words.ts";

type Trade = Readonly<Record<string, unknown>>;

function commandOf(trade: Trade): OrderCommand {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) throw new Error(parsed.message);
  return orderCommand(parsed.order, { pairOf: pairId, newUuid: () => "id" });
}

const MARKET: Trade = {
  execution_type: "MARKET",
  trade_pair: "BTCUSDC",
  order_type: "LONG",
  value: 1000,
};
const LIMIT: Trade = { ...MARKET, execution_type: "LIMIT", limit_price: 100 };
const BRACKET: Trade = { execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 90 };
const CANCEL: Trade = { execution_type: "LIMIT_CANCEL", order_uuid: "abc" };
const EDIT: Trade = { ...LIMIT, execution_type: "LIMIT_EDIT", order_uuid: "abc" };
const FLAT_ALL: Trade = { execution_type: "FLAT_ALL", order_uuid: "p1" };

const wordFor = (text: string, trade: Trade) =>
  meaningOfNetworkText(text, { command: commandOf(trade), legs: "topLevel", assetClass: "crypto" });

/** The texts of the reference (3.2, 3.4, 4.1, 4.5, 4.7), and the service's own words for them. */
const REFUSALS: readonly (readonly [string, Trade, RefusalCode | undefined, string])[] = [
  [
    "No buying power remaining for BTC/USDC (capped by per pair cap 1.5x)",
    MARKET,
    "noRoom",
    "There is no room left for BTCUSDC: per pair cap 1.5x",
  ],
  [
    "No buying power remaining for BTC/USDC (capped by currency:EUR exposure cap 30x)",
    MARKET,
    "noRoom",
    "There is no room left for BTCUSDC: currency:EUR exposure cap 30x",
  ],
  [
    "No buying power remaining for BTC/USDC (capped by a new kind of cap)",
    MARKET,
    "noRoom",
    "There is no room left for BTCUSDC: a new kind of cap",
  ],
  [
    "Insufficient buying power. Need $1,500.00, have $20.5.",
    MARKET,
    "noRoom",
    "There is no room left for BTCUSDC: the order needs $1,500.00 of buying power, and $20.5 is left",
  ],
  [
    "0 order size after clamping",
    MARKET,
    "sizeTooSmall",
    "The size is too small for BTCUSDC: within the caps it rounds down to zero",
  ],
  [
    "Account cross-margin validation failed for the entity",
    MARKET,
    undefined,
    "The operator's collateral on the network does not cover the order; ask the operator",
  ],
  [
    "Account is transitioning to a pro account",
    MARKET,
    "proTransition",
    "The account is moving to its pro account: orders may only reduce what is open, and BTCUSDC would be opened or added to",
  ],
  [
    "Order cooldown for BTCUSDC: please wait 3.2 seconds",
    MARKET,
    "cooldown",
    "Orders on BTCUSDC are cooling down; wait 4 s",
  ],
  [
    "miner has too many unfilled limit orders",
    LIMIT,
    "tooManyRestingOrders",
    "The account may have at most 100 pending orders and legs, and this order would exceed that",
  ],
  [
    "Order Rejected: no live prices being found for BTC/USDC. Please try again.",
    MARKET,
    "staleQuote",
    "There is no fresh quote for BTCUSDC; try again shortly",
  ],
  [
    "Trade pair [BTCUSDC] is no longer supported",
    MARKET,
    "blockedPair",
    "'trade_pair' BTCUSDC is blocked from trading",
  ],
  [
    "BTCUSDC is not in the account's asset class",
    MARKET,
    "pairOutsideClass",
    "'trade_pair' BTCUSDC is outside the account's asset class crypto",
  ],
  [
    "The market for BTC/USDC is currently closed.",
    MARKET,
    "marketClosed",
    "The market for BTCUSDC is closed",
  ],
  [
    "Subaccount 3 is not active (status: pending)",
    MARKET,
    "accountNotReady",
    "Account is not ready for trading (missing subaccount_id)",
  ],
  [
    "Subaccount 3 is not active (status: eliminated)",
    MARKET,
    "eliminated",
    "The account is eliminated and takes no orders",
  ],
  [
    "Miner has been eliminated",
    MARKET,
    "eliminated",
    "The account is eliminated and takes no orders",
  ],
  [
    "BTCUSDC position size 4.2 is below the minimum $10",
    MARKET,
    "positionTooSmall",
    "The resulting position in BTCUSDC would be below the minimum, $10",
  ],
  [
    "trade pair mismatch",
    EDIT,
    "pairMismatch",
    "'trade_pair' BTCUSDC is not the pair of order abc",
  ],
  [
    "No unfilled limit orders found for abc",
    CANCEL,
    "unknownOrder",
    "'order_uuid' abc is not a pending order",
  ],
  [
    "No unfilled limit orders found for abc,def",
    { ...CANCEL, order_uuid: "abc,def" },
    "unknownOrder",
    "'order_uuid' abc is not a pending order",
  ],
  [
    "BRACKET order needs an open position",
    BRACKET,
    "noPosition",
    "There is no open position in BTCUSDC",
  ],
  [
    "No open position found",
    FLAT_ALL,
    "unknownPosition",
    "'order_uuid' p1 is not an open position",
  ],
  [
    "LONG LIMIT orders need stop_loss < limit_price < take_profit",
    { ...LIMIT, stop_loss: 120, take_profit: 130 },
    "wrongSide",
    "'stop_loss' 120 must be below the entry price 100",
  ],
  [
    "SHORT LIMIT orders need take_profit < limit_price < stop_loss",
    { ...LIMIT, order_type: "SHORT", take_profit: 110 },
    "wrongSide",
    "'take_profit' 110 must be below the entry price 100",
  ],
  ["An unheard-of text", MARKET, undefined, "An unheard-of text"],
];

test.each(REFUSALS)("the network's '%s' is this service's refusal", (text, trade, code, own) => {
  const word = wordFor(text, trade);
  if (word.kind !== "refused") throw new Error(word.kind);
  const { rejection } = word;
  expect([rejection.refusalCode, rejection.text ?? "(fixed)"]).toEqual([
    code,
    rejection.error === "accountNotReady" ? "(fixed)" : own,
  ]);
});

test("a text about the three sizes is the specification's text for a missing size", () => {
  const word = wordFor("Exactly one of leverage, value, quantity must be set", MARKET);
  expect(word).toEqual({ kind: "refused", rejection: { error: "missingSize" } });
});

test.each([
  [
    "Market order filled successfully, but bracket order creation failed: stop loss above price",
    "filledWithoutLegs",
  ],
  ["order_uuid 123 has already been processed", "seenBefore"],
  ["Rate limit exceeded: 10 requests per 60 seconds", "notTaken"],
])("'%s' is not a refusal", (text, kind) => {
  expect(wordFor(text, MARKET)).toEqual({ kind });
});

describe("the network's label of a cap", () => {
  test.each([
    ["per pair cap 1.5x", { cap: 1.5, of: { kind: "pair" } }],
    ["per class cap crypto 2x", { cap: 2, of: { kind: "class", assetClass: "crypto" } }],
    ["overall portfolio cap 15x", { cap: 15, of: { kind: "portfolio" } }],
    [
      "sector:Health Care exposure cap 4x",
      { cap: 4, of: { kind: "group", group: "sector:Health Care" } },
    ],
    ["index:us exposure cap 10x", { cap: 10, of: { kind: "group", group: "index:us" } }],
    ["per class cap gold 2x", null],
    ["per pair cap", null],
    ["per pair cap 1.5x and more", null],
  ])("%s is read whole or not at all", (label, cap) => {
    expect(exposureCapOf(label)).toEqual(cap);
  });

  test("a label with a cap beyond every number is not read", () => {
    expect(exposureCapOf(`per pair cap ${"9".repeat(400)}x`)).toBe(null);
  });
});
