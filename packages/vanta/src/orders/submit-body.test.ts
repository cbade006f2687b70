import { parsePlaceOrder } from "@propgate/contract";
import { type OrderCommand, pairId } from "@propgate/core";
import { expect, test } from "vitest";
import { orderCommand } from "../../../wire/src/order-command.ts";
import { toSubmitBody } from "./submit-body.ts";

const ID = "11111111-2222-5333-8444-555555555555";
const SENDER = { subaccountId: 0, legDirection: "short", legIds: [] } as const;

/** The command of a trade as a client sends it. */
function commandOf(trade: Readonly<Record<string, unknown>>): OrderCommand {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) throw new Error(parsed.message);
  return orderCommand(parsed.order, { pairOf: pairId, newUuid: () => ID });
}

const entry = { trade_pair: "BTCUSDC", order_type: "LONG" };

/** The trade of a client, and the gateway's body by the reference's table of fields. */
test.each([
  [
    "a market order by value",
    { execution_type: "MARKET", ...entry, value: 1500.25 },
    { execution_type: "MARKET", ...entry, value: 1500.25, order_uuid: ID },
  ],
  [
    "a SHORT with a positive size",
    { execution_type: "MARKET", trade_pair: "EURUSD", order_type: "SHORT", quantity: 0.3 },
    {
      execution_type: "MARKET",
      trade_pair: "EURUSD",
      order_type: "SHORT",
      quantity: 0.3,
      order_uuid: ID,
    },
  ],
  [
    "a market order with the three leg fields",
    {
      execution_type: "MARKET",
      ...entry,
      leverage: 0.5,
      stop_loss: 90,
      take_profit: 120,
      trailing_stop: { trailing_percent: 0.02 },
    },
    {
      execution_type: "MARKET",
      ...entry,
      leverage: 0.5,
      stop_loss: 90,
      take_profit: 120,
      trailing_stop: { trailing_percent: 0.02 },
      order_uuid: ID,
    },
  ],
  [
    "a limit order with listed legs",
    {
      execution_type: "LIMIT",
      ...entry,
      quantity: 2,
      limit_price: 100,
      bracket_orders: [
        { stop_loss: 90, bracket_pct: 0.5 },
        { take_profit: 130, quantity: 1 },
        { trailing_value: 4, value: 250 },
      ],
    },
    {
      execution_type: "LIMIT",
      ...entry,
      quantity: 2,
      limit_price: 100,
      bracket_orders: [
        { stop_loss: 90, bracket_pct: 0.5 },
        { take_profit: 130, quantity: 1 },
        { trailing_value: 4, value: 250 },
      ],
      order_uuid: ID,
    },
  ],
  [
    "a stop-limit order",
    {
      execution_type: "STOP_LIMIT",
      ...entry,
      value: 1000,
      limit_price: 101,
      stop_price: 100,
      stop_condition: "GTE",
    },
    {
      execution_type: "STOP_LIMIT",
      ...entry,
      value: 1000,
      limit_price: 101,
      stop_price: 100,
      stop_condition: "GTE",
      order_uuid: ID,
    },
  ],
  [
    "a bracket, with the direction of its position",
    { execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 110 },
    {
      execution_type: "BRACKET",
      trade_pair: "BTCUSDC",
      order_type: "SHORT",
      stop_loss: 110,
      order_uuid: ID,
    },
  ],
  [
    "a bracket with a size, as a list of one leg",
    { execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 110, bracket_pct: 0.25 },
    {
      execution_type: "BRACKET",
      trade_pair: "BTCUSDC",
      order_type: "SHORT",
      bracket_orders: [{ stop_loss: 110, bracket_pct: 0.25 }],
      order_uuid: ID,
    },
  ],
  [
    "FLAT, without a size",
    { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "FLAT" },
    { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "FLAT", order_uuid: ID },
  ],
  [
    "an edit, which is the whole order again under its id",
    { execution_type: "LIMIT_EDIT", order_uuid: "old", ...entry, value: 10, limit_price: 99 },
    { execution_type: "LIMIT_EDIT", order_uuid: "old", ...entry, value: 10, limit_price: 99 },
  ],
  [
    "an edit of a leg",
    {
      execution_type: "LIMIT_EDIT",
      order_uuid: "old-bracket-0",
      trade_pair: "BTCUSDC",
      take_profit: 80,
    },
    {
      execution_type: "LIMIT_EDIT",
      order_uuid: "old-bracket-0",
      trade_pair: "BTCUSDC",
      order_type: "SHORT",
      take_profit: 80,
    },
  ],
  [
    "a cancel of two ids",
    { execution_type: "LIMIT_CANCEL", order_uuid: "a, b" },
    { execution_type: "LIMIT_CANCEL", order_uuid: "a,b" },
  ],
  [
    "a cancel of all orders on a pair",
    { execution_type: "LIMIT_CANCEL", order_uuid: "ALL", trade_pair: "BTCUSDC" },
    { execution_type: "LIMIT_CANCEL", order_uuid: "ALL", trade_pair: "BTCUSDC" },
  ],
  [
    "a flatten of everything",
    { execution_type: "FLAT_ALL" },
    { execution_type: "FLAT_ALL", order_uuid: "ALL" },
  ],
  [
    "a flatten of two positions",
    { execution_type: "FLAT_ALL", order_uuid: "p1,p2" },
    { execution_type: "FLAT_ALL", order_uuid: "p1,p2" },
  ],
])("%s has the gateway's fields, and subaccount 0 is sent as 0", (_what, trade, body) => {
  const made = toSubmitBody(commandOf(trade), SENDER);
  expect(made).toEqual({ ok: true, body: { ...body, subaccount_id: 0 } });
});

test.each([
  [
    "two legs in a BRACKET",
    "bracket_orders",
    {
      execution_type: "BRACKET",
      trade_pair: "BTCUSDC",
      bracket_orders: [{ stop_loss: 90 }, { take_profit: 120 }],
    },
  ],
  [
    "reduce_only",
    "reduce_only",
    { execution_type: "LIMIT", ...entry, value: 10, limit_price: 99, reduce_only: true },
  ],
  [
    "reduce_only at the market",
    "reduce_only",
    { execution_type: "MARKET", ...entry, value: 10, reduce_only: true },
  ],
  [
    "reduce_only in an edit",
    "reduce_only",
    {
      execution_type: "LIMIT_EDIT",
      order_uuid: "old",
      ...entry,
      value: 10,
      limit_price: 99,
      reduce_only: true,
    },
  ],
])("%s cannot be carried out there, and the text names %s", (_what, field, trade) => {
  const made = toSubmitBody(commandOf(trade), SENDER);
  expect(made).toEqual({
    ok: false,
    rejection: { error: "orderRefused", text: expect.stringContaining(`'${field}'`) },
  });
});

test("a field of an entry that the network may not have is rejected by its name", () => {
  const limit = { execution_type: "LIMIT", ...entry, value: 10, limit_price: 99 };
  const command = { ...commandOf(limit), expiresMs: 5 };
  expect(toSubmitBody(command, SENDER)).toMatchObject({
    rejection: { text: "'expires_ms' is not offered by this account's network" },
  });
});
