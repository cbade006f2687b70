import { LIMITS } from "../limits.ts";
import {
  type JsonSchema,
  list,
  literal,
  number,
  object,
  optional,
  type Schema,
  string,
  union,
  type Wire,
  word,
} from "../schema.ts";
import { ORDER_TYPES, POSITION_TYPES, SIZE_FIELDS, STOP_CONDITIONS } from "../words.ts";

/** One of the three sizes, never two: the compiler says so as the service would. */
export type OneSize =
  | { readonly leverage: number; readonly value?: never; readonly quantity?: never }
  | { readonly value: number; readonly leverage?: never; readonly quantity?: never }
  | { readonly quantity: number; readonly leverage?: never; readonly value?: never };

const amount = (description: string): Schema<number> =>
  number(description, { exclusiveMinimum: 0, maximum: LIMITS.orderAmountMax });

const SIZES = {
  leverage: optional(amount("Size as a multiple of the balance.")),
  value: optional(amount("Size in USD.")),
  quantity: optional(amount("Size in the pair's lot unit.")),
} as const;
const EXACTLY_ONE_SIZE: JsonSchema = {
  oneOf: SIZE_FIELDS.map((name) => ({ required: [name] })),
};

const PERCENT = number("A share of the price.", { exclusiveMinimum: 0, exclusiveMaximum: 1 });
const DISTANCE = amount("A distance in price units.");
const SHARE = number("Share of the open position.", { exclusiveMinimum: 0, maximum: 1 });
const LEVELS = {
  stop_loss: optional(amount("Price. LONG: below the entry; SHORT: above.")),
  take_profit: optional(amount("Price. LONG: above the entry; SHORT: below.")),
} as const;

/** A schema that fails when two of these properties are given. */
function atMostOneOf(names: readonly string[]): JsonSchema {
  const pairs = names.flatMap((one, at) =>
    names.slice(at + 1).map((other) => ({ required: [one, other] })),
  );
  return { not: { anyOf: pairs } };
}

const LEG_SIZE_RULE = atMostOneOf([...SIZE_FIELDS, "bracket_pct"]);

const LEG = object(
  "A stop, a target or a trailing stop, at least one of them; without a size for the whole position.",
  {
    ...LEVELS,
    trailing_percent: optional(PERCENT),
    trailing_value: optional(DISTANCE),
    ...SIZES,
    bracket_pct: optional(SHARE),
  },
  {
    anyOf: ["stop_loss", "take_profit", "trailing_percent", "trailing_value"].map((name) => ({
      required: [name],
    })),
    allOf: [LEG_SIZE_RULE, atMostOneOf(["trailing_percent", "trailing_value"])],
  },
);
export type OrderLeg = Wire<typeof LEG>;

const LEGS = {
  ...LEVELS,
  trailing_stop: optional(
    union<[{ readonly trailing_percent: number }, { readonly trailing_value: number }]>(
      "A stop that follows the best price.",
      object("By a share of the price.", { trailing_percent: PERCENT }, without("trailing_value")),
      object("By a distance.", { trailing_value: DISTANCE }, without("trailing_percent")),
    ),
  ),
  bracket_orders: optional(
    list(LEG, "Several legs; wins over the three fields above.", {
      maxItems: LIMITS.bracketLegsMax,
    }),
  ),
} as const;

function without(name: string): JsonSchema {
  return { not: { required: [name] } };
}

const PAIR = string("Pair identifier; `BTCUSD`, `btc/usd` and the like.", {
  minLength: 1,
  maxLength: LIMITS.pairNameCharactersMax,
});
const DIRECTION = word(POSITION_TYPES, "Direction.");
const ID = string("The order's id.", { pattern: "^[A-Za-z0-9_-]{1,100}$" });
const IDS = string("Ids with commas between them, or `ALL`.", { minLength: 1 });
const LIMIT_PRICE = amount("The worst price to fill at.");
const STOP = {
  stop_price: amount("Mid price that makes it a limit order."),
  stop_condition: word(STOP_CONDITIONS, "`GTE`: at or above the stop; `LTE`: at or below."),
} as const;
const ENTRY = { trade_pair: PAIR, order_type: DIRECTION, ...SIZES, ...LEGS } as const;

const LIMIT_ENTRY = { ...ENTRY, limit_price: LIMIT_PRICE } as const;
const TOP_LEVEL_LEG = ["stop_loss", "take_profit", "trailing_stop"] as const;
const BRACKET_ENTRY = {
  trade_pair: PAIR,
  order_type: optional(word(ORDER_TYPES, "Without effect: the position's direction counts.")),
  ...LEGS,
  ...SIZES,
  bracket_pct: optional(SHARE),
} as const;
const BRACKET_RULES: JsonSchema = {
  anyOf: [
    ...TOP_LEVEL_LEG.map((name) => ({ required: [name] })),
    { required: ["bracket_orders"], properties: { bracket_orders: { minItems: 1 } } },
  ],
  allOf: [LEG_SIZE_RULE],
};

/** Gives a described order its one size also in the type. */
function sized<Order>(schema: Schema<Order>): Schema<Order & OneSize> {
  return { json: { ...schema.json, ...EXACTLY_ONE_SIZE } };
}

const EDIT = {
  execution_type: literal("LIMIT_EDIT", "Replaces a resting order; send all of it again."),
  order_uuid: ID,
} as const;

const MARKET = sized(
  object("Fills at once.", { execution_type: literal("MARKET", "At the market."), ...ENTRY }),
);
const FLAT = object(
  "Closes the pair's position.",
  {
    execution_type: literal("MARKET", "At the market."),
    trade_pair: PAIR,
    order_type: literal("FLAT", "Without a size."),
  },
  { not: { anyOf: SIZE_FIELDS.map((name) => ({ required: [name] })) } },
);
const LIMIT = sized(
  object("Rests until its price comes.", {
    execution_type: literal("LIMIT", "At a price or better."),
    ...LIMIT_ENTRY,
  }),
);
const STOP_LIMIT = sized(
  object("Rests until its stop is passed, then is a limit order.", {
    execution_type: literal("STOP_LIMIT", "A limit order behind a stop."),
    ...LIMIT_ENTRY,
    ...STOP,
  }),
);
const BRACKET = object(
  "Attaches legs to the pair's open position.",
  { execution_type: literal("BRACKET", "Legs for a position."), ...BRACKET_ENTRY },
  BRACKET_RULES,
);
const EDIT_LIMIT = sized(object("A limit order's new form.", { ...EDIT, ...LIMIT_ENTRY }));
const EDIT_STOP_LIMIT = sized(
  object("A stop-limit order's new form.", { ...EDIT, ...LIMIT_ENTRY, ...STOP }),
);
const EDIT_LEG = object(
  "A leg's new form.",
  { ...EDIT, ...BRACKET_ENTRY },
  {
    ...BRACKET_RULES,
    not: { anyOf: [{ required: ["limit_price"] }, { required: ["stop_price"] }] },
  },
);
const CANCEL = object("Cancels resting orders.", {
  execution_type: literal("LIMIT_CANCEL", "Cancels."),
  order_uuid: IDS,
  trade_pair: optional(PAIR),
});
const FLATTEN = object("Closes positions.", {
  execution_type: literal("FLAT_ALL", "Closes every position, or those named."),
  order_uuid: optional(IDS),
});

/** `trade` of POST orders. @rule S4.2.fields */
export const ORDER_TRADE = union<
  [
    Wire<typeof MARKET>,
    Wire<typeof FLAT>,
    Wire<typeof LIMIT>,
    Wire<typeof STOP_LIMIT>,
    Wire<typeof BRACKET>,
    Wire<typeof EDIT_LIMIT>,
    Wire<typeof EDIT_STOP_LIMIT>,
    Wire<typeof EDIT_LEG>,
    Wire<typeof CANCEL>,
    Wire<typeof FLATTEN>,
  ]
>(
  "One order; its kind is `execution_type`. Unknown fields are ignored.",
  MARKET,
  FLAT,
  LIMIT,
  STOP_LIMIT,
  BRACKET,
  EDIT_LIMIT,
  EDIT_STOP_LIMIT,
  EDIT_LEG,
  CANCEL,
  FLATTEN,
);
export type OrderTrade = Wire<typeof ORDER_TRADE>;

/** The body of POST orders. */
export const ORDER_REQUEST = object("An order.", {
  accountId: optional(string("Must be the bound account, when given.", { format: "uuid" })),
  trade: ORDER_TRADE,
});
export type OrderRequest = Wire<typeof ORDER_REQUEST>;

/** The body of POST orders, kind of act by kind of act: what places. */
export const ENTRY_REQUEST = object("An order that opens or protects a position.", {
  trade: union<
    [Wire<typeof MARKET>, Wire<typeof LIMIT>, Wire<typeof STOP_LIMIT>, Wire<typeof BRACKET>]
  >("One order; its kind is `execution_type`.", MARKET, LIMIT, STOP_LIMIT, BRACKET),
});

/** What edits. */
export const EDIT_REQUEST = object("A resting order's new form.", {
  trade: union<[Wire<typeof EDIT_LIMIT>, Wire<typeof EDIT_STOP_LIMIT>, Wire<typeof EDIT_LEG>]>(
    "The whole order again, under the id it has.",
    EDIT_LIMIT,
    EDIT_STOP_LIMIT,
    EDIT_LEG,
  ),
});

/** What cancels. */
export const CANCEL_REQUEST = object("Resting orders to cancel.", { trade: CANCEL });

/** What closes positions. */
export const CLOSE_REQUEST = object("Positions to close.", {
  trade: union<[Wire<typeof FLATTEN>, Wire<typeof FLAT>]>(
    "Every position or those named by id, or one pair's.",
    FLATTEN,
    FLAT,
  ),
});
