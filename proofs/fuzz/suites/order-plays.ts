import assert from "node:assert/strict";
import fc from "fast-check";
import type { Signer } from "../../../packages/server/src/testing/signed-request.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import { type FuzzedService, START_PRICES } from "../fuzzed-service.ts";
import { errorTextOf } from "../output-checker.ts";
import { rawRequestText, utf8AsLatin1 } from "../raw-request.ts";

const ORDERS = "/api/v1/trading/orders";
const PREVIEW = "/api/v1/trading/preview";
const NOT_PREVIEWED = " here";
/** One leg more than a request may have. */
const ONE_LEG_TOO_MANY = 11;
const VALUE_OF_ONE = 10_000;

/** Multiples of the pair's price: near it, on the wrong side of it, or as far away as a typing mistake. */
const levels = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(0.9, 0.98, 0.99, 0.999, 1, 1.001, 1.01, 1.02, 1.1) },
  { weight: 1, arbitrary: fc.constantFrom(1e-9, 1e-4, 0.5, 2, 1e4, 1e9, 1e15, 1e300) },
);
const amounts = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom(0.01, 0.1, 0.5, 1) },
  { weight: 1, arbitrary: fc.constantFrom(5e-324, 1e-9, 1e-6, 0.004, 0.005, 1e5, 1e9, 1e22) },
);
/** The fields whose values in a play are multiples of a price. */
const LEVEL_FIELDS: ReadonlySet<string> = new Set([
  "limit_price",
  "stop_price",
  "stop_loss",
  "take_profit",
  "trailing_value",
]);
const oftenSizes = fc
  .tuple(fc.constantFrom("quantity", "quantity", "value", "leverage"), amounts)
  .map(([field, amount]) => ({ [field]: field === "value" ? amount * VALUE_OF_ONE : amount }));
const legSizes = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: oftenSizes },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0.25, 0.5, 1).map((share) => ({ bracket_pct: share })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0.000_001, 1.5, 0).map((share) => ({ bracket_pct: share })),
  },
);
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
const distances = fc.constantFrom(0.001, 0.01, 0.02, 0.05);
const trailing = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0.01, 0.05).map(percent) },
  { weight: 2, arbitrary: distances.map((distance) => ({ trailing_value: distance })) },
  { weight: 1, arbitrary: fc.constantFrom(1e-9, 0.999, 1).map(percent) },
  { weight: 1, arbitrary: levels.map((distance) => ({ trailing_value: distance })) },
);

function percent(share: number): { readonly trailing_percent: number } {
  return { trailing_percent: share };
}

/** A stop and a target, mostly on the correct sides of the order's price. `up` is +1 for a LONG and -1 for a SHORT. */
function sides(up: 1 | -1, at: number) {
  const right = fc.tuple(distances, maybe(distances)).map(([stop, target]) => ({
    stop_loss: at * (1 - up * stop),
    take_profit: target === undefined ? undefined : at * (1 + up * target),
  }));
  const any = fc.tuple(maybe(levels), maybe(levels));
  const wrong = any.map(([stop, target]) => ({ stop_loss: stop, take_profit: target }));
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

function legFields(up: 1 | -1, at: number): fc.Arbitrary<object> {
  const leg = fc
    .tuple(sides(up, at), fc.option(trailing, { nil: {}, freq: 2 }), legSizes)
    .map(([levelled, trail, size]) => ({ ...levelled, ...trail, ...size }));
  const top = fc
    .tuple(sides(up, at), maybe(trailing))
    .map(([levelled, trail]) => ({ ...levelled, trailing_stop: trail }));
  const listed = fc.array(leg, { minLength: 1, maxLength: ONE_LEG_TOO_MANY });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: top },
    { weight: 3, arbitrary: listed.map((list) => ({ bracket_orders: list })) },
  );
}

const pairs = fc.constantFrom(...Object.keys(START_PRICES));
const directions = fc.constantFrom(1 as const, 1 as const, -1 as const);
/** Ids of a play: `#1` is replaced by the second newest id that the answers contained. */
const ids = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 3 }).map((index) => `#${index}`) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom("#0", "#1", "#2", "gone", ""), { minLength: 2, maxLength: 5 })
      .map((list) => list.join(",")),
  },
  { weight: 1, arbitrary: fc.constantFrom("ALL", "", ",", "gone", null) },
);

const reducing = fc.constantFrom<unknown>(
  undefined,
  undefined,
  undefined,
  true,
  true,
  false,
  null,
  1,
);
const pendingEntries = fc.record({
  execution_type: fc.constantFrom("LIMIT", "LIMIT", "STOP_LIMIT"),
  limit_price: levels,
  stop_price: levels,
  stop_condition: fc.constantFrom("GTE", "LTE"),
  reduce_only: reducing,
});
const immediate = fc.record({
  execution_type: fc.constant("MARKET"),
  limit_price: fc.constant(1),
  reduce_only: reducing,
});

/** Entries whose legs are around their limit price, or around the present price. */
const entries = fc
  .tuple(fc.oneof(immediate, pendingEntries), directions, pairs, oftenSizes)
  .chain(([order, up, pair, size]) =>
    legFields(up, order.limit_price).map((more) => ({
      ...size,
      ...more,
      ...order,
      trade_pair: pair,
      order_type: up === 1 ? "LONG" : "SHORT",
    })),
  );
const flats = pairs.map((pair) => ({
  execution_type: "MARKET",
  trade_pair: pair,
  order_type: "FLAT",
}));
const brackets = fc.tuple(pairs, directions, legSizes).chain(([pair, up, size]) =>
  legFields(up, 1).map((more) => ({
    execution_type: "BRACKET",
    trade_pair: pair,
    ...more,
    ...size,
  })),
);
const steps: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  { weight: 9, arbitrary: entries },
  { weight: 1, arbitrary: flats },
  { weight: 3, arbitrary: brackets },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(entries, brackets), ids)
      .map(([entry, id]) => ({ ...entry, execution_type: "LIMIT_EDIT", order_uuid: id })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      execution_type: fc.constantFrom("LIMIT_CANCEL", "FLAT_ALL"),
      order_uuid: fc.oneof(ids, fc.constant(undefined)),
      trade_pair: fc.oneof(pairs, fc.constantFrom(undefined, "NOPAIR", null)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ quote: pairs, at: fc.constantFrom(0.95, 0.99, 1, 1.01, 1.05) }),
  },
);

/**
 * In every state of an account an order is accepted or refused with a reason, and its preview gets the same status and
 * refusal. @rule D9.preview D10.exactMoney
 */
export function orderPlaysSuite(world: FuzzedService): FuzzSuite {
  return createFuzzSuite({
    name: "plays of orders with legs, edits, lists and prices at the edges",
    defaultRuns: 60,
    inputs: fc.array(steps, { minLength: 3, maxLength: 14 }),
    async try(play) {
      const signer = await world.freshTrader();
      const known: string[] = [];
      for (const step of play) {
        if (typeof step.quote === "string") await quote(world, step.quote, Number(step.at));
        else await send(world, { signer, known, trade: withPrices(step, known) });
      }
      for (const list of ["orders", "positions", "trades", "account"]) {
        const answer = await world.service.call(`/api/v1/trading/${list}`, { signer });
        assert.equal(answer.status, 200, answer.text);
      }
      await world.quoteAll();
    },
  });
}

interface Sent {
  readonly signer: Signer;
  /** The ids of orders and positions in the answers, newest first. */
  readonly known: string[];
  readonly trade: unknown;
}

async function send(world: FuzzedService, { signer, known, trade }: Sent): Promise<void> {
  const text = JSON.stringify({ trade });
  const preview = await post(world, text, { signer, target: PREVIEW });
  const answer = await post(world, text, { signer, target: ORDERS });
  world.checker.endpoint("previewOrder", preview);
  world.checker.endpoint("placeOrder", answer);
  if (answer.status === 200) known.unshift(...idsIn(answer.body));
  if (preview.status === 400 && errorTextOf(preview).endsWith(NOT_PREVIEWED)) return;
  assert.equal(
    preview.status,
    answer.status,
    `${preview.body} instead of ${answer.body} to ${text}`,
  );
  if (answer.status !== 200) assert.equal(preview.body, answer.body);
}

function idsIn(body: string): readonly string[] {
  const found = [...body.matchAll(/"(?:order_uuid|orderUuid)":"([^"]+)"/g)].map(
    ([, id = ""]) => id,
  );
  return [...new Set(found.flatMap((id) => id.split(",")))].filter((id) => id !== "");
}

async function quote(world: FuzzedService, pair: string, times: number): Promise<void> {
  const price = Number(((START_PRICES[pair] ?? 1) * times).toPrecision(6));
  await world.service.quote(pair, price, price);
}

/** The value with prices of the pair instead of multiples, and with an id instead of `#1`. */
function withPrices(value: unknown, known: readonly string[], price = priceIn(value)): unknown {
  if (Array.isArray(value)) return value.map((one) => withPrices(one, known, price));
  if (typeof value === "string") {
    return value.replace(/#(\d)/g, (_, index) => known[Number(index)] ?? "gone");
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    LEVEL_FIELDS.has(name) && typeof one === "number"
      ? Number((one * price).toPrecision(7))
      : withPrices(one, known, price),
  ]);
  return Object.fromEntries(entries);
}

function priceIn(value: unknown): number {
  const pair: unknown = Object(value).trade_pair;
  return typeof pair === "string" ? (START_PRICES[pair] ?? 1) : 1;
}

async function post(
  world: FuzzedService,
  text: string,
  { signer, target }: { readonly signer: Signer; readonly target: string },
) {
  const body = utf8AsLatin1(text);
  const request = { method: "POST", target, body, nonce: world.nextNonce() };
  const headers = Object.entries(world.headers(signer, request));
  return world.exchange(rawRequestText({ ...request, headers }));
}
