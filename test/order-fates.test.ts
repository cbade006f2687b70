/**
 * Sends every field of the contract, alone and in pairs, in every kind of order. An accepted field must have an effect.
 */
import {
  FATES,
  type FateRowName,
  parsePlaceOrder,
  REQUEST_FIELDS,
  type RequestField,
} from "@propgate/contract";
import {
  type AccountState,
  accountId,
  createPairFinder,
  decide,
  type Event,
  evolve,
  type Moment,
  type OrderCommand,
  ownerId,
  pairId,
  price,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../packages/core/src/testing/catalogue.ts";
import { orderCommand } from "../packages/wire/src/order-command.ts";
import { refusalText } from "../packages/wire/src/refusal-text.ts";
import { DEPTH, scaledCount } from "./environment/depth.ts";

type Fields = Readonly<Record<string, unknown>>;

const ENTRY = { trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.5 } as const;
const LIMIT = { ...ENTRY, limit_price: 96 } as const;
const STOP = { stop_price: 103, stop_condition: "GTE" } as const;

type Shape = Exclude<FateRowName, "OrderLeg" | "TrailingStop" | "OrderRequest" | "SwitchRequest">;

/** A valid body of each kind of order. Its ids are those in `World`. */
const BODIES: Readonly<Record<Shape, (world: World) => Fields>> = {
  MarketOrder: () => ({ execution_type: "MARKET", ...ENTRY }),
  FlatOrder: () => ({ execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" }),
  LimitOrder: () => ({ execution_type: "LIMIT", ...LIMIT }),
  StopLimitOrder: () => ({ execution_type: "STOP_LIMIT", ...LIMIT, ...STOP }),
  BracketOrder: () => ({ execution_type: "BRACKET", trade_pair: "BTCUSD", take_profit: 131 }),
  LimitOrderEdit: ({ entry }) => ({ execution_type: "LIMIT_EDIT", order_uuid: entry, ...LIMIT }),
  StopLimitOrderEdit: ({ stopEntry }) => ({
    execution_type: "LIMIT_EDIT",
    order_uuid: stopEntry,
    ...LIMIT,
    ...STOP,
  }),
  LegEdit: ({ leg }) => ({
    execution_type: "LIMIT_EDIT",
    order_uuid: leg,
    trade_pair: "BTCUSD",
    take_profit: 132,
  }),
  CancelById: ({ entry, leg }) => ({
    execution_type: "LIMIT_CANCEL",
    order_uuid: `${entry},${leg}`,
  }),
  CancelAll: () => ({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" }),
  FlatPositions: ({ position }) => ({ execution_type: "FLAT_ALL", order_uuid: position }),
  FlatAll: () => ({ execution_type: "FLAT_ALL" }),
};

/** Values of each field by which its effect can be recognized: no two fields have the same number. */
const VALUES: Readonly<Partial<Record<RequestField, readonly unknown[]>>> = {
  accountId: ["5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11"],
  trade: [{}],
  trade_pair: ["BTCUSD", "ETHUSD", "NOSUCH"],
  order_type: ["LONG", "SHORT", "FLAT"],
  order_uuid: ["ALL", "gone"],
  quantity: [0.7],
  value: [61],
  leverage: [0.00083],
  bracket_pct: [0.35],
  limit_price: [97],
  stop_price: [104],
  stop_condition: ["LTE"],
  stop_loss: [81],
  take_profit: [121],
  trailing_stop: [{ trailing_value: 7 }, { trailing_percent: 0.13, quantity: 1 }],
  bracket_orders: [[{ stop_loss: 82, quantity: 0.3 }], [{ take_profit: 122, trailing_stop: {} }]],
  trailing_percent: [0.11],
  trailing_value: [6],
  reduce_only: [true, false],
  seconds: [9],
  action: ["cancel"],
};

/** Values that no field accepts, and further values that a single field does not accept. */
const WRONG_VALUES: readonly unknown[] = [[], "", " ", -1, 1e300, "1", { x: 1 }, [null], "\u0000"];
const WRONG_VALUES_OF_FIELD: Readonly<Partial<Record<RequestField, readonly unknown[]>>> = {
  bracket_orders: [[{}], [{ stop_loss: -1 }], [{ quantity: 1 }]],
  trailing_stop: [{ trailing_value: 1, trailing_percent: 0.1 }, { trailing_value: "7" }],
};
/**
 * The name of each field with each of its wrong values. `accountId` is left out, because it is compared before the body
 * is read.
 */
const WRONG_ADDED = REQUEST_FIELDS.filter((name) => name !== "accountId").flatMap((name) =>
  [...WRONG_VALUES, ...(WRONG_VALUES_OF_FIELD[name] ?? [])]
    // An empty list of legs counts as no list.
    .filter((value) => name !== "bracket_orders" || JSON.stringify(value) !== "[]")
    .map((value) => [name, value] as const),
);

/**
 * There are too many combinations of a wrong value with another value to try them all. Of every so many combinations,
 * which is this number, the test tries one.
 */
const WRONG_SETS_PER_TRIAL = Math.max(1, Math.round(2 / DEPTH));
const namesField = (text: string): boolean =>
  REQUEST_FIELDS.some((field) => text.includes(`'${field}'`) || text.includes(`${field}[`));

const ADDED = REQUEST_FIELDS.flatMap((name) =>
  (VALUES[name] ?? []).map((value) => [name, value] as const),
);
const PAIRS = ADDED.flatMap((one, at) => ADDED.slice(at + 1).map((other) => [one, other] as const));
const SETS: readonly Fields[] = [
  {},
  ...ADDED.map((one) => Object.fromEntries([one])),
  ...PAIRS.filter(([[one], [other]]) => one !== other).map((both) => Object.fromEntries(both)),
];

const WRONG_SETS: readonly Fields[] = WRONG_ADDED.flatMap(([name, value]) =>
  [...ADDED, ...WRONG_ADDED]
    .filter(([other]) => other !== name)
    .map((beside) => Object.fromEntries([beside, [name, value]])),
);

const pairOf = createPairFinder(new Map());
const NOW = unixMs(1_767_625_200_000);
const quoteOf = (pair: string) =>
  [pairId(pair), { pair: pairId(pair), bid: price(100), ask: price(101), atMs: NOW }] as const;
const MOMENT: Moment = {
  now: NOW,
  quotes: new Map([quoteOf("BTCUSD"), quoteOf("ETHUSD")]),
  instruments: TEST_CATALOGUE,
};

/** An account, and the ids of its orders and its position. */
interface World {
  readonly state: AccountState;
  readonly entry: string;
  readonly stopEntry: string;
  readonly leg: string;
  readonly position: string;
}

function world(...trades: readonly Fields[]): World {
  const opened = decide(
    null,
    {
      type: "openAccount",
      accountId: accountId("a"),
      ownerId: ownerId("w"),
      terms: CLASSIC_TERMS,
      provisioned: true,
    },
    MOMENT,
  );
  if (!opened.ok) throw new Error(opened.refusal.code);
  let state = opened.value.reduce<AccountState | null>(evolve, null);
  for (const [at, trade] of trades.entries()) {
    const parsed = parsePlaceOrder({ trade });
    if (!parsed.ok) throw new Error(parsed.message);
    const done = decide(state, command(parsed.order, `w${at}`), MOMENT);
    if (!done.ok) throw new Error(done.refusal.code);
    state = done.value.reduce<AccountState | null>(evolve, state);
  }
  if (state === null) throw new Error("broken invariant: an account");
  const idOf = (kind: string): string =>
    state.orders.find((order) => order.kind === kind)?.uuid ?? `no-${kind}`;
  return {
    state,
    entry: idOf("limit"),
    stopEntry: idOf("stopLimit"),
    leg: idOf("bracket"),
    position: state.positions[0]?.uuid ?? "no-position",
  };
}

function command(order: Parameters<typeof orderCommand>[0], id: string): OrderCommand {
  return orderCommand(order, { pairOf, newUuid: () => id });
}

const RESTING = { ...ENTRY, execution_type: "LIMIT", limit_price: 90, stop_loss: 80 };
const WORLDS: readonly (readonly [name: string, world: World, acceptedMin: number])[] = [
  ["nothing", world(), 150],
  ["a position", world({ ...ENTRY, quantity: 2, execution_type: "MARKET", stop_loss: 70 }), 150],
  [
    "resting orders",
    world(RESTING, {
      ...RESTING,
      ...STOP,
      execution_type: "STOP_LIMIT",
      limit_price: 104,
      stop_loss: 75,
    }),
    150,
  ],
];

interface Accepted {
  readonly trade: Fields;
  readonly before: AccountState;
  readonly events: readonly Event[];
}

function accepted(trade: Fields, state: AccountState): Accepted | string {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) return parsed.message;
  // No field of the contract may be accepted without being read.
  if (parsed.ignoredFields.length > 0) throw new Error(`unread: ${JSON.stringify(trade)}`);
  const done = decide(state, command(parsed.order, "new"), MOMENT);
  return done.ok
    ? { trade, before: state, events: done.value }
    : refusalText(done.refusal, "topLevel");
}

/**
 * All numbers and words of the events, and of the pending orders that the events cancel. The name of a field that is
 * true counts as a word. Each number is also listed in the units of a request.
 */
function shownInEvents({ before, events }: Accepted): {
  numbers: readonly number[];
  words: ReadonlySet<string>;
} {
  const numbers: number[] = [];
  const words = new Set<string>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "number") {
      numbers.push(value, value / 100_000, value / 1_000_000);
    } else if (typeof value === "string") words.add(value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, one] of Object.entries(value)) visit(one, key);
    } else if (value === true) words.add(name);
  };
  visit(events, "");
  const ended = events.flatMap((event) =>
    event.type === "orderCancelled"
      ? before.orders.filter(({ uuid }) => uuid === event.orderUuid)
      : [],
  );
  visit(ended, "");
  return { numbers, words };
}

const NEAR = 0.02;

/**
 * The fields of an accepted order whose values do not appear in the order's events. A number counts as there when it
 * differs by at most 2 %. `execution_type`, `accountId`, FLAT and a false `reduce_only` always count as there.
 */
function fieldsWithoutEffect(order: Accepted): readonly string[] {
  const { numbers, words } = shownInEvents(order);
  const isThere = (name: string, value: unknown): boolean => {
    if (typeof value === "number") {
      return numbers.some((one) => Math.abs(Math.abs(one) - value) <= value * NEAR);
    }
    switch (name) {
      case "order_uuid":
        return (
          value === "ALL" ||
          String(value)
            .split(",")
            .some((id) => words.has(id))
        );
      case "trade_pair":
        return words.has(String(value)) || order.events.length === 0;
      case "order_type":
        return value === "FLAT" || words.has(String(value).toLowerCase());
      case "stop_condition":
        return words.has(String(value).toLowerCase());
      case "reduce_only":
        return value === false || opensNothing(order);
      case "execution_type":
      case "accountId":
        return true;
      default:
        return Object.entries(Object(value)).every(([key, one]) => isThere(key, one));
    }
  };
  return Object.entries(order.trade)
    .filter(([name, value]) => !isThere(name, value))
    .map(([name]) => name);
}

/**
 * Whether an accepted `reduce_only` order opens nothing: it is either pending as `reduce_only`, or has only reduced.
 */
function opensNothing({ events }: Accepted): boolean {
  return events.every((event) => {
    if (event.type === "orderPlaced") return event.order.reduceOnly;
    return event.type !== "orderFilled" || ["reduce", "close"].includes(event.effect);
  });
}

describe("what is accepted is there [D13.fates]", () => {
  test.each(WORLDS)(
    "an account with %s: every field, alone and in pairs, in every kind of order is honoured or rejected",
    (_, present, acceptedMin) => {
      const wrong: unknown[] = [];
      let acceptedCount = 0;
      let sentCount = 0;
      for (const shape of Object.keys(BODIES) as readonly Shape[]) {
        for (const added of SETS) {
          const trade = { ...BODIES[shape](present), ...added };
          const outcome = accepted(trade, present.state);
          sentCount += 1;
          if (typeof outcome === "string") continue;
          acceptedCount += 1;
          const names = fieldsWithoutEffect(outcome);
          if (names.length > 0) wrong.push({ shape, trade, names });
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(sentCount).toBeGreaterThan(4_000);
      expect(acceptedCount).toBeGreaterThan(acceptedMin);
    },
  );

  test("a wrong value beside any other value is rejected with the name of a field that was sent or is due", () => {
    const unnamed: unknown[] = [];
    const present = world({ ...ENTRY, quantity: 2, execution_type: "MARKET", stop_loss: 70 });
    const shapes = Object.keys(BODIES) as readonly Shape[];
    const tried = WRONG_SETS.filter((_, index) => index % WRONG_SETS_PER_TRIAL === 0);
    for (const [shape, added] of shapes.flatMap((one) => tried.map((set) => [one, set] as const))) {
      const trade = { ...BODIES[shape](present), ...added };
      const outcome = accepted(trade, present.state);
      const isNamed = typeof outcome === "string" && namesField(outcome);
      if (!isNamed) unnamed.push([outcome, trade]);
    }
    expect(unnamed.slice(0, 5)).toEqual([]);
    expect(tried.length).toBeGreaterThan(scaledCount(2_500));
  });

  test("the walk has a value of every field of the table", () => {
    const fields = new Set(ADDED.map(([name]) => name));
    const due = Object.keys(FATES.MarketOrder).filter((name) => name !== "execution_type");
    expect(due.filter((name) => !fields.has(name as RequestField))).toEqual([]);
  });
});
