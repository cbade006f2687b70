import { isRecord, type OrderFieldName } from "@propgate/contract";
import { ccxtError, type Desk } from "../ccxt-module.ts";

/** The arguments of ccxt's `createOrder`, as they come. */
export interface OrderArguments {
  readonly symbol: string;
  readonly type: string;
  readonly side: string | undefined;
  readonly amount: number | undefined;
  readonly price: number | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A size in the service's own words; exactly one on an entry, none on a leg for the whole position. */
export type Size = { readonly field: "leverage" | "value" | "quantity"; readonly amount: number };

/** A stop or target that is attached to an entry, or moved with the price. */
export interface Levels {
  readonly stopLoss: number | undefined;
  readonly takeProfit: number | undefined;
}

/** A bot's order, parsed and checked as far as possible without the market. */
export interface OrderAsk {
  readonly type: "market" | "limit";
  readonly side: "buy" | "sell";
  readonly amount: number | undefined;
  readonly price: number | undefined;
  /** By leverage or value instead of `amount`. */
  readonly otherSize: Size | undefined;
  readonly triggerPrice: number | undefined;
  readonly triggerDirection: "GTE" | "LTE" | undefined;
  /** To attach to the entry. */
  readonly attached: Levels;
  /** To place on the position that is there. */
  readonly onPosition: Levels;
  readonly trailing: { readonly percent: number } | { readonly value: number } | undefined;
  readonly reduceOnly: boolean;
  /** Used as the nonce, so the service accepts at most one order with it. */
  readonly clientOrderId: string | undefined;
}

/** The parameters that give a field of an order; other fields come from the arguments of `createOrder`. */
const FIELD_PARAMS = {
  execution_type: [],
  trade_pair: [],
  order_type: [],
  order_uuid: [],
  quantity: [],
  limit_price: [],
  leverage: ["leverage"],
  value: ["cost", "value"],
  stop_price: ["stopPrice", "triggerPrice"],
  stop_condition: ["triggerDirection"],
  stop_loss: ["stopLoss", "stopLossPrice"],
  take_profit: ["takeProfit", "takeProfitPrice"],
  trailing_stop: ["trailingAmount", "trailingPercent"],
  // ccxt attaches one stop and one target, for the whole position.
  bracket_orders: [],
  bracket_pct: [],
  reduce_only: ["reduceOnly"],
} as const satisfies Readonly<Record<OrderFieldName, readonly string[]>>;

/** The parameters that say how an order is sent, or that may only say what always holds. */
const OTHER_PARAMS = ["clientOrderId", "hedged", "marginMode", "postOnly", "timeInForce"] as const;

type ParamName =
  | (typeof FIELD_PARAMS)[keyof typeof FIELD_PARAMS][number]
  | (typeof OTHER_PARAMS)[number];
const PARAMS: readonly string[] = [...Object.values(FIELD_PARAMS).flat(), ...OTHER_PARAMS];

/** Common extra parameters and their only accepted value: the service has no other way. */
const FIXED: readonly (readonly [ParamName, readonly unknown[]])[] = [
  ["hedged", [false]],
  ["marginMode", ["cross"]],
  ["postOnly", [false]],
];

const PERCENT = 100;

/** Reads one order; throws ccxt's InvalidOrder or NotSupported and names what is wrong. */
export function readOrderAsk(desk: Desk, given: OrderArguments): OrderAsk {
  const { type, side, params } = given;
  const invalid = (text: string): Error => ccxtError(desk, "InvalidOrder", text);
  if (type !== "market" && type !== "limit") throw invalid(`type '${type}' is not market or limit`);
  if (side !== "buy" && side !== "sell") throw invalid(`side '${String(side)}' is not buy or sell`);
  checkParams(desk, given);
  const read = (name: ParamName): number | undefined => positive(desk, name, params[name]);
  const clientOrderId = params.clientOrderId;
  if (clientOrderId !== undefined && !isNonce(clientOrderId)) {
    throw invalid(
      "clientOrderId is not 1 to 128 printable ASCII characters without spaces at the ends",
    );
  }
  return {
    type,
    side,
    amount: positive(desk, "amount", given.amount === 0 ? undefined : given.amount),
    price: type === "market" ? undefined : positive(desk, "price", given.price),
    otherSize: readOtherSize(desk, given),
    triggerPrice: read("triggerPrice") ?? read("stopPrice"),
    triggerDirection: readDirection(desk, params.triggerDirection),
    attached: {
      stopLoss: readAttached(desk, "stopLoss", params.stopLoss),
      takeProfit: readAttached(desk, "takeProfit", params.takeProfit),
    },
    onPosition: { stopLoss: read("stopLossPrice"), takeProfit: read("takeProfitPrice") },
    trailing: readTrailing(desk, given),
    reduceOnly: readFlag(desk, "reduceOnly", params.reduceOnly),
    clientOrderId: typeof clientOrderId === "string" ? clientOrderId : undefined,
  };
}

/** Throws for an unknown parameter: ignoring it could mean a stop that is never placed. */
function checkParams(desk: Desk, { type, params }: OrderArguments): void {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const unknown = given.find(([name]) => !PARAMS.includes(name));
  if (unknown !== undefined) {
    throw ccxtError(desk, "NotSupported", `createOrder() knows no params.${unknown[0]}`);
  }
  const inForce = type === "market" ? ["GTC", "IOC"] : ["GTC"];
  const rows: typeof FIXED = [...FIXED, ["timeInForce", inForce]];
  for (const [name, allowed] of rows) {
    const value = params[name];
    if (value === undefined || allowed.includes(value)) continue;
    throw ccxtError(
      desk,
      "NotSupported",
      `params.${name} can only be ${allowed.map(String).join(" or ")} on a ${type} order`,
    );
  }
}

function readOtherSize(desk: Desk, given: OrderArguments): Size | undefined {
  const { params, amount, symbol } = given;
  const fields = (["leverage", "cost", "value"] as const).filter(
    (name) => params[name] !== undefined,
  );
  const [field, ...more] = fields;
  if (field === undefined) return undefined;
  if (more.length > 0 || (amount !== undefined && amount !== 0)) {
    throw ccxtError(
      desk,
      "InvalidOrder",
      `params.${field} is a size: it goes without amount and without another size (leverage here is a multiple of the balance, not a setting)`,
    );
  }
  const size = positive(desk, field, params[field]) ?? 0;
  if (field !== "cost") return { field, amount: size };
  const { quote } = desk.exchange.market(symbol);
  if (quote === "USD") return { field: "value", amount: size };
  throw ccxtError(
    desk,
    "InvalidOrder",
    `params.cost would be in ${quote}, and the service sizes by USD: give params.value or amount`,
  );
}

function readAttached(desk: Desk, name: ParamName, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) {
    throw ccxtError(desk, "InvalidOrder", `params.${name} is not { triggerPrice }`);
  }
  const { triggerPrice, stopPrice, type = "market", ...rest } = value;
  const [other] = Object.keys(rest).filter((key) => rest[key] !== undefined);
  if (other !== undefined || type !== "market") {
    const what = other ?? "type";
    throw ccxtError(
      desk,
      "NotSupported",
      `params.${name}.${what}: an attached leg closes at the market, with a triggerPrice alone`,
    );
  }
  const level = positive(desk, name, triggerPrice ?? stopPrice);
  if (level !== undefined) return level;
  throw ccxtError(desk, "InvalidOrder", `params.${name} has no triggerPrice`);
}

function readTrailing(desk: Desk, { params }: OrderArguments): OrderAsk["trailing"] {
  const percent = positive(desk, "trailingPercent", params.trailingPercent);
  const value = positive(desk, "trailingAmount", params.trailingAmount);
  if (percent !== undefined && value !== undefined) {
    throw ccxtError(desk, "InvalidOrder", "trailingPercent and trailingAmount exclude each other");
  }
  if (percent !== undefined) return { percent: percent / PERCENT };
  return value === undefined ? undefined : { value };
}

function readDirection(desk: Desk, value: unknown): OrderAsk["triggerDirection"] {
  if (value === undefined) return undefined;
  if (value === "ascending" || value === "up") return "GTE";
  if (value === "descending" || value === "down") return "LTE";
  throw ccxtError(desk, "InvalidOrder", "params.triggerDirection is not ascending or descending");
}

function readFlag(desk: Desk, name: ParamName, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw ccxtError(desk, "InvalidOrder", `params.${name} is not true or false`);
}

/** A price or size above 0, as number or decimal text; undefined when it is not given. */
function positive(desk: Desk, name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number) && number > 0) return number;
  throw ccxtError(desk, "InvalidOrder", `${name} is not a number above 0`);
}

/** An id that is valid in a header and a path: no spaces at its ends, not only dots. */
function isNonce(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^[\x21-\x7e]([\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(value) &&
    !/^\.{1,2}$/.test(value)
  );
}
