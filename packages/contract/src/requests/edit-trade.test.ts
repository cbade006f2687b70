import { describe, expect, test } from "vitest";
import { PENDING_ORDERS } from "../examples/listings.ts";
import { PENDING_ORDER, type PendingOrder } from "../resources/pending-order.ts";
import { RESTING_EXECUTION_TYPES } from "../words.ts";
import { type ChangedFields, editTrade } from "./edit-trade.ts";
import { fieldsOfKind } from "./order-kinds.ts";
import { ORDER_LEG } from "./order-legs.ts";
import { parsePlaceOrder } from "./place-order.ts";

const [LEG, LIMIT] = PENDING_ORDERS as readonly [PendingOrder, PendingOrder];
const NO_LEG = { ...LEG, orderUuid: null, stopLoss: null, takeProfit: null };
const STOP = { ...NO_LEG, stopLoss: 2_800 };
const HALF = { ...NO_LEG, takeProfit: 3_100, bracketPct: 0.5 };

/** The edited trade, after a check that the service's parser accepts it. */
function edited(order: PendingOrder, fields: ChangedFields, ...removed: "stop_loss"[]): object {
  const result = editTrade(order, { fields, removed });
  if (!("trade" in result)) throw new Error(JSON.stringify(result));
  expect(parsePlaceOrder({ trade: result.trade })).toMatchObject({ ok: true, ignoredFields: [] });
  return result.trade;
}

describe("an edit sends the whole order again [S4.2.fields]", () => {
  const id = { execution_type: "LIMIT_EDIT", order_uuid: LIMIT.orderUuid };
  const entry = { trade_pair: "ETHUSD", order_type: "LONG", reduce_only: false };

  test("an edit of one field keeps all other fields of a limit order, its stop included", () => {
    expect(edited(LIMIT, { limit_price: 2_950 })).toEqual({
      ...id,
      ...entry,
      value: 10_000,
      limit_price: 2_950,
      bracket_orders: [{ stop_loss: 2_800 }],
    });
  });

  test("a new size replaces the old one, and a new trigger joins the only leg", () => {
    expect(edited(LIMIT, { quantity: 3, trailing_stop: { trailing_value: 50 } })).toEqual({
      ...id,
      ...entry,
      quantity: 3,
      limit_price: 2_900,
      bracket_orders: [{ stop_loss: 2_800, trailing_value: 50 }],
    });
  });

  test("a removed stop leaves an order without legs", () => {
    expect(edited(LIMIT, {}, "stop_loss")).toEqual({
      ...id,
      ...entry,
      value: 10_000,
      limit_price: 2_900,
    });
  });

  test("a stop-limit order keeps its stop and its side of the stop", () => {
    const order = {
      ...LIMIT,
      executionType: "STOP_LIMIT",
      stopPrice: 2_950,
      stopCondition: "GTE",
    } as const;
    expect(edited(order, { stop_price: 2_960 })).toMatchObject({
      stop_price: 2_960,
      stop_condition: "GTE",
      limit_price: 2_900,
    });
  });

  test("an edited leg keeps its other trigger, and a new share replaces its size", () => {
    const order = { ...LEG, quantity: 0.25 };
    expect(edited(order, { stop_loss: 87_000, bracket_pct: 0.5 })).toEqual({
      execution_type: "LIMIT_EDIT",
      order_uuid: LEG.orderUuid,
      trade_pair: "BTCUSD",
      bracket_orders: [{ stop_loss: 87_000, take_profit: 95_000, bracket_pct: 0.5 }],
    });
  });

  test("several legs are kept or replaced together", () => {
    const order = { ...LIMIT, bracketOrders: [STOP, HALF] };
    expect(edited(order, { limit_price: 2_950 })).toMatchObject({
      bracket_orders: [{ stop_loss: 2_800 }, { take_profit: 3_100, bracket_pct: 0.5 }],
    });
    expect(edited(order, { bracket_orders: [{ stop_loss: 2_700 }] })).toMatchObject({
      bracket_orders: [{ stop_loss: 2_700 }],
    });
    expect(editTrade(order, { fields: { stop_loss: 2_700 } })).toEqual({ legs: 2 });
  });

  test.each<[string, PendingOrder, ChangedFields, string]>([
    ["a limit price on a leg", LEG, { limit_price: 1 }, "limit_price"],
    ["a share on an order", LIMIT, { bracket_pct: 0.5 }, "bracket_pct"],
    ["a stop price on a limit order", LIMIT, { stop_price: 1 }, "stop_price"],
  ])("%s is misplaced", (_, order, fields, misplaced) => {
    expect(editTrade(order, { fields })).toEqual({ misplaced });
  });
});

/** Fields that a pending order lists in another form: the kind in `executionType`, and legs one by one. */
const IN_LEGS = ["execution_type", "trailing_stop", "bracket_orders"];
const camelCase = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

test.each(RESTING_EXECUTION_TYPES)("every field of a %s order is listed in camel case", (type) => {
  const listed = Object.keys(Object(PENDING_ORDER.json.properties));
  const names = [...fieldsOfKind(type).keys(), ...Object.keys(Object(ORDER_LEG.json.properties))];
  const kept = names.filter((name) => !IN_LEGS.includes(name));
  expect(kept.filter((name) => !listed.includes(camelCase(name)))).toEqual([]);
});
