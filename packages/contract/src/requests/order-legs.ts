import { LIMITS } from "../limits.ts";
import {
  anyField,
  list,
  object,
  omittable,
  onlyOneField,
  type Schema,
  type Wire,
  withRules,
} from "../schema.ts";
import { type PositionType, SIZE_FIELDS } from "../words.ts";
import { fatesRule } from "./fate-check.ts";
import type { FieldReader } from "./field-reader.ts";
import type { Part } from "./order-part.ts";
import { type OrderSize, SIZES } from "./order-size.ts";
import { amount, share } from "./order-values.ts";

/**
 * A leg's size: a size as an order has it, or `bracket_pct`, a share of the position as if no leg of the same request
 * had filled.
 */
export interface LegSizeFields {
  readonly field: OrderSize["field"] | "bracket_pct";
  readonly amount: number;
}

/** The distance of a trailing stop as sent, in percent or as a value. */
export interface TrailingFields {
  readonly field: "trailing_percent" | "trailing_value";
  readonly amount: number;
}

/** A leg to attach: a stop, a target, a trailing stop or several of them. */
export interface LegFields {
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailing: TrailingFields | null;
  /** The size that the leg closes; null for the whole position. */
  readonly size: LegSizeFields | null;
}

const STOP_LOSS = amount(
  "Stop price. LONG: below the entry; SHORT: above. A leg without a size closes the whole position.",
);
const TAKE_PROFIT = amount(
  "Target price. LONG: above the entry; SHORT: below. A leg without a size closes the whole position.",
);
const PERCENT = share("Distance as a share of the price: 0.02 is 2 %.", "exclusiveMaximum");
const DISTANCE = amount("Distance in price units.");
const BRACKET_PCT = share(
  "Share of the position before any of its legs filled: 0.5 is a half.",
  "maximum",
);

const LEVELS = {
  stop_loss: omittable(STOP_LOSS.schema),
  take_profit: omittable(TAKE_PROFIT.schema),
} as const;
const TRAILING = {
  trailing_percent: omittable(PERCENT.schema),
  trailing_value: omittable(DISTANCE.schema),
} as const;
const LEG_SIZES = {
  leverage: omittable(SIZES.leverage.schema),
  value: omittable(SIZES.value.schema),
  quantity: omittable(SIZES.quantity.schema),
  bracket_pct: omittable(BRACKET_PCT.schema),
} as const;

const TRAILING_FIELDS = ["trailing_percent", "trailing_value"] as const;
const LEG_SIZE_FIELDS = [...SIZE_FIELDS, "bracket_pct"] as const;
const TOP_LEVEL_LEG = ["stop_loss", "take_profit", "trailing_stop"] as const;
const LISTED_TRIGGERS = ["stop_loss", "take_profit", ...TRAILING_FIELDS] as const;
const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

/** The rule that a leg has at most one size. */
export const LEG_SIZE = onlyOneField(
  "At most one of `leverage`, `value`, `quantity` and `bracket_pct`; without one, the whole position.",
  LEG_SIZES,
);

/** An item of `bracket_orders`. */
export const ORDER_LEG = withRules(
  object(
    "A stop, a target or a trailing stop.",
    { ...LEVELS, ...TRAILING, ...LEG_SIZES },
    fatesRule([{ place: "OrderLeg" }]),
  ),
  anyField("At least one of `stop_loss`, `take_profit` and a trailing distance.", {
    stop_loss: STOP_LOSS.schema,
    take_profit: TAKE_PROFIT.schema,
    trailing_percent: PERCENT.schema,
    trailing_value: DISTANCE.schema,
  }),
  onlyOneField("At most one of `trailing_percent` and `trailing_value`.", TRAILING),
  LEG_SIZE,
);
export type OrderLeg = Wire<typeof ORDER_LEG>;

/** `trailing_stop` of an order: the distance of a stop that follows the best price. */
export const TRAILING_STOP: Schema<
  { readonly trailing_percent: number } | { readonly trailing_value: number }
> = {
  json: {
    ...onlyOneField("A stop that follows the best price. Exactly one distance.", {
      trailing_percent: PERCENT.schema,
      trailing_value: DISTANCE.schema,
    }).json,
    ...fatesRule([{ place: "TrailingStop" }]),
  },
};
export type TrailingStop = Wire<typeof TRAILING_STOP>;

const listedLegs = (keywords: { readonly minItems?: number; readonly maxItems: number }) =>
  list(ORDER_LEG, "Several legs; excludes the fields of a single leg.", keywords);
const legFields = (maxItems: number) =>
  ({
    ...LEVELS,
    trailing_stop: omittable(TRAILING_STOP),
    bracket_orders: omittable(listedLegs({ maxItems })),
  }) as const;

/** The rule that a BRACKET has at least one stop, target or leg. */
export const BRACKET_TRIGGER = anyField(
  "At least one of `stop_loss`, `take_profit`, `trailing_stop` and a leg.",
  {
    stop_loss: STOP_LOSS.schema,
    take_profit: TAKE_PROFIT.schema,
    trailing_stop: TRAILING_STOP,
    bracket_orders: listedLegs({ minItems: 1, maxItems: LIMITS.bracketLegsMax }),
  },
);

type Legs = readonly LegFields[];

type OwnLeg = (typeof TOP_LEVEL_LEG)[number];
type OwnLegAndSize = OwnLeg | (typeof LEG_SIZE_FIELDS)[number];
type InOnePlace<Own extends string> =
  | { readonly bracket_orders?: null }
  | ({ readonly bracket_orders: readonly OrderLeg[] } & { readonly [Name in Own]?: null });

/** A body that has its legs in `bracket_orders` or in fields of its own, but not in both. @rule D13.fates */
export type LegsInOnePlace<Body> = Body extends unknown
  ? "bracket_orders" extends keyof Body
    ? Body & InOnePlace<"bracket_pct" extends keyof Body ? OwnLegAndSize : OwnLeg>
    : Body
  : never;

/**
 * The legs of an entry order: those of `bracket_orders`, or one leg in its top-level fields, but not both. An entry may
 * have no leg. @rule D5.legs D13.fates
 */
export const ENTRY_LEGS: Part<ReturnType<typeof legFields>, Legs> = {
  fields: legFields(LIMITS.bracketLegsMax),
  rules: [],
  read: readEntryLegs,
};

const BRACKET_FIELDS = { ...legFields(LIMITS.bracketLegsMax), ...LEG_SIZES } as const;

/** The legs of a BRACKET, at least one. The body may have the size of a leg in top-level fields too. */
export const BRACKET_LEGS: Part<typeof BRACKET_FIELDS, Legs> = {
  fields: BRACKET_FIELDS,
  rules: [BRACKET_TRIGGER, LEG_SIZE],
  read: readBracketLegs,
};

/** The one leg of a LIMIT_EDIT that edits a leg. */
export const EDITED_LEG: Part<typeof BRACKET_FIELDS, Legs> = {
  ...BRACKET_LEGS,
  fields: { ...legFields(1), ...LEG_SIZES },
  read: (trade) => {
    const legs = readBracketLegs(trade);
    if (legs.length > 1) trade.report("'bracket_orders' must have one leg when a leg is edited");
    return legs;
  },
};

/** True when the trade has a leg in its top-level fields, or `bracket_orders`. */
export function namesLeg(trade: FieldReader): boolean {
  return [...TOP_LEVEL_LEG, "bracket_orders"].some((name) => trade.isGiven(name));
}

function readEntryLegs(trade: FieldReader): Legs {
  const given = trade.peek("order_type");
  const direction = given === "LONG" || given === "SHORT" ? given : null;
  const top = readTopLevelLeg(trade);
  const listed = readListedLegs(trade, direction);
  if (listed.length > 0) return listed;
  if (!hasTrigger(top)) return [];
  checkSides(trade, top, direction);
  return [top];
}

function readBracketLegs(trade: FieldReader): Legs {
  const top = { ...readTopLevelLeg(trade), size: readLegSize(trade) };
  // A BRACKET has the direction of its position, which only the network knows, so no direction is checked here.
  const listed = readListedLegs(trade, null);
  if (listed.length > 0) return listed;
  if (trade.isGiven("bracket_orders") && !hasTrigger(top)) {
    trade.report("'bracket_orders' must have at least one leg");
  }
  requireTrigger(trade, top, TOP_LEVEL_LEG);
  checkSides(trade, top, null);
  return [top];
}

function readTopLevelLeg(trade: FieldReader): LegFields {
  return {
    stopLoss: STOP_LOSS.read(trade, "stop_loss"),
    takeProfit: TAKE_PROFIT.read(trade, "take_profit"),
    trailing: readTrailingStop(trade),
    size: null,
  };
}

function readTrailingStop(trade: FieldReader): TrailingFields | null {
  const inside = trade.object("trailing_stop");
  if (inside === null) return null;
  const given = TRAILING_FIELDS.filter((name) => inside.isGiven(name));
  if (given.length !== 1) {
    trade.report(`'trailing_stop' must have exactly one of ${quoted(TRAILING_FIELDS)}`);
  }
  return readTrailing(inside);
}

function readTrailing(fields: FieldReader): TrailingFields | null {
  const percent = PERCENT.read(fields, "trailing_percent");
  const value = DISTANCE.read(fields, "trailing_value");
  if (percent !== null) return { field: "trailing_percent", amount: percent };
  return value === null ? null : { field: "trailing_value", amount: value };
}

/**
 * The legs of `bracket_orders`; empty when it is absent or not a list. `direction` is the order's direction; null when
 * the order has no valid direction.
 */
function readListedLegs(trade: FieldReader, direction: PositionType | null): Legs {
  const readers = trade.objects("bracket_orders");
  if (readers === null) return [];
  if (readers.length > LIMITS.bracketLegsMax) {
    trade.report(`'bracket_orders' must have at most ${LIMITS.bracketLegsMax} legs`);
  }
  return readers.map((one) => readListedLeg(one, direction));
}

function readListedLeg(fields: FieldReader, direction: PositionType | null): LegFields {
  const stopLoss = STOP_LOSS.read(fields, "stop_loss");
  const takeProfit = TAKE_PROFIT.read(fields, "take_profit");
  requireAtMostOne(fields, TRAILING_FIELDS);
  const trailing = readTrailing(fields);
  const leg: LegFields = { stopLoss, takeProfit, trailing, size: readLegSize(fields) };
  requireTrigger(fields, leg, LISTED_TRIGGERS);
  checkSides(fields, leg, direction);
  return leg;
}

function readLegSize(fields: FieldReader): LegSizeFields | null {
  requireAtMostOne(fields, LEG_SIZE_FIELDS);
  for (const field of SIZE_FIELDS) {
    const size = SIZES[field].read(fields, field);
    if (size !== null) return { field, amount: size };
  }
  const part = BRACKET_PCT.read(fields, "bracket_pct");
  return part === null ? null : { field: "bracket_pct", amount: part };
}

function requireAtMostOne(fields: FieldReader, names: readonly string[]): void {
  const given = names.filter((name) => fields.isGiven(name));
  if (given.length > 1) fields.report(`only one of ${quoted(names)} may be given`);
}

function hasTrigger(leg: LegFields): boolean {
  return leg.stopLoss !== null || leg.takeProfit !== null || leg.trailing !== null;
}

function requireTrigger(fields: FieldReader, leg: LegFields, names: readonly string[]): void {
  if (!hasTrigger(leg)) fields.report(`at least one of ${quoted(names)} must be provided`);
}

/**
 * Reports a leg whose stop and target are equal, or on the wrong sides of each other: LONG has stop < target, SHORT
 * target < stop. Only the network knows whether stop and target are on the right sides of the entry's price.
 * @rule D5.legSides
 */
function checkSides(
  fields: FieldReader,
  { stopLoss, takeProfit }: LegFields,
  direction: PositionType | null,
): void {
  if (stopLoss === null || takeProfit === null) return;
  if (stopLoss === takeProfit) fields.report("'stop_loss' and 'take_profit' must differ");
  if (direction === null) return;
  const side = direction === "LONG" ? "below" : "above";
  const isOnSide = side === "below" ? stopLoss < takeProfit : stopLoss > takeProfit;
  if (!isOnSide) fields.report(`'stop_loss' must be ${side} 'take_profit' on a ${direction} order`);
}
