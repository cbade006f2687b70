/* The table of fates: how the service treats each known request field in each kind of body and in each object inside a
   body, such as a leg. The parser, the published schema, the options of the command line, the agents' tools and the
   documentation are made from it. The code does not compile when a field lacks a fate in one of the rows.
   @rule D13.fates */

import type { RestingExecutionType } from "../words.ts";

/** The names of all fields that a request can have, in its body or in an object inside it. */
export const REQUEST_FIELDS = [
  "accountId",
  "trade",
  "execution_type",
  "trade_pair",
  "order_type",
  "order_uuid",
  "quantity",
  "value",
  "leverage",
  "bracket_pct",
  "limit_price",
  "stop_price",
  "stop_condition",
  "stop_loss",
  "take_profit",
  "trailing_stop",
  "bracket_orders",
  "trailing_percent",
  "trailing_value",
  "reduce_only",
  "seconds",
  "action",
] as const;
export type RequestField = (typeof REQUEST_FIELDS)[number];

/**
 * How a request field is treated in one kind of body or inner object. It is not the fate of an order. Null counts as
 * absent everywhere.
 */
export type Fate =
  | "read"
  /** Read, but rejected beside `bracket_orders` with a leg. */
  | "alone"
  /** Accepted when its value agrees with the rest of the request; rejected when it contradicts it. */
  | "repeats"
  /** False, the default, is accepted; true is rejected. */
  | "false"
  | "rejected";

type FateRow = Readonly<Record<RequestField, Fate>>;

/** The name of the row for bodies that place a pending or market order: `StopLimitOrder` for `STOP_LIMIT`. */
type PlaceOfKind<Word extends string> = `${InWords<Word>}Order`;
type InWords<Word extends string> = Word extends `${infer First}_${infer Rest}`
  ? `${InWords<First>}${InWords<Rest>}`
  : Capitalize<Lowercase<Word>>;

const sizes = <const Of extends Fate>(fate: Of) =>
  ({ quantity: fate, value: fate, leverage: fate }) as const;
const levels = <const Of extends Fate>(fate: Of) =>
  ({ stop_loss: fate, take_profit: fate }) as const;
const distances = <const Of extends Fate>(fate: Of) =>
  ({ trailing_percent: fate, trailing_value: fate }) as const;
const stop = <const Of extends Fate>(fate: Of) =>
  ({ stop_price: fate, stop_condition: fate }) as const;
const switchFields = <const Of extends Fate>(fate: Of) =>
  ({ seconds: fate, action: fate }) as const;

/** The fates that are the same in every `trade`. */
const TRADE = {
  accountId: "repeats",
  trade: "rejected",
  execution_type: "read",
  ...distances("rejected"),
  ...switchFields("rejected"),
} as const;

const ENTRY = {
  ...TRADE,
  trade_pair: "read",
  order_type: "read",
  order_uuid: "rejected",
  ...sizes("read"),
  bracket_pct: "rejected",
  ...levels("alone"),
  trailing_stop: "alone",
  bracket_orders: "read",
} as const;

const BRACKET = {
  ...ENTRY,
  order_type: "repeats",
  ...sizes("alone"),
  bracket_pct: "alone",
  limit_price: "rejected",
  ...stop("rejected"),
  reduce_only: "repeats",
} as const;

/** The fates of a `trade` without a size, a price or a leg, which closes or cancels. */
const TRADE_WITHOUT_SIZE = {
  ...TRADE,
  ...sizes("rejected"),
  bracket_pct: "rejected",
  limit_price: "rejected",
  ...stop("rejected"),
  ...levels("rejected"),
  trailing_stop: "rejected",
  bracket_orders: "rejected",
} as const;

/** The fates in objects other than a `trade`. */
const NOT_IN_TRADE = {
  ...TRADE_WITHOUT_SIZE,
  accountId: "rejected",
  execution_type: "rejected",
  trade_pair: "rejected",
  order_type: "rejected",
  order_uuid: "rejected",
  reduce_only: "false",
} as const;

const LIMIT = {
  ...ENTRY,
  limit_price: "read",
  ...stop("rejected"),
  reduce_only: "read",
} as const;

/** The fate of every field, by kind of body or inner object. @rule D13.fates */
export const FATES = {
  MarketOrder: {
    ...ENTRY,
    limit_price: "rejected",
    ...stop("rejected"),
    reduce_only: "read",
  },
  FlatOrder: {
    ...TRADE_WITHOUT_SIZE,
    trade_pair: "read",
    order_type: "read",
    order_uuid: "rejected",
    reduce_only: "repeats",
  },
  LimitOrder: LIMIT,
  StopLimitOrder: { ...LIMIT, ...stop("read") },
  BracketOrder: BRACKET,
  LimitOrderEdit: { ...LIMIT, order_uuid: "read" },
  StopLimitOrderEdit: { ...LIMIT, ...stop("read"), order_uuid: "read" },
  LegEdit: { ...BRACKET, order_uuid: "read" },
  /** LIMIT_CANCEL with one id or several. */
  CancelById: {
    ...TRADE_WITHOUT_SIZE,
    trade_pair: "repeats",
    order_type: "repeats",
    order_uuid: "read",
    reduce_only: "false",
  },
  CancelAll: {
    ...TRADE_WITHOUT_SIZE,
    trade_pair: "read",
    order_type: "rejected",
    order_uuid: "read",
    reduce_only: "false",
  },
  /** FLAT_ALL with one id or several. */
  FlatPositions: {
    ...TRADE_WITHOUT_SIZE,
    trade_pair: "repeats",
    order_type: "repeats",
    order_uuid: "read",
    reduce_only: "repeats",
  },
  FlatAll: {
    ...TRADE_WITHOUT_SIZE,
    trade_pair: "read",
    order_type: "repeats",
    order_uuid: "read",
    reduce_only: "repeats",
  },
  /** An item of `bracket_orders`. */
  OrderLeg: {
    ...NOT_IN_TRADE,
    ...levels("read"),
    ...distances("read"),
    ...sizes("read"),
    bracket_pct: "read",
  },
  TrailingStop: { ...NOT_IN_TRADE, ...distances("read") },
  /** The body of POST orders, which contains `trade`. */
  OrderRequest: { ...NOT_IN_TRADE, accountId: "repeats", trade: "read" },
  SwitchRequest: { ...NOT_IN_TRADE, accountId: "repeats", ...switchFields("read") },
} as const satisfies Readonly<
  Record<PlaceOfKind<RestingExecutionType | "MARKET">, FateRow> & Record<string, FateRow>
>;

/** The name of a row of `FATES`: a kind of body, or an object inside a body. */
export type FateRowName = keyof typeof FATES;

interface FateRowWords {
  /** The heading of the body or object in the documentation. */
  readonly heading: string;
  /** The end of the text "'stop_price' must not be given …", which says where the field was. */
  readonly where: string;
}

/** The words for each kind of body or inner object, in documentation and error texts. */
export const FATE_ROW_WORDS: Readonly<Record<FateRowName, FateRowWords>> = {
  MarketOrder: { heading: "`MARKET`", where: "with execution_type MARKET" },
  FlatOrder: { heading: "`MARKET`, `FLAT`", where: "with order_type FLAT" },
  LimitOrder: { heading: "`LIMIT`", where: "with execution_type LIMIT" },
  StopLimitOrder: { heading: "`STOP_LIMIT`", where: "with execution_type STOP_LIMIT" },
  BracketOrder: { heading: "`BRACKET`", where: "with execution_type BRACKET" },
  LimitOrderEdit: { heading: "Edit of a limit", where: "in the edit of a limit order" },
  StopLimitOrderEdit: {
    heading: "Edit of a stop-limit",
    where: "in the edit of a stop-limit order",
  },
  LegEdit: { heading: "Edit of a leg", where: "in the edit of a leg" },
  CancelById: { heading: "`LIMIT_CANCEL`, ids", where: "with execution_type LIMIT_CANCEL" },
  CancelAll: {
    heading: "`LIMIT_CANCEL`, `ALL`",
    where: "with execution_type LIMIT_CANCEL and order_uuid ALL",
  },
  FlatPositions: { heading: "`FLAT_ALL`, ids", where: "with execution_type FLAT_ALL" },
  FlatAll: { heading: "`FLAT_ALL`", where: "with execution_type FLAT_ALL" },
  OrderLeg: { heading: "Leg", where: "in a leg" },
  TrailingStop: { heading: "`trailing_stop`", where: "inside 'trailing_stop'" },
  OrderRequest: { heading: "Beside `trade`", where: "beside 'trade'" },
  SwitchRequest: { heading: "`cancel-all-after`", where: "with cancel-all-after" },
};

const OF_AN_ORDER = "it belongs to an order";
const OF_A_SIZE = "a size belongs to an order that opens or adds, or to a leg";
const OF_A_STOP_LIMIT = "it belongs to STOP_LIMIT orders";
const OF_AN_ENTRY = "stops and targets belong to orders that open or add, and to BRACKET";
const OF_A_TRAILING_STOP = "it belongs inside 'trailing_stop', or to a leg of 'bracket_orders'";
const OF_THE_SWITCH = "it belongs to cancel-all-after";

/** Where each field belongs, as the end of the text of a rejection. */
const FIELD_BELONGS_TEXTS: Readonly<Record<RequestField, string>> = {
  accountId: "it belongs beside 'trade'",
  trade: "it belongs to the body of an order",
  execution_type: OF_AN_ORDER,
  trade_pair: OF_AN_ORDER,
  order_type: OF_AN_ORDER,
  order_uuid: "it belongs to LIMIT_EDIT, LIMIT_CANCEL and FLAT_ALL; the service makes new ids",
  quantity: OF_A_SIZE,
  value: OF_A_SIZE,
  leverage: OF_A_SIZE,
  bracket_pct: "it belongs to BRACKET orders, and to legs of 'bracket_orders'",
  limit_price: "it belongs to LIMIT and STOP_LIMIT orders",
  stop_price: OF_A_STOP_LIMIT,
  stop_condition: OF_A_STOP_LIMIT,
  stop_loss: OF_AN_ENTRY,
  take_profit: OF_AN_ENTRY,
  trailing_stop: OF_AN_ENTRY,
  bracket_orders: OF_AN_ENTRY,
  trailing_percent: OF_A_TRAILING_STOP,
  trailing_value: OF_A_TRAILING_STOP,
  reduce_only: "it belongs to MARKET, LIMIT and STOP_LIMIT orders",
  seconds: OF_THE_SWITCH,
  action: OF_THE_SWITCH,
};

/** Texts that replace one of `FIELD_BELONGS_TEXTS` where it would be misleading. */
const FIELD_BELONGS_TEXTS_BY_ROW: {
  readonly [Place in FateRowName]?: { readonly [Name in RequestField]?: string };
} = {
  CancelAll: { order_type: "'trade_pair' is the only filter" },
  OrderLeg: { trailing_stop: "a leg has 'trailing_percent' or 'trailing_value'" },
};

/** The error text for a field that the row of `FATES` with this name rejects, or whose value true it rejects. */
export function rejectionText(place: FateRowName, field: RequestField): string {
  if (place === "OrderRequest" && TRADE_FIELDS.has(field)) {
    return `'${field}' belongs inside trade`;
  }
  const must = fateAt(place, field) === "false" ? "must not be true" : "must not be given";
  const home = FIELD_BELONGS_TEXTS_BY_ROW[place]?.[field] ?? FIELD_BELONGS_TEXTS[field];
  return `'${field}' ${must} ${FATE_ROW_WORDS[place].where}; ${home}`;
}

const TRADE_FIELDS: ReadonlySet<RequestField> = new Set(
  REQUEST_FIELDS.filter((field) => !["trade", "seconds", "action"].includes(field)),
);

/** The fate of a request field in this kind of body or inner object. */
export function fateAt(place: FateRowName, field: RequestField): Fate {
  return FATES[place][field];
}

/** True when the field determines something of the order. False when it is only compared or is rejected. */
export function isRead(place: FateRowName, field: string): boolean {
  const row: Readonly<Partial<Record<string, Fate>>> = FATES[place];
  return row[field] === "read" || row[field] === "alone";
}
