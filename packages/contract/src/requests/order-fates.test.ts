import { describe, expect, test } from "vitest";
import { parseCancelAllAfter } from "../dead-mans-switch/switch-request.ts";
import { isNullOnly } from "../schema.ts";
import { FATES, type FateRowName, isRead, REQUEST_FIELDS, rejectionText } from "./order-fates.ts";
import { ORDER_KINDS } from "./order-kinds.ts";
import type { OrderShape } from "./order-shape.ts";
import { parsePlaceOrder } from "./place-order.ts";

type Fields = Readonly<Record<string, unknown>>;

const ENTRY = { trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 } as const;
const LEG = { stop_loss: 90 } as const;

/** For each row of the table `FATES`, a body that the parser accepts. */
const BODIES: Readonly<Record<FateRowName, Fields>> = {
  MarketOrder: { execution_type: "MARKET", ...ENTRY },
  FlatOrder: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" },
  LimitOrder: { execution_type: "LIMIT", ...ENTRY, limit_price: 100 },
  StopLimitOrder: {
    execution_type: "STOP_LIMIT",
    ...ENTRY,
    limit_price: 100,
    stop_price: 99,
    stop_condition: "GTE",
  },
  BracketOrder: { execution_type: "BRACKET", trade_pair: "BTCUSD", ...LEG },
  LimitOrderEdit: { execution_type: "LIMIT_EDIT", order_uuid: "a", ...ENTRY, limit_price: 100 },
  StopLimitOrderEdit: {
    execution_type: "LIMIT_EDIT",
    order_uuid: "a",
    ...ENTRY,
    limit_price: 100,
    stop_price: 99,
    stop_condition: "GTE",
  },
  LegEdit: { execution_type: "LIMIT_EDIT", order_uuid: "a", trade_pair: "BTCUSD", ...LEG },
  CancelById: { execution_type: "LIMIT_CANCEL", order_uuid: "a,b" },
  CancelAll: { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" },
  FlatPositions: { execution_type: "FLAT_ALL", order_uuid: "a" },
  FlatAll: { execution_type: "FLAT_ALL" },
  OrderLeg: LEG,
  TrailingStop: { trailing_value: 1 },
  OrderRequest: {},
  SwitchRequest: { seconds: 5 },
};
const PLACES = Object.keys(FATES) as readonly FateRowName[];

/** The problem that the parser reports for a row's body with `added` fields; null when the parser accepts it. */
function problemAt(place: FateRowName, added: Fields): string | null {
  const fields = { ...BODIES[place], ...added };
  if (place === "SwitchRequest") {
    const parsed = parseCancelAllAfter(fields);
    return parsed.ok ? ignored(parsed) : parsed.message;
  }
  const parsed = parsePlaceOrder(bodyOf(place, fields));
  return parsed.ok ? ignored(parsed) : parsed.message;
}

function ignored({ ignoredFields }: { readonly ignoredFields: readonly string[] }): string | null {
  return ignoredFields.length === 0 ? null : `unread: ${ignoredFields.join()}`;
}

function bodyOf(place: FateRowName, fields: Fields): Fields {
  if (place === "OrderLeg") return { trade: { ...BODIES.MarketOrder, bracket_orders: [fields] } };
  if (place === "TrailingStop") return { trade: { ...BODIES.MarketOrder, trailing_stop: fields } };
  if (place === "OrderRequest") return { trade: BODIES.MarketOrder, ...fields };
  return { trade: fields };
}

const ROWS = PLACES.flatMap((place) =>
  REQUEST_FIELDS.map((field) => [place, field, FATES[place][field]] as const),
);
const PREFIX = "bracket_orders[0]: ";
/** Fields that turn an edit into an edit of another kind. */
const KIND_CHOOSING_FIELDS: Readonly<Partial<Record<FateRowName, readonly string[]>>> = {
  LimitOrderEdit: ["stop_price", "stop_condition"],
  LegEdit: ["limit_price", "stop_price", "stop_condition"],
};

describe("every field that the contract has in a request has a fate at every place [D13.fates]", () => {
  test.each(
    ROWS.filter(
      ([place, field, fate]) =>
        fate === "rejected" && !(KIND_CHOOSING_FIELDS[place] ?? []).includes(field),
    ),
  )("%s rejects %s and says where it belongs", (place, field) => {
    const prefix = place === "OrderLeg" ? PREFIX : "";
    for (const value of [1, "x", {}, []]) {
      expect(problemAt(place, { [field]: value })).toBe(prefix + rejectionText(place, field));
    }
    expect(problemAt(place, { [field]: null })).toBe(null);
  });

  test.each(ROWS.filter(([, , fate]) => fate === "false"))(
    "%s accepts %s only as false",
    (place, field) => {
      const prefix = place === "OrderLeg" ? PREFIX : "";
      expect(problemAt(place, { [field]: true })).toBe(prefix + rejectionText(place, field));
      expect(problemAt(place, { [field]: false })).toBe(null);
      expect(problemAt(place, { [field]: 0 })).toBe(`${prefix}'${field}' must be true or false`);
    },
  );

  test.each(ROWS.filter(([, , fate]) => fate === "alone"))(
    "%s rejects %s beside legs in a list",
    (place, field) => {
      const { stop_loss: _, ...fields } = BODIES[place];
      const trade = { ...fields, bracket_orders: [LEG], [field]: 1 };
      expect(parsePlaceOrder({ trade })).toMatchObject({
        message: `'${field}' must not be given beside 'bracket_orders'; put it in a leg`,
      });
    },
  );

  test.each(ROWS.filter(([, , fate]) => fate === "repeats"))(
    "%s reads %s, so that a wrong value is found",
    (place, field) => {
      const right = { accountId: "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11", trade_pair: "BTCUSD" };
      const values: Fields = { ...right, order_type: place === "FlatAll" ? "FLAT" : "LONG" };
      expect(problemAt(place, { [field]: values[field] ?? true })).toBe(null);
      // `accountId` is checked before the rest of the body, so the parser of the body does not report a wrong one.
      if (field !== "accountId") expect(problemAt(place, { [field]: {} })).toContain(`'${field}'`);
    },
  );

  test("a shape has exactly the fields that its rows read or compare", () => {
    const shapes: readonly OrderShape[] = Object.values(ORDER_KINDS).flatMap(({ shapes: all }) =>
      Object.values<OrderShape>(all),
    );
    for (const { fields, places } of shapes) {
      const own = Object.entries(fields).filter(([, field]) => {
        const { json } = "optional" in field ? field.optional : field;
        return !isNullOnly(json) && json.enum === undefined;
      });
      const due = REQUEST_FIELDS.filter((name) =>
        places.some((place) => isRead(place, name) || FATES[place][name] === "repeats"),
      );
      const words = Object.keys(fields).filter((name) => due.some((one) => one === name));
      expect(new Set([...own.map(([name]) => name), ...words, "accountId"])).toEqual(new Set(due));
    }
  });

  test.each([
    [
      "beside trade",
      { trade: { execution_type: "MARKET" }, stop_loss: 1 },
      "'stop_loss' belongs inside trade",
    ],
    ["without a trade", { execution_type: "MARKET" }, "'execution_type' belongs inside trade"],
    [
      "in trade",
      { trade: { execution_type: "LIMIT", stop_price: 5 } },
      rejectionText("LimitOrder", "stop_price"),
    ],
    [
      "in a leg",
      { trade: { execution_type: "LIMIT", bracket_orders: [{ limit_price: 5 }] } },
      `${PREFIX}${rejectionText("OrderLeg", "limit_price")}`,
    ],
    [
      "in a trailing stop",
      { trade: { execution_type: "BRACKET", trailing_stop: { quantity: 5 } } },
      rejectionText("TrailingStop", "quantity"),
    ],
  ])(
    "a field that does not belong is reported before one that is missing: %s",
    (_, body, message) => {
      expect(parsePlaceOrder(body)).toMatchObject({ ok: false, message });
    },
  );

  test("an order type says nothing on FLAT_ALL without ids, so a direction is rejected", () => {
    for (const order_uuid of [null, "ALL"]) {
      const trade = { execution_type: "FLAT_ALL", order_uuid, order_type: "SHORT" };
      expect(parsePlaceOrder({ trade })).toMatchObject({
        message: "'order_type' must be FLAT, or absent, on FLAT_ALL without ids",
      });
    }
    const named = { execution_type: "FLAT_ALL", order_uuid: "p", order_type: "SHORT" };
    expect(parsePlaceOrder({ trade: named })).toMatchObject({ order: { orderType: "SHORT" } });
  });

  test("a field at the wrong place is rejected in the words of the specification's fields", () => {
    expect(rejectionText("LimitOrder", "stop_price")).toBe(
      "'stop_price' must not be given with execution_type LIMIT; it belongs to STOP_LIMIT orders",
    );
    expect(rejectionText("SwitchRequest", "trade")).toBe(
      "'trade' must not be given with cancel-all-after; it belongs to the body of an order",
    );
    expect(rejectionText("CancelAll", "order_type")).toBe(
      "'order_type' must not be given with execution_type LIMIT_CANCEL and order_uuid ALL; 'trade_pair' is the only filter",
    );
  });
});
