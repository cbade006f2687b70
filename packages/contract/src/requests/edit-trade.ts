import type { AttachedLegItem } from "../resources/attached-leg.ts";
import type { PendingOrder } from "../resources/pending-order.ts";
import { SIZE_FIELDS } from "../words.ts";
import { fieldsOfKind, type OrderFieldName, type UncheckedTrade } from "./order-kinds.ts";
import { ORDER_LEG, type OrderLeg } from "./order-legs.ts";

/* LIMIT_EDIT replaces a whole order, so a client that changes one field has to send the other fields again. A
   pending order is listed with the names of its fields in camel case: `limit_price` is its `limitPrice`. */

/** The fields of an order that a client changes, with their new values. */
export type ChangedFields = Partial<Omit<UncheckedTrade, "execution_type">>;

/** The fields of a pending order that a client changes, and the ones that it removes. */
export interface OrderChange {
  /**
   * A new size, in any unit, replaces the order's size. A new trailing distance, in percent or as a value, replaces the
   * order's distance.
   */
  readonly fields: ChangedFields;
  /** The stops, targets and trailing stops to remove. */
  readonly removed?: readonly ("stop_loss" | "take_profit" | "trailing_stop")[];
}

/** The `trade` of a LIMIT_EDIT with the change, or why the change is not possible. */
export type EditedTrade =
  | { readonly trade: UncheckedTrade }
  /** A field that this kind of order does not have. */
  | { readonly misplaced: OrderFieldName }
  /** The number of the order's legs, when the change does not choose one of them. */
  | { readonly legs: number };

type Values = Readonly<Record<string, unknown>>;

/** Groups of fields. An order has at most one field of each group. */
const SIZE_GROUP: readonly string[] = [...SIZE_FIELDS, "bracket_pct"];
const TRAILING_GROUP: readonly string[] = ["trailing_percent", "trailing_value"];
const TRIGGERS: readonly string[] = ["stop_loss", "take_profit", "trailing_stop"];

/**
 * Returns the `trade` of a LIMIT_EDIT that changes a pending order or leg and keeps its id and its other fields.
 * Otherwise returns why the change is not possible. @rule S4.2.fields
 */
export function editTrade(
  listed: PendingOrder,
  { fields, removed = [] }: OrderChange,
): EditedTrade {
  const kind = fieldsOfKind(listed.executionType);
  const given = omitFields(fields, []);
  const misplaced = namesOf(fields).find((name) => name in given && !kind.has(name));
  if (misplaced !== undefined) return { misplaced };
  const isLeg = listed.executionType === "BRACKET";
  const ofLeg = isLeg ? [...TRIGGERS, ...SIZE_GROUP] : TRIGGERS;
  const before = isLeg ? [toOrderLeg(listed)] : (listed.bracketOrders ?? []).map(toOrderLeg);
  const legs = fields.bracket_orders ?? legsAfter(before, pickFields(given, ofLeg), removed);
  if (legs === null) return { legs: before.length };
  const names = [...kind.keys()].filter((name) => ![...ofLeg, "bracket_orders"].includes(name));
  return {
    trade: {
      ...applyChanges(listedFields(listed, names), pickFields(given, names), []),
      execution_type: "LIMIT_EDIT",
      order_uuid: listed.orderUuid,
      ...(legs.length === 0 ? {} : { bracket_orders: legs }),
    },
  };
}

/**
 * The legs after a change. Null when the change concerns a leg and the order has several, because the change does not
 * choose one of them.
 */
function legsAfter(
  legs: readonly OrderLeg[],
  change: Values,
  removed: readonly string[],
): readonly OrderLeg[] | null {
  const { trailing_stop, ...values } = change;
  if (Object.keys(change).length === 0 && removed.length === 0) return legs;
  if (legs.length > 1) return null;
  const leg = applyChanges({ ...legs[0] }, { ...values, ...Object(trailing_stop) }, removed);
  return Object.keys(leg).length === 0 ? [] : [leg];
}

/** A listed leg in the form in which a client sends it. */
function toOrderLeg(leg: Omit<AttachedLegItem, "orderUuid">): OrderLeg {
  const { properties } = ORDER_LEG.json;
  return listedFields(leg, Object.keys(Object(properties)));
}

/**
 * The values that a listed order or leg has for the fields with these names. A field whose value is null is left out.
 */
function listedFields(listed: object, names: readonly string[]): Values {
  const values = new Map<string, unknown>(Object.entries(listed));
  return omitFields(
    Object.fromEntries(names.map((name) => [name, values.get(camelCase(name))])),
    [],
  );
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The values after the changes, without the fields in `removed`. A changed size or trailing distance replaces the other
 * fields of its group. Removing `trailing_stop` removes the trailing distance.
 */
function applyChanges(values: Values, changes: Values, removed: readonly string[]): Values {
  const replaced = [SIZE_GROUP, TRAILING_GROUP].filter((group) =>
    group.some((name) => name in changes),
  );
  const dropped = removed.includes("trailing_stop") ? TRAILING_GROUP : [];
  return { ...omitFields(values, [...replaced.flat(), ...removed, ...dropped]), ...changes };
}

function pickFields(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** The values without the fields with these names, and without values that are null or undefined. */
function omitFields(values: Values, names: readonly string[]): Values {
  const kept = Object.entries(values).filter(
    ([name, value]) => !names.includes(name) && value !== null && value !== undefined,
  );
  return Object.fromEntries(kept);
}

function namesOf(fields: ChangedFields): readonly (keyof ChangedFields)[] {
  // `Object.keys` has the type `string[]`, but the names are those of `ChangedFields`.
  return Object.keys(fields) as (keyof ChangedFields)[];
}
