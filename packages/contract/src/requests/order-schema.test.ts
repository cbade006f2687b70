/** Tests that the published schema of an order and the parser accept the same bodies. */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings, scaledCount } from "../../../../test/environment/depth.ts";
import { openApiDocument } from "../openapi.ts";
import { EXECUTION_TYPES } from "../words.ts";
import { REQUEST_FIELDS } from "./order-fates.ts";
import { bodyAccountIds, parsePlaceOrder } from "./place-order.ts";

const document = openApiDocument({
  brand: "Service",
  networkName: "Propgate",
  baseUrl: null,
  hasLinked: false,
});
const ajv = new Ajv2020({ strict: false });
formats.default(ajv, ["date", "uuid", "int64"]);
ajv.addSchema({ $id: "doc", ...document });
const matches = ajv.compile({ $ref: "doc#/components/schemas/OrderRequest" });

/**
 * Whether the parser accepts the body's shape. Null when it rejects the body because of a comparison of fields, which a
 * JSON Schema cannot do.
 */
function isAccepted(body: unknown): boolean | null {
  if (!bodyAccountIds(body).ok) return false;
  const parsed = parsePlaceOrder(body);
  if (parsed.ok) return true;
  return COMPARES.test(parsed.message) ? null : false;
}
const COMPARES =
  /'stop_loss' (and 'take_profit' must differ|must be (above|below))|'take_profit' must be (above|below)/;

const WRONG = fc.constantFrom<unknown>(null, "", "1", 0, -1, 1e9 + 1, true, [], {}, "x y");
const price = fc.constantFrom<unknown>(1, 2.5, 100, 1e9);
const share = fc.constantFrom<unknown>(0.25, 0.999, 1, 1.01);
const SIZES = { leverage: price, value: price, quantity: price };
const TRAILING = { trailing_percent: share, trailing_value: price };
const LEVELS = { stop_loss: price, take_profit: price };

/** An object with some of these fields, sometimes with a wrong value or null. */
function arbitraryObjectWithSome(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> {
  const arbitraries = Object.entries(fields).map(([name, right]) => [
    name,
    fc.oneof({ weight: 12, arbitrary: right }, { weight: 2, arbitrary: fc.constant(null) }, WRONG),
  ]);
  return fc.record(Object.fromEntries(arbitraries), { requiredKeys: [] });
}

const leg = arbitraryObjectWithSome({ ...LEVELS, ...TRAILING, ...SIZES, bracket_pct: share });
/** The object, sometimes with an additional field that the contract has in other requests. */
const withForeignField = (fields: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 12, arbitrary: fields },
    fc
      .tuple(fields, fc.constantFrom(...REQUEST_FIELDS), fc.constantFrom<unknown>(1, false, null))
      .map(([given, name, value]) => ({ ...given, [name]: value })),
  );
const LEGS = {
  ...LEVELS,
  trailing_stop: withForeignField(arbitraryObjectWithSome(TRAILING)),
  bracket_orders: fc.oneof(
    { weight: 5, arbitrary: fc.array(withForeignField(leg), { maxLength: 2 }) },
    fc.array(fc.constant({ stop_loss: 1 }), { minLength: 9, maxLength: 12 }),
    fc.array(WRONG, { maxLength: 2 }),
  ),
};
const ORDER = {
  trade_pair: fc.constantFrom("BTCUSD", "btc/usd", "BRK.B", "BTC USD", "/", "X".repeat(33)),
  order_type: fc.constantFrom("LONG", "SHORT", "FLAT", "long"),
  order_uuid: fc.constantFrom("a-1", " a-1 ", "a,b", "a, b", "ä", "a,,b", "x".repeat(101)),
  reduce_only: fc.boolean(),
  limit_price: price,
  stop_price: price,
  stop_condition: fc.constantFrom("GTE", "LTE", "gte"),
  bracket_pct: share,
  ...SIZES,
  ...LEGS,
  misspelt: fc.anything(),
};

/** Complete fields of each kind, to which a test adds others. */
const KINDS: Readonly<Record<string, object>> = {
  MARKET: { trade_pair: "BTCUSD", order_type: "LONG", value: 1 },
  LIMIT: { trade_pair: "BTCUSD", order_type: "LONG", value: 1, limit_price: 50 },
  STOP_LIMIT: {
    trade_pair: "BTCUSD",
    order_type: "SHORT",
    quantity: 1,
    limit_price: 50,
    stop_price: 50,
    stop_condition: "LTE",
  },
  BRACKET: { trade_pair: "BTCUSD", take_profit: 200 },
  LIMIT_CANCEL: { order_uuid: "ALL" },
  LIMIT_EDIT: { order_uuid: "a", trade_pair: "BTCUSD", order_type: "LONG", value: 1 },
  FLAT_ALL: {},
};
const trade = fc
  .record({
    kind: fc.constantFrom(...EXECUTION_TYPES),
    given: arbitraryObjectWithSome(ORDER),
    kept: fc.array(fc.constantFrom(...Object.keys(ORDER)), { maxLength: 4 }),
    isBare: fc.boolean(),
  })
  .map(({ kind, given, kept, isBare }): object => {
    const chosen = Object.entries(given).filter(([name]) => kept.includes(name));
    return {
      execution_type: kind,
      ...(isBare ? {} : KINDS[kind]),
      ...Object.fromEntries(chosen),
    };
  });
const body = fc.oneof(
  { weight: 20, arbitrary: withForeignField(fc.record({ trade: withForeignField(trade) })) },
  fc.record({
    trade: fc.oneof(trade, WRONG),
    accountId: fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => `urn:uuid:${id}`),
      WRONG,
    ),
  }),
  WRONG,
);

describe("the published schema of an order [D10.openapi]", () => {
  test("the schema accepts the random bodies that the parser accepts, nulls included", () => {
    let accepted = 0;
    fc.assert(
      fc.property(body, (sent) => {
        const given: unknown = JSON.parse(JSON.stringify(sent));
        const isRead = isAccepted(given);
        fc.pre(isRead !== null);
        if (isRead) accepted += 1;
        expect({ given, schema: matches(given) }).toEqual({ given, schema: isRead });
      }),
      propertySettings(5_000),
    );
    // A body that both the schema and the parser reject proves little, so enough bodies must be accepted.
    expect(accepted).toBeGreaterThan(scaledCount(700));
  });

  const EDIT = {
    execution_type: "LIMIT_EDIT",
    order_uuid: "a",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    value: 1,
    limit_price: 50,
  };
  test.each<[string, object, boolean]>([
    ["a size that is null beside one that is not", { ...EDIT, quantity: null }, true],
    ["every optional field null", { ...EDIT, stop_loss: null, trailing_stop: null }, true],
    ["a stop condition without a stop price", { ...EDIT, stop_condition: "GTE" }, false],
    ["a stop price that is text", { ...EDIT, stop_price: "1", stop_condition: "GTE" }, false],
    ["a stop price of 0", { ...EDIT, stop_price: 0, stop_condition: "GTE" }, false],
    ["an unknown stop condition", { ...EDIT, stop_price: 1, stop_condition: "EQ" }, false],
    ["both null", { ...EDIT, stop_price: null, stop_condition: null }, true],
  ])("schema and parser agree on an edit with %s: %s", (_, edited, isRight) => {
    const given = { trade: edited };
    expect([matches(given), isAccepted(given)]).toEqual([isRight, isRight]);
  });
});
