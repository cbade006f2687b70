import {
  exclusive,
  type Field,
  literal,
  object,
  omittable,
  type Schema,
  type Wire,
  withRules,
} from "../schema.ts";
import { type ExecutionType, ORDER_TYPES, STOP_CONDITIONS } from "../words.ts";
import type { FieldReader } from "./field-reader.ts";
import { BRACKET_LEGS, EDITED_LEG, ENTRY_LEGS, namesLeg } from "./order-legs.ts";
import {
  fixed,
  forbidden,
  kindWord,
  NO_MEMBER,
  omittableOr,
  type Part,
  type Parts,
  type ReadOf,
  required,
  type SentOf,
  together,
  unnamed,
} from "./order-part.ts";
import { NO_SIZE, SIZE } from "./order-size.ts";
import { amount, DIRECTION, flag, IDS, ONE_ID, oneOf, pairName } from "./order-values.ts";

/*
 * The one description of every kind of order. The parser, the published schema, the types of the SDK, the options of
 * the command line and the schemas of the agents' tools are made from these tables. The parts of a shape are in the
 * order of their checks; only the first problem is reported. @rule S4.2.fields D5.fields
 */

/** The effect of an order on the account. Agents have one tool for each act. */
export type OrderAct = "place" | "edit" | "cancel" | "close";

/** One shape of a kind's bodies. */
export interface OrderShape<Sent = unknown, Read = unknown> {
  readonly act: OrderAct;
  readonly schema: Schema<Sent>;
  readonly fields: Readonly<Record<string, Field>>;
  /** Undefined only when a problem has been reported. */
  readonly read: (trade: FieldReader) => Read | undefined;
}

/** The bodies of one `execution_type`. */
export interface OrderKind<Sent = unknown, Read = unknown> {
  /** The name of the schema, and of each of its shapes, in the published document. */
  readonly name: string;
  readonly schema: Schema<Sent>;
  readonly shapes: Readonly<Record<string, OrderShape>>;
  readonly read: (trade: FieldReader) => Read | undefined;
}

function shape<const All extends Parts>(
  act: OrderAct,
  description: string,
  parts: All,
): OrderShape<SentOf<All>, ReadOf<All>> {
  const { fields, rules, read } = together(parts);
  const body = object(description, fields);
  const { json } = rules.length === 0 ? body : withRules(body, ...rules);
  return { act, schema: { json }, fields, read };
}

/** A kind whose bodies have one shape. */
function kind<Sent, Read>(name: string, only: OrderShape<Sent, Read>): OrderKind<Sent, Read> {
  return { name, schema: only.schema, shapes: { [name]: only }, read: only.read };
}

const executionType = <const Word extends ExecutionType>(is: Word, description: string) =>
  kindWord("execution_type", literal(is, description), is);

const PAIR = pairName("Pair identifier, such as `BTCUSD` or `btc/usd`.");

const ENTRY = {
  pair: required("trade_pair", PAIR),
  orderType: required("order_type", DIRECTION),
  size: SIZE,
} as const;

const LIMIT = {
  ...ENTRY,
  limitPrice: required("limit_price", amount("The worst price to fill at.")),
  legs: ENTRY_LEGS,
  /** @rule D10.reduceOnly */
  reduceOnly: omittableOr(
    "reduce_only",
    flag(
      "True for an order that only reduces the position and is cancelled when the position closes.",
    ),
    false,
  ),
} as const;

const STOP_LIMIT = {
  ...LIMIT,
  stopPrice: required("stop_price", amount("Mid price at which it becomes a limit order.")),
  stopCondition: required(
    "stop_condition",
    oneOf(STOP_CONDITIONS, "`GTE`: at or above the stop; `LTE`: at or below."),
  ),
} as const;

const BRACKET = {
  pair: ENTRY.pair,
  // Checked but ignored: a bracket has its position's direction.
  orderType: unnamed(
    omittableOr(
      "order_type",
      oneOf(ORDER_TYPES, "Ignored: a leg has its position's direction."),
      null,
    ),
  ),
} as const;

const AT_MARKET = executionType("MARKET", "At the market.");

/** On MARKET `reduce_only` may only be false. */
const NOT_REDUCING_FIELD: Schema<false> = {
  json: {
    type: "boolean",
    enum: [false],
    description: "Never true on MARKET; use `FLAT` to close.",
  },
};
const NOT_REDUCING_FIELDS = { reduce_only: omittable(NOT_REDUCING_FIELD) } as const;
const NOT_REDUCING: Part<typeof NOT_REDUCING_FIELDS, typeof NO_MEMBER> = {
  fields: NOT_REDUCING_FIELDS,
  rules: [],
  read: (trade) => {
    if (LIMIT.reduceOnly.read(trade) === true) {
      trade.report("'reduce_only' must not be true on MARKET; use order_type FLAT to close");
    }
    return NO_MEMBER;
  },
};

const MARKET_ORDER = shape("place", "Fills immediately.", {
  executionType: AT_MARKET,
  ...ENTRY,
  legs: ENTRY_LEGS,
  reduceOnly: NOT_REDUCING,
});
const FLAT_ORDER = shape("close", "Closes the pair's position.", {
  executionType: AT_MARKET,
  pair: ENTRY.pair,
  orderType: kindWord("order_type", literal("FLAT", "Without a size."), "FLAT"),
  ...NO_SIZE,
});

const EDIT = {
  executionType: executionType(
    "LIMIT_EDIT",
    "Replaces a pending order; send the whole order again.",
  ),
  orderUuid: required("order_uuid", ONE_ID),
} as const;
const ONLY_STOP_LIMIT = { why: "Only for a stop-limit order.", problem: null };
const NO_STOP = {
  stopPrice: forbidden("stop_price", ONLY_STOP_LIMIT),
  stopCondition: forbidden("stop_condition", { ...ONLY_STOP_LIMIT, empty: "" }),
} as const;

const LIMIT_ORDER_EDIT = shape("edit", "Changes a limit order.", {
  ...EDIT,
  replacement: together({ executionType: fixed("LIMIT"), ...LIMIT }),
  ...NO_STOP,
});
const STOP_LIMIT_ORDER_EDIT = shape("edit", "Changes a stop-limit order.", {
  ...EDIT,
  replacement: together({ executionType: fixed("STOP_LIMIT"), ...STOP_LIMIT }),
});
const LEG_EDIT = shape("edit", "Changes a leg.", {
  ...EDIT,
  replacement: together({ executionType: fixed("BRACKET"), ...BRACKET, legs: EDITED_LEG }),
  ...NO_STOP,
  limitPrice: forbidden("limit_price", {
    why: "Only for an entry order.",
    problem: null,
  }),
});

/** `trade_pair` beside `ALL`. Beside ids the field is ignored, because ids are unambiguous. */
function pairOfAll(description: string) {
  const part = omittableOr("trade_pair", pairName(description), null);
  return {
    ...part,
    read: (trade: FieldReader): string | null | undefined =>
      (trade.given("order_uuid") ?? "ALL") === "ALL" ? part.read(trade) : null,
  };
}

/** Every kind of order, by its `execution_type`. */
export const ORDER_KINDS = {
  /** `order_type` distinguishes the two shapes. */
  MARKET: {
    name: "Market",
    schema: exclusive<[Wire<typeof MARKET_ORDER.schema>, Wire<typeof FLAT_ORDER.schema>]>(
      object("An order that fills immediately, or one that closes a position.", AT_MARKET.fields),
      MARKET_ORDER.schema,
      FLAT_ORDER.schema,
    ),
    shapes: { MarketOrder: MARKET_ORDER, FlatOrder: FLAT_ORDER },
    read: (trade) =>
      trade.given("order_type") === "FLAT" ? FLAT_ORDER.read(trade) : MARKET_ORDER.read(trade),
  },
  LIMIT: kind(
    "LimitOrder",
    shape("place", "Rests until the market reaches its price.", {
      executionType: executionType("LIMIT", "At a price or better."),
      ...LIMIT,
    }),
  ),
  STOP_LIMIT: kind(
    "StopLimitOrder",
    shape("place", "Rests until the market reaches its stop, then becomes a limit order.", {
      executionType: executionType("STOP_LIMIT", "A limit order with a stop."),
      ...STOP_LIMIT,
    }),
  ),
  /** Attaches legs, at least one, to the pair's open position. */
  BRACKET: kind(
    "BracketOrder",
    shape("place", "Attaches legs to the pair's open position.", {
      executionType: executionType("BRACKET", "Legs for a position."),
      ...BRACKET,
      legs: BRACKET_LEGS,
    }),
  ),
  LIMIT_CANCEL: kind(
    "LimitCancel",
    shape("cancel", "Cancels pending orders.", {
      executionType: executionType("LIMIT_CANCEL", "Cancels."),
      target: required("order_uuid", IDS),
      pair: pairOfAll("With `ALL`, only this pair's orders."),
    }),
  ),
  /**
   * The whole order with its changes, under its id. Its fields distinguish the shapes: a stop makes it a STOP_LIMIT, a
   * leg field without a limit price a BRACKET of one leg, anything else a LIMIT.
   */
  LIMIT_EDIT: {
    name: "LimitEdit",
    schema: exclusive<
      [
        Wire<typeof LIMIT_ORDER_EDIT.schema>,
        Wire<typeof STOP_LIMIT_ORDER_EDIT.schema>,
        Wire<typeof LEG_EDIT.schema>,
      ]
    >(
      object("The whole order with its changes, under its id.", EDIT.executionType.fields),
      LIMIT_ORDER_EDIT.schema,
      STOP_LIMIT_ORDER_EDIT.schema,
      LEG_EDIT.schema,
    ),
    shapes: {
      LimitOrderEdit: LIMIT_ORDER_EDIT,
      StopLimitOrderEdit: STOP_LIMIT_ORDER_EDIT,
      LegEdit: LEG_EDIT,
    },
    read: (trade) => {
      if (trade.isGiven("stop_price") || trade.isGiven("stop_condition")) {
        return STOP_LIMIT_ORDER_EDIT.read(trade);
      }
      const isLeg = !trade.isGiven("limit_price") && namesLeg(trade);
      return isLeg ? LEG_EDIT.read(trade) : LIMIT_ORDER_EDIT.read(trade);
    },
  },
  FLAT_ALL: kind(
    "FlatAll",
    shape("close", "Closes positions.", {
      executionType: executionType("FLAT_ALL", "Closes every position, or the named ones."),
      target: omittableOr("order_uuid", IDS, "ALL"),
      pair: pairOfAll("Without ids, only this pair's position."),
    }),
  ),
} as const satisfies Readonly<Record<ExecutionType, OrderKind>>;

type Kinds = typeof ORDER_KINDS;

/** A valid order in the wire's own words; pairs in canonical form, not yet looked up. */
export type OrderFields = {
  readonly [Type in ExecutionType]: NonNullable<ReturnType<Kinds[Type]["read"]>>;
}[ExecutionType];

/** `trade` of POST orders. @rule S4.2.fields */
export type OrderTrade = {
  readonly [Type in ExecutionType]: Wire<Kinds[Type]["schema"]>;
}[ExecutionType];

/** An edit: the order's id and its replacement. */
export type EditFields = Extract<OrderFields, { readonly executionType: "LIMIT_EDIT" }>;

/** The name of any field of an order. */
export type OrderFieldName = OrderTrade extends infer Trade
  ? Trade extends unknown
    ? keyof Trade
    : never
  : never;

/** The type of a field, whichever kinds have it. */
type FieldValue<Name extends string> = OrderTrade extends infer Trade
  ? Trade extends { readonly [Key in Name]?: infer Value }
    ? Exclude<Value, undefined>
    : never
  : never;

/** `trade` before it is checked: a kind, with any fields of any kind. */
export type UncheckedTrade = { readonly execution_type: ExecutionType } & {
  readonly [Name in Exclude<OrderFieldName, "execution_type">]?: FieldValue<Name>;
};

/** The act of a parsed order. */
export function actOf(order: OrderFields): OrderAct {
  const isFlat = order.executionType === "MARKET" && order.orderType === "FLAT";
  return isFlat ? FLAT_ORDER.act : mainShape(order.executionType).act;
}

/** True for a kind whose orders open or protect a position. */
export function placesOrder(type: ExecutionType): boolean {
  return mainShape(type).act === "place";
}

/** The fields of the kind's first shape; true for those that a body must have. */
export function fieldsOfKind(type: ExecutionType): ReadonlyMap<string, boolean> {
  const fields = Object.entries(mainShape(type).fields);
  return new Map(
    fields.flatMap(([name, field]): readonly [string, boolean][] => {
      if (!("optional" in field)) return [[name, true]];
      const { enum: words } = field.optional.json;
      const isForbidden = Array.isArray(words) && words.every((one) => !one);
      return isForbidden ? [] : [[name, false]];
    }),
  );
}

function mainShape(type: ExecutionType): OrderShape {
  const [main] = Object.values<OrderShape>(ORDER_KINDS[type].shapes);
  if (main === undefined) throw new Error(`broken invariant: ${type} has a shape`);
  return main;
}
