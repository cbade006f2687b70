import { parsePlaceOrder } from "@propgate/contract";
import { pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { orderCommand } from "../../../../wire/src/order-command.ts";
import { type Literal, type LiteralRecord, readLiteral } from "../../python-literal.ts";
import type { UpstreamResult } from "../../upstream/port.ts";
import { judgeStatus, judgeSubmission } from "./gateway-answer.ts";
import { networkOrder } from "./network-order.ts";
import { type OrderingCommand, orderRecordView } from "./order-record.ts";

const ID = "0f0c9a34-7d1e-5b7a-9a52-c41f6de08b93";

function ordering(trade: Readonly<Record<string, unknown>>): OrderingCommand {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) throw new Error(parsed.message);
  const command = orderCommand(parsed.order, { pairOf: pairId, newUuid: () => ID });
  if (command.type === "cancelOrders" || command.type === "flatten") throw new Error(command.type);
  return command;
}

const SHORT = ordering({
  execution_type: "MARKET",
  trade_pair: "EURUSD",
  order_type: "SHORT",
  quantity: 1,
});
const FLAT = ordering({ execution_type: "MARKET", trade_pair: "EURUSD", order_type: "FLAT" });
const LIMIT = ordering({
  execution_type: "LIMIT",
  trade_pair: "EURUSD",
  order_type: "LONG",
  leverage: 2,
  limit_price: 1.05,
});

/** The record of a fill as Python writes it, with the keys that the reference lists. */
const FILL = `{'trade_pair_id': 'EURUSD', 'trade_pair': ['EURUSD', 'EUR/USD'], 'order_type': 'SHORT',
 'leverage': -1.1, 'value': -110000.0, 'quantity': -1.0, 'price': 1.1, 'bid': 1.1, 'ask': 1.1002,
 'slippage': 0.0002, 'quote_usd_rate': 1.0, 'usd_base_rate': 0.90909, 'processed_ms': 1767614400000,
 'price_sources': [{'source': "Trader's \\u00e9", 'bid': 1.1}], 'order_uuid': '${ID}', 'src': 0,
 'execution_type': 'MARKET', 'realized_pnl': -12.5, 'limit_price': None, 'stop_loss': None,
 'take_profit': None, 'margin_loan': 0.0, 'trailing_stop': None, 'bracket_orders': None,
 'stop_price': None, 'stop_condition': None, 'bracket_pct': None}`;

const WITH_LEGS = FILL.replace(
  "'bracket_orders': None",
  `'bracket_orders': [{'stop_loss': 1.2, 'quantity': -0.5, 'order_uuid': '${ID}-bracket-7'},
   {'take_profit': 1.0, 'trailing_stop': {'trailing_value': 0.01}, 'bracket_pct': 0.5}]`,
);

function parsed(python: string): LiteralRecord {
  const read = readLiteral(python, { dialect: "python", charactersMax: 10_000 });
  if (!read.ok) throw new Error(read.problem);
  return read.value as LiteralRecord;
}

function recordOf(python: string, command: OrderingCommand) {
  const order = networkOrder(parsed(python), { orderUuid: ID, pair: "EURUSD" });
  return order === null ? null : orderRecordView(order, command);
}

describe("the network's record of an order", () => {
  test("a sale's price has the slippage taken off, and its sizes are magnitudes", () => {
    expect(recordOf(FILL, SHORT)).toEqual({
      orderUuid: ID,
      tradePair: "EURUSD",
      tradePairDisplay: "EUR/USD",
      orderType: "SHORT",
      executionType: "MARKET",
      filled: true,
      quantity: 1,
      value: 110_000,
      leverage: 1.1,
      price: expect.closeTo(1.09978, 10),
      slippage: 0.0002,
      fee: null,
      realizedPnl: -12.5,
      processedMs: 1_767_614_400_000,
      limitPrice: null,
      stopPrice: null,
      stopCondition: null,
      stopLoss: null,
      takeProfit: null,
      bracketPct: null,
      bindingCap: null,
      shortfall: null,
      excess: null,
      reduceOnly: false,
      bracketOrders: null,
    });
  });

  test.each([
    ["closes a SHORT, so it buys", "'quantity': 1.0", 1.10022],
    ["closes a LONG, so it sells", "'quantity': -1.0", 1.09978],
    ["does not show its side, so its price is not known", "'quantity': None", null],
  ])("the record of a FLAT has the price of its side: it %s", (_what, quantity, price) => {
    const flat = FILL.replace("'SHORT'", "'FLAT'").replace("'quantity': -1.0", quantity);
    const expected = price === null ? null : expect.closeTo(price, 10);
    expect(recordOf(flat, FLAT)).toMatchObject({ orderType: "FLAT", price: expected });
  });

  test("a leg keeps the network's id, and gets the network's form of one when none was sent", () => {
    expect(recordOf(WITH_LEGS, SHORT)?.bracketOrders).toMatchObject([
      { orderUuid: `${ID}-bracket-7`, stopLoss: 1.2, quantity: 0.5, bracketPct: null },
      { orderUuid: `${ID}-bracket-1`, takeProfit: 1, trailingValue: 0.01, bracketPct: 0.5 },
    ]);
  });

  test("a quantity that a cap has cut has a shortfall [D12.shortfall]", () => {
    const capped = FILL.replace(
      "'limit_price': None",
      "'limit_price': None, 'binding_cap': 'overall portfolio cap 15x'",
    );
    const short = { execution_type: "MARKET", trade_pair: "EURUSD", order_type: "SHORT" };
    expect(recordOf(capped, ordering({ ...short, quantity: 1.5 }))).toMatchObject({
      quantity: 1,
      shortfall: { code: "cap", quantity: 0.5 },
      excess: null,
    });
    expect(recordOf(capped, ordering({ ...short, leverage: 2 }))?.shortfall).toBeNull();
    expect(recordOf(FILL, ordering({ ...short, quantity: 1 }))?.shortfall).toBeNull();
  });

  test("a limit that fills immediately is a filled LIMIT with the executed figures", () => {
    const text = FILL.replace("'MARKET'", "'LIMIT'")
      .replace("'SHORT'", "'LONG'")
      .replace(
        "'limit_price': None",
        "'limit_price': 1.05, 'binding_cap': 'overall portfolio cap 15x'",
      );
    expect(recordOf(text, LIMIT)).toMatchObject({
      executionType: "LIMIT",
      filled: true,
      quantity: 1,
      price: expect.closeTo(1.10022, 10),
      limitPrice: 1.05,
      bindingCap: "overall portfolio cap 15x",
    });
  });

  test("a pending limit has only the size that was sent, although the network's record has others", () => {
    const text = FILL.replace("'src': 0", "'src': 5")
      .replace("'MARKET'", "'LIMIT'")
      .replace("'leverage': -1.1", "'leverage': 2.0");
    expect(recordOf(text, LIMIT)).toMatchObject({
      filled: false,
      leverage: 2,
      value: null,
      quantity: null,
      price: null,
      slippage: null,
      realizedPnl: null,
    });
  });

  test.each([
    ["another order's id", FILL.replace(ID, "another")],
    ["another pair", FILL.replace("'trade_pair_id': 'EURUSD'", "'trade_pair_id': 'GBPUSD'")],
    ["no time", FILL.replace("1767614400000", "None")],
    ["a time before 1970", FILL.replace("1767614400000", "-5")],
    [
      "an opening with a value that is not its quantity's",
      FILL.replace("'quantity': -1.0", "'quantity': -0.3").replace("-12.5", "0.0"),
    ],
    ["a cancelled order", FILL.replace("'src': 0", "'src': 7")],
    ["a fill without a price", FILL.replace("'price': 1.1", "'price': 0.0")],
    ["a price that is a text", FILL.replace("'price': 1.1", "'price': '1.1'")],
  ])("a record of %s is no record of the order", (_what, text) => {
    expect(recordOf(text, SHORT)).toBeNull();
  });

  test("a closing order has the value of its entries, also when the price has moved since", () => {
    const moved = FILL.replace("'value': -110000.0", "'value': -100000.0");
    expect(recordOf(moved, SHORT)).toMatchObject({ realizedPnl: -12.5 });
  });

  test.each([
    ["'value': -110000.0", "'value': 1e300", "value"],
    ["'quantity': -1.0", "'quantity': True", "quantity"],
    ["'leverage': -1.1", "'leverage': '1.1'", "leverage"],
  ])("a figure that cannot be read is null: %s as %s", (before, after, field) => {
    expect(recordOf(FILL.replace(before, after), SHORT)).toMatchObject({ [field]: null });
  });
});

const ORDER = { command: SHORT, legs: "topLevel", assetClass: null } as const;
const clean = (text: string): string => text;
const answered = (body: Literal): UpstreamResult<Literal> => ({ ok: true, value: body });
const refused = (
  status: number,
  body: Literal,
  error = `status ${status}`,
): UpstreamResult<Literal> => ({
  ok: false,
  failure: { kind: "refused", status, error, body },
});
const unreachable = (wasSent: boolean): UpstreamResult<Literal> => ({
  ok: false,
  failure: { kind: "unreachable", wasSent, why: "timeout" },
});

const rows = (table: readonly (readonly [string, UpstreamResult<Literal>, string])[]) =>
  table.map(([what, answer, kind]) => ({ what, answer, kind }));

describe("the answer to submit-order", () => {
  test.each(
    rows([
      ["success", answered({ success: true, order_uuid: ID }), "accepted"],
      [
        "success of a leg of it",
        answered({ success: true, order_uuid: `${ID}-bracket-0` }),
        "accepted",
      ],
      ["success of another order", answered({ success: true, order_uuid: "another" }), "unknown"],
      ["neither success nor failure", answered({ order_uuid: ID }), "unknown"],
      ["success as a text", answered({ success: "true" }), "unknown"],
      ["a list", answered([]), "unknown"],
      ["400 with a reason", refused(400, { success: false, error: "no" }, "no"), "refused"],
      ["400 without a body", refused(400, null), "refused"],
      [
        "200 that failed with a reason",
        refused(200, { success: false, error: "no" }, "no"),
        "refused",
      ],
      ["200 that failed without one", refused(200, { success: false }), "unknown"],
      [
        "400 of a processed id",
        refused(400, { success: false }, "order_uuid already processed"),
        "unknown",
      ],
      ["400 of a rate limit", refused(400, { success: false }, "Rate limit exceeded"), "notTaken"],
      ["401", refused(401, { error: "Unauthorized access" }), "notTaken"],
      ["403", refused(403, { error: "key lacks tier" }), "notTaken"],
      ["404", refused(404, null), "notTaken"],
      ["429", refused(429, null), "notTaken"],
      ["a redirect", refused(307, null), "unknown"],
      [
        "500 with the order's id",
        refused(500, { success: false, order_uuid: ID, error: "x" }),
        "unknown",
      ],
      ["502", refused(502, null), "unknown"],
      ["503", refused(503, { error: "entity management not available" }), "unknown"],
      ["no connection", unreachable(false), "notTaken"],
      ["no answer", unreachable(true), "unknown"],
      ["an unreadable answer", { ok: false, failure: { kind: "unreadable", why: "x" } }, "unknown"],
    ]),
  )("an order whose answer is $what is $kind", ({ answer, kind }) => {
    expect(judgeSubmission(answer, ORDER, clean).kind).toBe(kind);
  });

  test("an error text beside a success is kept", () => {
    const body = { success: true, order_uuid: ID, error_message: "one source was slow" };
    expect(judgeSubmission(answered(body), ORDER, clean)).toMatchObject({
      accepted: { notice: "one source was slow", legsProblem: null },
    });
  });
});

describe("the answer to order-status", () => {
  test.each(
    rows([
      ["completed", answered({ status: "completed", order_uuid: ID }), "accepted"],
      ["completed of another order", answered({ status: "completed", order_uuid: "b" }), "unknown"],
      [
        "failed with a reason",
        answered({ status: "failed", error: "market is closed" }),
        "refused",
      ],
      ["failed without one", answered({ status: "failed" }), "refused"],
      ["not found", refused(404, { status: "not_found" }), "notFound"],
      ["a page that does not exist", refused(404, { error: "Not Found" }), "unknown"],
      ["404 without a body", refused(404, null), "unknown"],
      ["processing", answered({ status: "processing" }), "unknown"],
      ["not found in a 500", refused(500, { status: "not_found" }), "unknown"],
      ["a refused key", refused(401, { status: "not_found" }), "unknown"],
      ["no answer", unreachable(true), "unknown"],
    ]),
  )("an order whose status is $what is $kind", ({ answer, kind }) => {
    expect(judgeStatus(answer, ORDER, clean).kind).toBe(kind);
  });
});
