import { exclusive, type JsonSchema, literal, object, type Wire } from "../schema.ts";
import { type ExecutionType, ORDER_TYPES, STOP_CONDITIONS } from "../words.ts";
import type { FieldReader } from "./field-reader.ts";
import { isRead } from "./order-fates.ts";
import { isLegId } from "./order-id.ts";
import {
  BRACKET_LEGS,
  EDITED_LEG,
  ENTRY_LEGS,
  type LegsInOnePlace,
  namesLeg,
} from "./order-legs.ts";
import {
  fixedMember,
  forbiddenField,
  joinParts,
  kindWord,
  optionalField,
  requiredField,
  withoutMember,
} from "./order-part.ts";
import {
  NO_IDS,
  type OrderAct,
  type OrderKind,
  type OrderShape,
  orderShape,
  rowsAt,
  rowsByIds,
} from "./order-shape.ts";
import { NO_SIZE, SIZE } from "./order-size.ts";
import {
  amount,
  direction,
  directionOrFlat,
  flag,
  IDS,
  ONE_ID,
  oneOf,
  pairName,
} from "./order-values.ts";

/*
 * The one description of every kind of order. The parser, the published schema, the types of the SDK, the options of
 * the command line and the schemas of the agents' tools are made from these tables. The parts of a shape are in the
 * order of their checks; only the first problem is reported. @rule S4.2.fields D5.fields
 */

/** A kind whose bodies all have the same shape. */
function singleShapeKind<Sent, Read>(
  name: string,
  only: OrderShape<Sent, Read>,
): OrderKind<Sent, Read> {
  return { name, schema: only.schema, shapes: { [name]: only }, read: only.read };
}

const executionType = <const Word extends ExecutionType>(is: Word, description: string) =>
  kindWord("execution_type", literal(is, description), is);

const PAIR = pairName("Pair identifier, such as `BTCUSD` or `btc/usd`.");

const BUYS_OR_SELLS = "`LONG` buys, `SHORT` sells.";

const ENTRY = {
  pair: requiredField("trade_pair", PAIR),
  orderType: requiredField("order_type", direction(BUYS_OR_SELLS)),
  size: SIZE,
} as const;

const LIMIT = {
  ...ENTRY,
  limitPrice: requiredField("limit_price", amount("The worst price at which the order may fill.")),
  legs: ENTRY_LEGS,
  /** With `reduce_only`, the order is cut to the size of the open position when it fills. @rule D10.reduceOnly */
  reduceOnly: reducesOnly(
    "LIMIT, STOP_LIMIT: true for an order that only reduces the position and is cancelled when the position closes.",
  ),
} as const;

const STOP_LIMIT = {
  ...LIMIT,
  stopPrice: requiredField(
    "stop_price",
    amount("Mid price at which the order becomes a limit order."),
  ),
  stopCondition: requiredField(
    "stop_condition",
    oneOf(
      STOP_CONDITIONS,
      "`GTE`: triggers when the mid price is at or above `stop_price`. `LTE`: at or below.",
    ),
  ),
} as const;

const BRACKET = {
  pair: ENTRY.pair,
  orderType: optionalField(
    "order_type",
    direction("BRACKET: not needed. If given: the direction of the position."),
    null,
  ),
  reduceOnly: repeatsReduceOnly("BRACKET: not needed, because legs only reduce."),
} as const;

function reducesOnly(description: string) {
  return optionalField("reduce_only", flag(description), false);
}
/** `reduce_only` of an order that can only reduce: it is checked and has no member in the order. */
function repeatsReduceOnly(description: string) {
  return withoutMember(reducesOnly(description));
}
const CLOSES = repeatsReduceOnly("FLAT, FLAT_ALL: not needed, because they only close.");

const AT_MARKET = executionType("MARKET", "Fills immediately at the market price.");

const MARKET_ORDER = orderShape(rowsAt("place", "MarketOrder"), "Fills immediately.", {
  executionType: AT_MARKET,
  ...ENTRY,
  orderType: requiredField("order_type", direction(BUYS_OR_SELLS, ORDER_TYPES)),
  legs: ENTRY_LEGS,
  /**
   * With `reduce_only`, the order closes at most the size that is open when the order is decided.
   * @rule D12.marketReduces
   */
  reduceOnly: reducesOnly(
    "MARKET: true for an order that only reduces the position that is open when it fills.",
  ),
});
const FLAT_ORDER = orderShape(rowsAt("close", "FlatOrder"), "Closes the pair's position.", {
  executionType: AT_MARKET,
  pair: ENTRY.pair,
  orderType: kindWord(
    "order_type",
    literal("FLAT", "`FLAT` closes the whole position, without a size."),
    "FLAT",
  ),
  reduceOnly: CLOSES,
  ...NO_SIZE,
});

const EDIT = {
  executionType: executionType(
    "LIMIT_EDIT",
    "Replaces a pending order. Send the whole order again.",
  ),
  orderUuid: requiredField("order_uuid", ONE_ID),
} as const;
const ONLY_STOP_LIMIT = "Only for a stop-limit order.";
const NO_STOP = {
  stopPrice: forbiddenField("stop_price", ONLY_STOP_LIMIT),
  stopCondition: forbiddenField("stop_condition", ONLY_STOP_LIMIT, ""),
} as const;

const LIMIT_ORDER_EDIT = orderShape(rowsAt("edit", "LimitOrderEdit"), "Changes a limit order.", {
  ...EDIT,
  replacement: joinParts({ executionType: fixedMember("LIMIT"), ...LIMIT }),
  ...NO_STOP,
});
const STOP_LIMIT_ORDER_EDIT = orderShape(
  rowsAt("edit", "StopLimitOrderEdit"),
  "Changes a stop-limit order.",
  {
    ...EDIT,
    replacement: joinParts({ executionType: fixedMember("STOP_LIMIT"), ...STOP_LIMIT }),
  },
);
const LEG_EDIT = orderShape(rowsAt("edit", "LegEdit"), "Changes a leg.", {
  ...EDIT,
  replacement: joinParts({ executionType: fixedMember("BRACKET"), ...BRACKET, legs: EDITED_LEG }),
  ...NO_STOP,
  limitPrice: forbiddenField("limit_price", "Only for an entry order."),
});

/**
 * `trade_pair` of a LIMIT_CANCEL or FLAT_ALL. In a body with ids it can only be the pair of the orders or positions
 * with these ids. @rule D13.pairOfIds
 */
const pairOrNull = (description: string) =>
  optionalField("trade_pair", pairName(`${description} Not needed together with ids.`), null);

/** `order_type` beside the ids of a FLAT_ALL: `FLAT`, which has no effect, or the direction of the positions. */
const FLAT_DIRECTION = directionOrFlat(
  "FLAT_ALL: not needed. If given: `FLAT`, or with ids the direction of their positions.",
);
const FLAT_ONLY: JsonSchema = { order_type: { enum: ["FLAT", null] } };

const CLOSED_DIRECTION = {
  ...optionalField("order_type", FLAT_DIRECTION, null),
  read: (trade: FieldReader) => {
    const given = FLAT_DIRECTION.read(trade, "order_type");
    if (given === null || given === "FLAT") return null;
    if (NO_IDS.includes(trade.peek("order_uuid"))) {
      trade.reportForm("order_type", "FLAT, or absent, on FLAT_ALL without ids");
    }
    return given;
  },
};

/** Every kind of order, by its `execution_type`. */
export const ORDER_KINDS = {
  /** `order_type` distinguishes the two shapes: `FLAT` closes the position, a direction opens or adds. */
  MARKET: {
    name: "Market",
    schema: exclusive<[Wire<typeof MARKET_ORDER.schema>, Wire<typeof FLAT_ORDER.schema>]>(
      object("An order that fills immediately, or one that closes a position.", AT_MARKET.fields),
      MARKET_ORDER.schema,
      FLAT_ORDER.schema,
    ),
    shapes: { MarketOrder: MARKET_ORDER, FlatOrder: FLAT_ORDER },
    read: (trade) =>
      trade.peek("order_type") === "FLAT" ? FLAT_ORDER.read(trade) : MARKET_ORDER.read(trade),
  },
  LIMIT: singleShapeKind(
    "LimitOrder",
    orderShape(
      rowsAt("place", "LimitOrder"),
      "Stays pending until it can fill at its limit price or better.",
      {
        executionType: executionType("LIMIT", "Fills at the limit price or better."),
        ...LIMIT,
      },
    ),
  ),
  STOP_LIMIT: singleShapeKind(
    "StopLimitOrder",
    orderShape(
      rowsAt("place", "StopLimitOrder"),
      "Stays pending until the mid price reaches its stop price, then is a limit order.",
      {
        executionType: executionType("STOP_LIMIT", "A limit order that a stop price triggers."),
        ...STOP_LIMIT,
      },
    ),
  ),
  /** Attaches legs, at least one, to the pair's open position. */
  BRACKET: singleShapeKind(
    "BracketOrder",
    orderShape(rowsAt("place", "BracketOrder"), "Attaches legs to the pair's open position.", {
      executionType: executionType("BRACKET", "Legs for an open position."),
      ...BRACKET,
      legs: BRACKET_LEGS,
    }),
  ),
  LIMIT_CANCEL: singleShapeKind(
    "LimitCancel",
    orderShape(rowsByIds("cancel", "CancelById", "CancelAll"), "Cancels pending orders.", {
      executionType: executionType("LIMIT_CANCEL", "Cancels pending orders or legs."),
      target: requiredField("order_uuid", IDS),
      pair: pairOrNull("LIMIT_CANCEL: with `ALL`, cancels only the orders of this pair."),
      orderType: optionalField(
        "order_type",
        direction("LIMIT_CANCEL: not needed. If given: the direction of the orders with the ids."),
        null,
      ),
    }),
  ),
  /**
   * Replaces the whole order with its id by the fields of the body. The id of a leg makes the body a BRACKET of one
   * leg, so that a price field that legs do not have is reported first. For another id the fields distinguish the
   * shapes: a stop makes the order a STOP_LIMIT, a leg field without a limit price makes it a BRACKET of one leg, and
   * anything else makes it a LIMIT.
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
      object("The whole order with its changes, under the order's id.", EDIT.executionType.fields),
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
      if (isLegId(trade.peek("order_uuid"))) return LEG_EDIT.read(trade);
      if (trade.isGiven("stop_price") || trade.isGiven("stop_condition")) {
        return STOP_LIMIT_ORDER_EDIT.read(trade);
      }
      const isLeg = !trade.isGiven("limit_price") && namesLeg(trade);
      return isLeg ? LEG_EDIT.read(trade) : LIMIT_ORDER_EDIT.read(trade);
    },
  },
  FLAT_ALL: singleShapeKind(
    "FlatAll",
    orderShape(rowsByIds("close", "FlatPositions", "FlatAll", FLAT_ONLY), "Closes positions.", {
      executionType: executionType(
        "FLAT_ALL",
        "Closes all positions, or the positions with the given ids.",
      ),
      target: optionalField("order_uuid", IDS, "ALL"),
      pair: pairOrNull("FLAT_ALL: without ids, closes only the position of this pair."),
      orderType: CLOSED_DIRECTION,
      reduceOnly: CLOSES,
    }),
  ),
} as const satisfies Readonly<Record<ExecutionType, OrderKind>>;

type Kinds = typeof ORDER_KINDS;

/**
 * A valid order, with the words that the API uses for its values. Pairs are in canonical form, but may not exist in the
 * catalogue.
 */
export type OrderFields = {
  readonly [Type in keyof Kinds]: NonNullable<ReturnType<Kinds[Type]["read"]>>;
}[keyof Kinds];

/** The type of `trade` of each kind, as a client sends it. */
export type OrderBody = {
  readonly [Type in keyof Kinds]: Wire<Kinds[Type]["schema"]>;
}[keyof Kinds];

/** The type of `trade` of POST orders. @rule S4.2.fields */
export type OrderTrade = LegsInOnePlace<OrderBody>;

/** A LIMIT_EDIT: the order's id, and the fields that replace the order. */
export type EditFields = Extract<OrderFields, { readonly executionType: "LIMIT_EDIT" }>;

/** The name of any field of an order. */
export type OrderFieldName = OrderBody extends infer Trade
  ? Trade extends unknown
    ? keyof Trade
    : never
  : never;

/** The type of a field, over all kinds that have it. */
type FieldValue<Name extends string> = OrderBody extends infer Trade
  ? Trade extends { readonly [Key in Name]?: infer Value }
    ? Exclude<Value, undefined>
    : never
  : never;

/** `trade` before it is checked: a kind, with any fields of any kinds. */
export type UncheckedTrade = { readonly execution_type: ExecutionType } & {
  readonly [Name in Exclude<OrderFieldName, "execution_type">]?: FieldValue<Name>;
};

/** Reads a `trade` of this kind; undefined when a problem has been reported. */
export function readOrder(type: ExecutionType, trade: FieldReader): OrderFields | undefined {
  return ORDER_KINDS[type].read(trade);
}

/** The act of a parsed order. A MARKET with `FLAT` closes; every other order has the act of its kind. */
export function actOf(order: OrderFields): OrderAct {
  const isFlat = order.executionType === "MARKET" && order.orderType === "FLAT";
  return isFlat ? FLAT_ORDER.act : mainShape(order.executionType).act;
}

/** True for a kind whose orders open or protect a position. */
export function placesOrder(type: ExecutionType): boolean {
  return mainShape(type).act === "place";
}

/** The names of the fields that the kind's first shape reads, each with true when a body must have the field. */
export function fieldsOfKind(type: ExecutionType): ReadonlyMap<string, boolean> {
  const { fields, places } = mainShape(type);
  const read = Object.entries(fields).filter(([name]) =>
    places.some((place) => isRead(place, name)),
  );
  return new Map(read.map(([name, field]) => [name, !("optional" in field)]));
}

function mainShape(type: ExecutionType): OrderShape {
  const [main] = Object.values<OrderShape>(ORDER_KINDS[type].shapes);
  if (main === undefined) throw new Error(`broken invariant: ${type} has a shape`);
  return main;
}
