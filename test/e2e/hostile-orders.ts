import fc from "fast-check";
import { arbitraryCharacter } from "../environment/arbitrary-character.ts";

/** A placeholder in a body for the id of a pending order. */
export const ORDER_ID_PLACEHOLDER = "id-of-a-resting-order";

/** Numbers at the limits of doubles, and at the limits of orders. */
const extreme = fc.constantFrom(
  ...[0, -0, 1, -1, 5e-324, 1e-300, 1e-12, 1e-9, 1e-6, 0.5, 0.9999999999999999, 1.0000000000000002],
  ...[1e9, 999_999_999.999, 1e9 + 1, 1e15, 2 ** 53, 1e22, 1e300, 1.7976931348623157e308],
);
const anyNumber = fc.oneof(extreme, fc.double({ noNaN: true, noDefaultInfinity: true }));
/** A number that passes the schema of a body; the market decides about it. */
const amount = fc.oneof(
  fc.constantFrom(5e-324, 1e-300, 1e-12, 1e-9, 1e-5, 0.01, 0.1, 1, 10, 1000, 1e5, 1e6, 1e9),
  fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
);
const share = fc.constantFrom(5e-324, 1e-16, 1e-9, 0.001, 0.5, 0.999, 0.9999999999999999);

const anyText = fc.oneof(
  fc.constantFrom("", " ", "ALL", "LONG", "__proto__", "\u0000", "\ud800", "💥", "../..", "a,b"),
  fc.string({ unit: arbitraryCharacter, maxLength: 40 }),
);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyNumber,
  anyText,
  fc.constantFrom(null, true, false, [], {}, [[]], [{}], { trailing_percent: 0.1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const FIELDS = [
  "execution_type",
  "order_type",
  "trade_pair",
  "leverage",
  "value",
  "quantity",
  "limit_price",
  "stop_price",
  "stop_condition",
  "stop_loss",
  "take_profit",
  "trailing_stop",
  "bracket_orders",
  "order_uuid",
  "__proto__",
  "constructor",
] as const;

const KINDS = [
  "MARKET",
  "LIMIT",
  "STOP_LIMIT",
  "BRACKET",
  "LIMIT_CANCEL",
  "LIMIT_EDIT",
  "FLAT_ALL",
];

/** Bodies that are not valid JSON, JSON of the wrong shape, and JSON that is almost an order. */
export const arbitraryHostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: arbitraryCharacter, minLength: 1, maxLength: 200 }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.integer({ min: 1, max: 30_000 }).map((deep) => `{"trade":${"[".repeat(deep)}`),
  fc
    .integer({ min: 1, max: 10_000 })
    .map((deep) => `${'{"trade":'.repeat(deep)}1${"}".repeat(deep)}`),
  fc.integer({ min: 1, max: 60_000 }).map((long) => `{"trade":{"value":1${"0".repeat(long)}}}`),
  fc.constantFrom(
    '{"trade":{"value":1e999}}',
    '{"trade":{},"trade":{}}',
    '{"trade":{"__proto__":{"execution_type":"FLAT_ALL"}}}',
    '{"__proto__":{"trade":{"execution_type":"FLAT_ALL"}}}',
    '{"trade":{"execution_type":"FLAT_ALL","execution_type":"MARKET"}}',
    '{"trade":{"execution_type":"\\u0000"}}',
    '{"trade":null}',
    '{"trade":NaN}',
    "\ufeff{}",
    "{}{}",
    '{"accountId":"\\ud800","trade":{}}',
  ),
  fc.constant(`{"trade":{"execution_type":"LIMIT_CANCEL","order_uuid":"${"x,".repeat(30_000)}x"}}`),
  fc
    .array(fc.uuid(), { minLength: 1000, maxLength: 1500 })
    .map((ids) => order({ execution_type: "LIMIT_CANCEL", order_uuid: ids.join(",") })),
);

/** Orders of each kind in which some fields, also those of other kinds, have an arbitrary value. */
export function arbitraryHostileOrder(pairs: readonly string[]): fc.Arbitrary<string> {
  const replaced = fc.dictionary(fc.constantFrom(...FIELDS), anyValue, { maxKeys: 3 });
  return fc
    .tuple(sound(pairs), replaced, fc.option(fc.oneof(fc.uuid(), anyValue), { freq: 2 }))
    .map(([trade, over, accountId]) =>
      JSON.stringify({
        trade: Object.fromEntries([...Object.entries(trade), ...Object.entries(over)]),
        ...(accountId === null ? {} : { accountId }),
      }),
    );
}

/** Well-formed orders of extreme sizes and prices. */
export function arbitraryPlausibleOrder(pairs: readonly string[]): fc.Arbitrary<string> {
  return sound(pairs).map(order);
}

function sound(pairs: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const pair = fc.constantFrom(...pairs);
  const leg = fc.record(
    { stop_loss: amount, take_profit: amount, trailing_percent: share, bracket_pct: share },
    { requiredKeys: ["stop_loss"] },
  );
  return fc
    .record({
      kind: fc.constantFrom("MARKET", ...KINDS),
      pair,
      direction: fc.constantFrom("LONG", "LONG", "SHORT", "FLAT"),
      size: fc.tuple(fc.constantFrom("leverage", "value", "quantity"), amount),
      prices: fc.record({ limit_price: amount, stop_price: amount }),
      condition: fc.constantFrom("GTE", "LTE"),
      exits: fc.oneof(
        fc.constant({}),
        fc.record({ stop_loss: amount }),
        fc.record({ take_profit: amount }),
        fc.record({ trailing_stop: fc.record({ trailing_percent: share }) }),
        fc.record({ trailing_stop: fc.record({ trailing_value: amount }) }),
        fc.record({ bracket_orders: fc.array(leg, { maxLength: 11 }) }),
      ),
      target: fc.oneof(
        fc.constant("ALL"),
        fc.constant(ORDER_ID_PLACEHOLDER),
        fc.constant(ORDER_ID_PLACEHOLDER),
        fc.uuid(),
      ),
    })
    .map(({ kind, pair: name, direction, size, prices, condition, exits, target }) => {
      const [field, sized] = size;
      const common = { execution_type: kind, trade_pair: name };
      const entry = { ...common, order_type: direction, [field]: sized, ...exits };
      switch (kind) {
        case "MARKET":
          return entry;
        case "LIMIT":
          return { ...entry, limit_price: prices.limit_price };
        case "STOP_LIMIT":
          return { ...entry, ...prices, stop_condition: condition };
        case "BRACKET":
          return { ...common, ...exits };
        case "LIMIT_EDIT":
          return { ...entry, ...prices, stop_condition: condition, order_uuid: target };
        default:
          return { execution_type: kind, order_uuid: target };
      }
    });
}

function order(trade: unknown): string {
  return JSON.stringify({ trade });
}
