import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { ignoredFieldsHeader } from "./ignored-fields.ts";
import { ORDER_REQUEST } from "./order-request.ts";
import { bodyAccountIds, parsePlaceOrder } from "./place-order.ts";

type Fields = Readonly<Record<string, unknown>>;

const SIZE_TEXT = "'leverage', 'value', or 'quantity' must be provided";
const MARKET: Fields = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
};
const LIMIT: Fields = { ...MARKET, execution_type: "LIMIT", limit_price: 100 };
const SHORT_LIMIT: Fields = { ...LIMIT, order_type: "SHORT" };
const STOP_LIMIT: Fields = {
  ...LIMIT,
  execution_type: "STOP_LIMIT",
  stop_price: 99,
  stop_condition: "GTE",
};
const BRACKET: Fields = { execution_type: "BRACKET", trade_pair: "BTCUSD", stop_loss: 90 };
const CANCEL: Fields = { execution_type: "LIMIT_CANCEL", order_uuid: "a-1" };
const EDIT: Fields = { ...LIMIT, execution_type: "LIMIT_EDIT", order_uuid: "a-1" };
const EDIT_LEG: Fields = { ...BRACKET, execution_type: "LIMIT_EDIT", order_uuid: "a-1-bracket-0" };
const FLAT: Fields = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" };

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
const messageOf = (trade: unknown): string | null => {
  const parsed = parsePlaceOrder({ trade });
  return parsed.ok ? null : parsed.message;
};
const withLeg = (leg: Fields, order: Fields = MARKET): Fields => ({
  ...order,
  bracket_orders: [leg],
});

describe("a valid body becomes an order [S4.2.fields] [D5.fields]", () => {
  const leg = { stopLoss: null, takeProfit: null, trailing: null, size: null };
  const value = { field: "value", amount: 100 };
  test.each<[string, Fields, Fields]>([
    [
      "MARKET",
      MARKET,
      {
        executionType: "MARKET",
        orderType: "LONG",
        pair: "BTCUSD",
        size: value,
        legs: [],
        reduceOnly: false,
      },
    ],
    [
      "a pair in any spelling",
      { ...MARKET, trade_pair: "btc/Usd", order_type: "SHORT" },
      {
        executionType: "MARKET",
        orderType: "SHORT",
        pair: "BTCUSD",
        size: value,
        legs: [],
        reduceOnly: false,
      },
    ],
    [
      "size by leverage, null ones not given",
      { ...without(MARKET, "value"), leverage: 0.5, value: null, quantity: null },
      {
        executionType: "MARKET",
        orderType: "LONG",
        pair: "BTCUSD",
        size: { field: "leverage", amount: 0.5 },
        legs: [],
        reduceOnly: false,
      },
    ],
    [
      "MARKET that only reduces [D12.marketReduces]",
      { ...MARKET, reduce_only: true },
      {
        executionType: "MARKET",
        orderType: "LONG",
        pair: "BTCUSD",
        size: value,
        legs: [],
        reduceOnly: true,
      },
    ],
    ["FLAT", FLAT, { executionType: "MARKET", orderType: "FLAT", pair: "BTCUSD" }],
    [
      "LIMIT with a stop, a target and a trailing stop in one leg",
      { ...LIMIT, stop_loss: 99, take_profit: 101, trailing_stop: { trailing_percent: 0.02 } },
      {
        executionType: "LIMIT",
        orderType: "LONG",
        pair: "BTCUSD",
        size: value,
        limitPrice: 100,
        reduceOnly: false,
        legs: [
          {
            stopLoss: 99,
            takeProfit: 101,
            trailing: { field: "trailing_percent", amount: 0.02 },
            size: null,
          },
        ],
      },
    ],
    [
      "a trailing stop by value",
      { ...MARKET, trailing_stop: { trailing_value: 5 } },
      {
        executionType: "MARKET",
        orderType: "LONG",
        pair: "BTCUSD",
        size: value,
        legs: [{ ...leg, trailing: { field: "trailing_value", amount: 5 } }],
        reduceOnly: false,
      },
    ],
    [
      "STOP_LIMIT, its limit on either side of its stop",
      { ...STOP_LIMIT, stop_price: 101, stop_condition: "LTE" },
      {
        executionType: "STOP_LIMIT",
        orderType: "LONG",
        pair: "BTCUSD",
        size: value,
        limitPrice: 100,
        reduceOnly: false,
        stopPrice: 101,
        stopCondition: "LTE",
        legs: [],
      },
    ],
    [
      "BRACKET with a share of the position, and its direction",
      { ...BRACKET, order_type: "SHORT", bracket_pct: 1 },
      {
        executionType: "BRACKET",
        pair: "BTCUSD",
        orderType: "SHORT",
        legs: [{ ...leg, stopLoss: 90, size: { field: "bracket_pct", amount: 1 } }],
      },
    ],
    [
      "BRACKET with several legs",
      {
        ...without(BRACKET, "stop_loss"),
        bracket_orders: [
          { stop_loss: 90, quantity: 0.5 },
          { trailing_value: 2, bracket_pct: 0.5 },
        ],
      },
      {
        executionType: "BRACKET",
        pair: "BTCUSD",
        orderType: null,
        legs: [
          { ...leg, stopLoss: 90, size: { field: "quantity", amount: 0.5 } },
          {
            ...leg,
            trailing: { field: "trailing_value", amount: 2 },
            size: { field: "bracket_pct", amount: 0.5 },
          },
        ],
      },
    ],
    [
      "LIMIT_CANCEL",
      CANCEL,
      { executionType: "LIMIT_CANCEL", target: ["a-1"], pair: null, orderType: null },
    ],
    [
      "LIMIT_CANCEL with the pair and the direction of its id",
      { ...CANCEL, trade_pair: "btc/usd", order_type: "LONG" },
      { executionType: "LIMIT_CANCEL", target: ["a-1"], pair: "BTCUSD", orderType: "LONG" },
    ],
    [
      "LIMIT_CANCEL of several, each once",
      { ...CANCEL, order_uuid: "a-1, b-2,a-1" },
      { executionType: "LIMIT_CANCEL", target: ["a-1", "b-2"], pair: null, orderType: null },
    ],
    [
      "LIMIT_CANCEL of a pair's orders",
      { ...CANCEL, order_uuid: "ALL", trade_pair: "eur/usd" },
      { executionType: "LIMIT_CANCEL", target: "ALL", pair: "EURUSD", orderType: null },
    ],
    [
      "LIMIT_EDIT of a limit",
      EDIT,
      {
        executionType: "LIMIT_EDIT",
        orderUuid: "a-1",
        replacement: {
          executionType: "LIMIT",
          orderType: "LONG",
          pair: "BTCUSD",
          size: value,
          limitPrice: 100,
          reduceOnly: false,
          legs: [],
        },
      },
    ],
    [
      "LIMIT_EDIT of a leg",
      EDIT_LEG,
      {
        executionType: "LIMIT_EDIT",
        orderUuid: "a-1-bracket-0",
        replacement: {
          executionType: "BRACKET",
          pair: "BTCUSD",
          orderType: null,
          legs: [{ ...leg, stopLoss: 90 }],
        },
      },
    ],
    [
      "FLAT_ALL",
      { execution_type: "FLAT_ALL" },
      { executionType: "FLAT_ALL", target: "ALL", pair: null, orderType: null },
    ],
    [
      "FLAT_ALL of a pair; an order_uuid of null is none",
      { execution_type: "FLAT_ALL", order_uuid: null, trade_pair: "btc/usd" },
      { executionType: "FLAT_ALL", target: "ALL", pair: "BTCUSD", orderType: null },
    ],
    [
      "LIMIT that only reduces [D10.reduceOnly]",
      { ...LIMIT, reduce_only: true },
      {
        executionType: "LIMIT",
        orderType: "LONG",
        pair: "BTCUSD",
        size: value,
        limitPrice: 100,
        reduceOnly: true,
        legs: [],
      },
    ],
    [
      "FLAT_ALL of some",
      { execution_type: "FLAT_ALL", order_uuid: "p-1,p-2" },
      { executionType: "FLAT_ALL", target: ["p-1", "p-2"], pair: null, orderType: null },
    ],
  ])("the body becomes an order: %s", (_, trade, order) => {
    expect(parsePlaceOrder({ trade })).toEqual({ ok: true, order, ignoredFields: [] });
  });
});

const MUST_PAIR = "'trade_pair' must be a pair identifier such as BTCUSD";
const POSITIVE = "must be greater than 0";
const NEEDS_TRIGGER =
  "bracket_orders[0]: at least one of 'stop_loss', 'take_profit', 'trailing_percent', 'trailing_value' must be provided";

describe("the first problem of an invalid body is reported with its field [S7.400] [D5.fields]", () => {
  test.each<[string, unknown, string]>([
    ["no trade", undefined, "'trade' is required"],
    ["trade null", null, "'trade' is required"],
    ["trade a list", [MARKET], "'trade' must be an object"],
    ["trade a text", "MARKET", "'trade' must be an object"],
    ["no execution_type", without(MARKET, "execution_type"), "'execution_type' is required"],
    [
      "unknown execution_type",
      { ...MARKET, execution_type: "TWAP" },
      "'execution_type' must be one of MARKET, LIMIT, STOP_LIMIT, BRACKET, LIMIT_CANCEL, LIMIT_EDIT, FLAT_ALL",
    ],
    [
      "execution_type in lower case",
      { ...MARKET, execution_type: "market" },
      "'execution_type' must be one of MARKET, LIMIT, STOP_LIMIT, BRACKET, LIMIT_CANCEL, LIMIT_EDIT, FLAT_ALL",
    ],
    [
      "execution_type a number",
      { ...MARKET, execution_type: 1 },
      "'execution_type' must be one of MARKET, LIMIT, STOP_LIMIT, BRACKET, LIMIT_CANCEL, LIMIT_EDIT, FLAT_ALL",
    ],
    ["no pair", without(MARKET, "trade_pair"), "'trade_pair' is required"],
    ["pair empty", { ...MARKET, trade_pair: "" }, "'trade_pair' must be a non-empty string"],
    ["pair a number", { ...MARKET, trade_pair: 7 }, "'trade_pair' must be a non-empty string"],
    ["pair with a space", { ...MARKET, trade_pair: "BTC USD" }, MUST_PAIR],
    ["pair with two slashes", { ...MARKET, trade_pair: "A/B/C" }, MUST_PAIR],
    ["pair too long", { ...MARKET, trade_pair: "X".repeat(33) }, MUST_PAIR],
    ["no order_type", without(MARKET, "order_type"), "'order_type' is required"],
    [
      "order_type in lower case",
      { ...MARKET, order_type: "long" },
      "'order_type' must be one of LONG, SHORT, FLAT",
    ],
    [
      "an unknown order_type on LIMIT",
      { ...LIMIT, order_type: "BUY" },
      "'order_type' must be one of LONG, SHORT",
    ],
    [
      "FLAT on LIMIT",
      { ...LIMIT, order_type: "FLAT" },
      "'order_type' must be LONG or SHORT unless execution_type is MARKET or FLAT_ALL",
    ],
    [
      "FLAT on STOP_LIMIT",
      { ...STOP_LIMIT, order_type: "FLAT" },
      "'order_type' must be LONG or SHORT unless execution_type is MARKET or FLAT_ALL",
    ],
    [
      "FLAT with a size",
      { ...FLAT, leverage: 1 },
      "'leverage' must not be given with order_type FLAT; a size belongs to an order that opens or adds, or to a leg",
    ],
    ["no size on MARKET", without(MARKET, "value"), SIZE_TEXT],
    ["no size on LIMIT", without(LIMIT, "value"), SIZE_TEXT],
    ["no size on STOP_LIMIT", without(STOP_LIMIT, "value"), SIZE_TEXT],
    ["no size on an edit", without(EDIT, "value"), SIZE_TEXT],
    [
      "limit_price on a leg, whose order_type is missing",
      { ...EDIT_LEG, limit_price: 100 },
      "'limit_price' must not be given in the edit of a leg; it belongs to LIMIT and STOP_LIMIT orders",
    ],
    [
      "stop_price on a leg",
      { ...EDIT_LEG, stop_price: 100 },
      "'stop_price' must not be given in the edit of a leg; it belongs to STOP_LIMIT orders",
    ],
    [
      "a leg's edit without a trigger",
      { ...without(EDIT_LEG, "stop_loss"), quantity: 1 },
      "at least one of 'stop_loss', 'take_profit', 'trailing_stop' must be provided",
    ],
    ["a misspelt size", { ...without(MARKET, "value"), quantitty: 1 }, SIZE_TEXT],
    ["two sizes", { ...MARKET, leverage: 1 }, SIZE_TEXT],
    ["three sizes", { ...MARKET, leverage: 1, quantity: 1 }, SIZE_TEXT],
    ["only null sizes", { ...MARKET, value: null }, SIZE_TEXT],
    ["size zero", { ...MARKET, value: 0 }, `'value' ${POSITIVE}`],
    ["size negative zero", { ...MARKET, value: -0 }, `'value' ${POSITIVE}`],
    ["size negative on SHORT", { ...SHORT_LIMIT, value: -5 }, `'value' ${POSITIVE}`],
    ["size a text", { ...MARKET, value: "100" }, "'value' must be a number"],
    ["size true", { ...MARKET, value: true }, "'value' must be a number"],
    ["size infinite", { ...MARKET, value: Number.POSITIVE_INFINITY }, "'value' must be a number"],
    ["size not a number", { ...MARKET, value: Number.NaN }, "'value' must be a number"],
    ["size absurd", { ...MARKET, value: 1_000_000_001 }, "'value' must be at most 1000000000"],
    ["no limit_price", without(LIMIT, "limit_price"), "'limit_price' is required"],
    ["limit_price zero", { ...LIMIT, limit_price: 0 }, `'limit_price' ${POSITIVE}`],
    ["limit_price a text", { ...LIMIT, limit_price: "1" }, "'limit_price' must be a number"],
    ["no stop_price", without(STOP_LIMIT, "stop_price"), "'stop_price' is required"],
    ["stop_price negative", { ...STOP_LIMIT, stop_price: -1 }, `'stop_price' ${POSITIVE}`],
    ["no stop_condition", without(STOP_LIMIT, "stop_condition"), "'stop_condition' is required"],
    [
      "stop_condition in lower case",
      { ...STOP_LIMIT, stop_condition: "gte" },
      "'stop_condition' must be one of GTE, LTE",
    ],
    ["stop_loss zero", { ...MARKET, stop_loss: 0 }, `'stop_loss' ${POSITIVE}`],
    ["stop_loss a text", { ...MARKET, stop_loss: "1" }, "'stop_loss' must be a number"],
    ["take_profit negative", { ...MARKET, take_profit: -1 }, `'take_profit' ${POSITIVE}`],
    ["reduce_only a text", { ...LIMIT, reduce_only: "yes" }, "'reduce_only' must be true or false"],
    [
      "reduce_only on MARKET a number",
      { ...MARKET, reduce_only: 1 },
      "'reduce_only' must be true or false",
    ],
    [
      "stop and target equal",
      { ...MARKET, stop_loss: 90, take_profit: 90 },
      "'stop_loss' and 'take_profit' must differ",
    ],
    [
      "LONG MARKET, stop above target",
      { ...MARKET, stop_loss: 110, take_profit: 90 },
      "'stop_loss' must be below 'take_profit' on a LONG order",
    ],
    [
      "SHORT MARKET, stop below target",
      { ...MARKET, order_type: "SHORT", stop_loss: 90, take_profit: 110 },
      "'stop_loss' must be above 'take_profit' on a SHORT order",
    ],
    [
      "trailing_stop a number",
      { ...MARKET, trailing_stop: 0.02 },
      "'trailing_stop' must be an object",
    ],
    [
      "trailing_stop empty",
      { ...MARKET, trailing_stop: {} },
      "'trailing_stop' must have exactly one of 'trailing_percent', 'trailing_value'",
    ],
    [
      "trailing_stop with both",
      { ...MARKET, trailing_stop: { trailing_percent: 0.1, trailing_value: 1 } },
      "'trailing_stop' must have exactly one of 'trailing_percent', 'trailing_value'",
    ],
    [
      "trailing_percent 1",
      { ...MARKET, trailing_stop: { trailing_percent: 1 } },
      "'trailing_percent' must be greater than 0 and less than 1",
    ],
    [
      "trailing_percent 0",
      { ...MARKET, trailing_stop: { trailing_percent: 0 } },
      "'trailing_percent' must be greater than 0 and less than 1",
    ],
    [
      "trailing_value 0",
      { ...MARKET, trailing_stop: { trailing_value: 0 } },
      "'trailing_value' must be greater than 0",
    ],
    [
      "bracket_orders an object",
      { ...MARKET, bracket_orders: { stop_loss: 1 } },
      "'bracket_orders' must be an array",
    ],
    [
      "11 legs",
      { ...MARKET, bracket_orders: Array.from({ length: 11 }, () => ({ stop_loss: 90 })) },
      "'bracket_orders' must have at most 10 legs",
    ],
    [
      "a leg that is a number",
      { ...MARKET, bracket_orders: [{ stop_loss: 90 }, 5] },
      "bracket_orders[1]: must be an object",
    ],
    ["a leg without a trigger", withLeg({ quantity: 1 }), NEEDS_TRIGGER],
    [
      "a second leg that is wrong",
      { ...MARKET, bracket_orders: [{ stop_loss: 90 }, { take_profit: -1 }] },
      "bracket_orders[1]: 'take_profit' must be greater than 0",
    ],
    [
      "a leg with two sizes",
      withLeg({ stop_loss: 90, quantity: 1, bracket_pct: 0.5 }),
      "bracket_orders[0]: only one of 'leverage', 'value', 'quantity', 'bracket_pct' may be given",
    ],
    [
      "a leg with two trailings",
      withLeg({ trailing_percent: 0.1, trailing_value: 1 }),
      "bracket_orders[0]: only one of 'trailing_percent', 'trailing_value' may be given",
    ],
    [
      "bracket_pct above 1",
      withLeg({ stop_loss: 90, bracket_pct: 1.01 }),
      "bracket_orders[0]: 'bracket_pct' must be greater than 0 and at most 1",
    ],
    [
      "bracket_pct 0",
      withLeg({ stop_loss: 90, bracket_pct: 0 }),
      "bracket_orders[0]: 'bracket_pct' must be greater than 0 and at most 1",
    ],
    [
      "a wrong top-level stop beside a list",
      { ...withLeg({ stop_loss: 90 }), stop_loss: "x" },
      "'stop_loss' must not be given beside 'bracket_orders'; put it in a leg",
    ],
    [
      "BRACKET without a trigger",
      without(BRACKET, "stop_loss"),
      "at least one of 'stop_loss', 'take_profit', 'trailing_stop' must be provided",
    ],
    [
      "BRACKET with a list of no legs",
      { ...without(BRACKET, "stop_loss"), bracket_orders: [] },
      "'bracket_orders' must have at least one leg",
    ],
    [
      "BRACKET with two sizes",
      { ...BRACKET, leverage: 1, value: 1 },
      "only one of 'leverage', 'value', 'quantity', 'bracket_pct' may be given",
    ],
    ["BRACKET without a pair", without(BRACKET, "trade_pair"), "'trade_pair' is required"],
    ["BRACKET, stop zero", { ...BRACKET, stop_loss: 0 }, `'stop_loss' ${POSITIVE}`],
    ["cancel without an id", without(CANCEL, "order_uuid"), "'order_uuid' is required"],
    [
      "cancel of an empty id",
      { ...CANCEL, order_uuid: "" },
      "'order_uuid' must be a non-empty string",
    ],
    [
      "cancel with a hole",
      { ...CANCEL, order_uuid: "a,,b" },
      "'order_uuid' must be an id, ids with commas between them, or ALL",
    ],
    [
      "cancel of ALL and more",
      { ...CANCEL, order_uuid: "ALL,a" },
      "'order_uuid' must be an id, ids with commas between them, or ALL",
    ],
    [
      "cancel of all in lower case",
      { ...CANCEL, order_uuid: "all" },
      "'order_uuid' must be an id, ids with commas between them, or ALL",
    ],
    [
      "cancel of an id and of all in mixed case",
      { ...CANCEL, order_uuid: "a, All" },
      "'order_uuid' must be an id, ids with commas between them, or ALL",
    ],
    [
      "cancel of a list",
      { ...CANCEL, order_uuid: ["a"] },
      "'order_uuid' must be a non-empty string",
    ],
    ["cancel ALL of a bad pair", { ...CANCEL, order_uuid: "ALL", trade_pair: "?" }, MUST_PAIR],
    ["edit without an id", without(EDIT, "order_uuid"), "'order_uuid' is required"],
    ["edit of two", { ...EDIT, order_uuid: "a,b" }, "'order_uuid' must be one order id"],
    ["edit of ALL", { ...EDIT, order_uuid: "ALL" }, "'order_uuid' must be one order id"],
    ["edit of a part", without(EDIT, "limit_price"), "'limit_price' is required"],
    ["edit with half a stop", { ...EDIT, stop_price: 5 }, "'stop_condition' is required"],
    [
      "edit of a leg into two",
      {
        ...without(EDIT_LEG, "stop_loss"),
        bracket_orders: [{ stop_loss: 1 }, { stop_loss: 2 }],
      },
      "'bracket_orders' must have one leg when a leg is edited",
    ],
    [
      "flatten of a number",
      { execution_type: "FLAT_ALL", order_uuid: 5 },
      "'order_uuid' must be a non-empty string",
    ],
    [
      "of two problems the first: size before price",
      { ...LIMIT, value: 0, limit_price: 0 },
      `'value' ${POSITIVE}`,
    ],
  ])("the body is rejected: %s", (_, trade, message) => {
    expect(messageOf(trade)).toBe(message);
  });

  test.each([[null], [[]], ["{}"], [5], [undefined]])("the body %j is not an object", (body) => {
    expect(parsePlaceOrder(body)).toEqual({
      ok: false,
      error: "invalidBody",
      message: "request body must be a JSON object",
    });
  });

  test("a missing size has an error name of its own [S4.2.sizing]", () => {
    expect(parsePlaceOrder({ trade: without(MARKET, "value") })).toEqual({
      ok: false,
      error: "missingSize",
      message: SIZE_TEXT,
    });
  });
});

describe("values at their bounds are accepted [D5.fields]", () => {
  test.each<[string, Fields]>([
    ["the smallest size", { ...MARKET, value: Number.MIN_VALUE }],
    ["the greatest size", { ...MARKET, value: 1_000_000_000 }],
    [
      "10 legs",
      { ...MARKET, bracket_orders: Array.from({ length: 10 }, () => ({ stop_loss: 1 })) },
    ],
    ["stop just below the limit", { ...LIMIT, stop_loss: 99.99999 }],
    ["no leg in the list: the top level counts", { ...MARKET, bracket_orders: [], stop_loss: 90 }],
    ["fields that are null are not given", { ...MARKET, stop_loss: null, bracket_orders: null }],
    ["a share of all", withLeg({ stop_loss: 90, bracket_pct: 1 })],
  ])("the body is accepted: %s", (_, trade) => {
    expect(messageOf(trade)).toBe(null);
  });
});

describe("unknown fields are ignored and their names reported [S4.2.ignored]", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["beside trade", { accountId: "x", note: 1, trade: MARKET }, ["note"]],
    ["in trade", { trade: { ...MARKET, stoploss: 9 } }, ["trade.stoploss"]],
    [
      "a name that only answers have",
      { trade: { ...MARKET, takeProfit: 9 } },
      ["trade.takeProfit"],
    ],
    ["in a leg", { trade: withLeg({ stop_loss: 90, stop: 1 }) }, ["trade.bracket_orders[0].stop"]],
    [
      "in a trailing stop",
      { trade: { ...MARKET, trailing_stop: { trailing_value: 1, percent: 1 } } },
      ["trade.trailing_stop.percent"],
    ],
    [
      "names of every object",
      JSON.parse('{"trade":{"execution_type":"FLAT_ALL","__proto__":{"x":1}}}'),
      ["trade.__proto__"],
    ],
  ])("the field is reported as ignored: %s", (_, body, ignoredFields) => {
    expect(parsePlaceOrder(body)).toMatchObject({ ok: true, ignoredFields });
  });

  test("a leg is not compared with the limit, because a marketable limit fills at another price [D10.firesAtOnce]", () => {
    const trade = { ...LIMIT, stop_loss: 101, take_profit: 102 };
    expect(parsePlaceOrder({ trade })).toMatchObject({ ok: true });
  });

  test("a body cannot inject another header through a field name", () => {
    expect(ignoredFieldsHeader(["trade.a", "b\r\nSet-Cookie: x", "é,"])).toBe(
      "trade.a,b??Set-Cookie??x,??",
    );
    expect(ignoredFieldsHeader(Array.from({ length: 99 }, () => "x".repeat(999))).length).toBe(
      20 * 80 + 19,
    );
  });
});

describe("the account that a body names [D2.10]", () => {
  const id = "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11";
  test.each<[string, unknown, unknown]>([
    ["none", { trade: MARKET }, { ok: true, accountIds: [] }],
    ["a uuid", { accountId: id }, { ok: true, accountIds: [id] }],
    ["in upper case", { accountId: id.toUpperCase() }, { ok: true, accountIds: [id] }],
    ["inside trade", { trade: { accountId: id } }, { ok: true, accountIds: [id] }],
    ["no object", [], { ok: true, accountIds: [] }],
    ["inherited only", Object.create({ accountId: "x" }), { ok: true, accountIds: [] }],
    ["null", { accountId: null }, { ok: true, accountIds: [] }],
    ["empty", { accountId: "" }, { ok: false }],
    ["a number", { accountId: 5 }, { ok: false }],
    ["no uuid", { accountId: "account-1" }, { ok: false }],
    ["no uuid inside trade", { accountId: id, trade: { accountId: "x" } }, { ok: false }],
  ])("the account id of the body is checked: %s", (_, body, answer) => {
    expect(bodyAccountIds(body)).toEqual(answer);
  });
});

describe("the published schema and the parser accept the same bodies [S9.openapi]", () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv, ["uuid"]);
  const matches = ajv.compile(ORDER_REQUEST.json);

  test.each<[string, Fields, boolean]>([
    ["market", MARKET, true],
    ["limit", LIMIT, true],
    ["stop limit", STOP_LIMIT, true],
    ["bracket", BRACKET, true],
    ["cancel", CANCEL, true],
    ["edit", EDIT, true],
    ["edit of a leg", EDIT_LEG, true],
    ["flat", FLAT, true],
    ["legs", withLeg({ trailing_percent: 0.5, bracket_pct: 1 }), true],
    ["no size", without(MARKET, "value"), false],
    ["two sizes", { ...MARKET, leverage: 1 }, false],
    ["flat with a size", { ...FLAT, value: 1 }, false],
    ["unknown kind", { ...MARKET, execution_type: "TWAP" }, false],
    ["lower case", { ...MARKET, order_type: "long" }, false],
    ["text for a number", { ...MARKET, value: "1" }, false],
    ["negative", { ...LIMIT, limit_price: -1 }, false],
    ["no limit", without(LIMIT, "limit_price"), false],
    ["no condition", without(STOP_LIMIT, "stop_condition"), false],
    ["bracket without a trigger", without(BRACKET, "stop_loss"), false],
    ["bracket of no legs", { ...without(BRACKET, "stop_loss"), bracket_orders: [] }, false],
    ["bracket of no legs beside a stop", { ...BRACKET, bracket_orders: [] }, true],
    ["edit to no legs", { ...without(EDIT_LEG, "stop_loss"), bracket_orders: [] }, false],
    ["leg without a trigger", withLeg({ value: 1 }), false],
    ["leg with two sizes", withLeg({ stop_loss: 1, value: 1, quantity: 1 }), false],
    [
      "two trailings",
      { ...MARKET, trailing_stop: { trailing_percent: 0.1, trailing_value: 1 } },
      false,
    ],
    ["cancel of nothing", without(CANCEL, "order_uuid"), false],
  ])("schema and parser agree on a body with %s: %s", (_, trade, right) => {
    expect({ schema: matches({ trade }), reader: parsePlaceOrder({ trade }).ok }).toEqual({
      schema: right,
      reader: right,
    });
  });
});
