import {
  type ChangedFields,
  isRecord,
  type OrderFieldName,
  type UncheckedTrade,
} from "@propgate/contract";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";

/** The arguments of ccxt's `createOrder`, unchanged. */
export interface OrderArguments {
  readonly symbol: string;
  readonly type: string;
  readonly side: string | undefined;
  readonly amount: number | undefined;
  readonly price: number | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A bot's order after the checks that need no market data. */
export interface ParsedArguments {
  readonly type: "market" | "limit";
  readonly side: "buy" | "sell";
  readonly fields: ChangedFields;
  /** The bot's own id of the order. It is the nonce, so the service accepts at most one order with it. */
  readonly clientOrderId: string | undefined;
}

/** One field of an order: the names of its parameters, and the function that reads its value. */
interface FieldParam<Value> {
  readonly params: readonly string[];
  readonly read: (desk: ExchangeContext, given: OrderArguments) => Value | undefined;
}

const unset = { params: [], read: () => undefined } as const;

/** How the arguments of `createOrder` and its parameters give the fields of an order. */
const FIELD_PARAMS: {
  readonly [Name in OrderFieldName]: FieldParam<UncheckedTrade[Name]>;
} = {
  execution_type: unset,
  trade_pair: { params: [], read: (desk, { symbol }) => pairOf(desk, symbol) },
  order_type: { params: [], read: (_, { side }) => (side === "buy" ? "LONG" : "SHORT") },
  order_uuid: unset,
  quantity: { params: [], read: readAmount },
  limit_price: {
    params: [],
    read: (desk, given) =>
      given.type === "market"
        ? undefined
        : roundToTick(desk, given, readPositive(desk, "price", given.price)),
  },
  leverage: {
    params: ["leverage"],
    read: (desk, { params }) => readPositive(desk, "leverage", params.leverage),
  },
  value: { params: ["cost", "value"], read: readValue },
  stop_price: {
    params: ["stopPrice", "triggerPrice"],
    read: (desk, given) =>
      roundToTick(
        desk,
        given,
        readPositive(desk, "triggerPrice", given.params.triggerPrice) ??
          readPositive(desk, "stopPrice", given.params.stopPrice),
      ),
  },
  stop_condition: {
    params: ["triggerDirection"],
    read: (desk, { params }) => readDirection(desk, params.triggerDirection),
  },
  stop_loss: {
    params: ["stopLoss", "stopLossPrice"],
    read: (desk, given) =>
      roundToTick(
        desk,
        given,
        readAttached(desk, "stopLoss", given.params.stopLoss) ??
          readPositive(desk, "stopLossPrice", given.params.stopLossPrice),
      ),
  },
  take_profit: {
    params: ["takeProfit", "takeProfitPrice"],
    read: (desk, given) =>
      roundToTick(
        desk,
        given,
        readAttached(desk, "takeProfit", given.params.takeProfit) ??
          readPositive(desk, "takeProfitPrice", given.params.takeProfitPrice),
      ),
  },
  trailing_stop: { params: ["trailingAmount", "trailingPercent"], read: readTrailing },
  // ccxt can attach one stop and one target, each for the whole position.
  bracket_orders: unset,
  bracket_pct: unset,
  reduce_only: {
    params: ["reduceOnly"],
    read: (desk, { params }) => readFlag(desk, "reduceOnly", params.reduceOnly),
  },
};

/**
 * Parameters that are not fields of an order. Except for `clientOrderId`, each accepts only the values that describe
 * how the service always works, such as `hedged` false.
 */
const OTHER_PARAMS = ["clientOrderId", "hedged", "marginMode", "postOnly", "timeInForce"] as const;

const KNOWN_PARAMS: readonly string[] = [
  ...Object.values(FIELD_PARAMS).flatMap(({ params }) => params),
  ...OTHER_PARAMS,
];

/** Parameters of ccxt, each with the only value that is accepted. */
const FIXED_PARAMS: readonly (readonly [string, readonly unknown[]])[] = [
  ["hedged", [false]],
  ["marginMode", ["cross"]],
  ["postOnly", [false]],
];

const SIZE_PARAMS = ["leverage", "cost", "value"] as const;
const PERCENT = 100;

/**
 * Reads the arguments of one order. Throws ccxt's InvalidOrder or NotSupported, with the name of the wrong argument.
 */
export function parseArguments(desk: ExchangeContext, given: OrderArguments): ParsedArguments {
  const { type, side, params } = given;
  const invalid = (text: string): Error => ccxtError(desk, "InvalidOrder", text);
  if (type !== "market" && type !== "limit") throw invalid(`type '${type}' is not market or limit`);
  if (side !== "buy" && side !== "sell") throw invalid(`side '${String(side)}' is not buy or sell`);
  checkParams(desk, given);
  const { clientOrderId } = params;
  if (clientOrderId !== undefined && !isNonce(clientOrderId)) {
    throw invalid(
      "clientOrderId is not 1 to 128 printable ASCII characters without spaces at the ends",
    );
  }
  const fields = Object.entries(FIELD_PARAMS).map(([name, { read }]) => [name, read(desk, given)]);
  return {
    type,
    side,
    fields: Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    clientOrderId: typeof clientOrderId === "string" ? clientOrderId : undefined,
  };
}

/**
 * The parameters of a field in words, such as `params.stopPrice or params.triggerPrice`; the field's name when it has
 * none.
 */
export function paramsOf(name: OrderFieldName): string {
  return FIELD_PARAMS[name].params.map((param) => `params.${param}`).join(" or ") || name;
}

/**
 * Throws for an unknown parameter, because an ignored one could be a stop that is then never placed. Throws also for a
 * value that is not accepted.
 */
function checkParams(desk: ExchangeContext, { type, amount, params }: OrderArguments): void {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const unknown = given.find(([name]) => !KNOWN_PARAMS.includes(name));
  if (unknown !== undefined) {
    throw ccxtError(desk, "NotSupported", `createOrder() does not support params.${unknown[0]}`);
  }
  const inForce = type === "market" ? ["GTC", "IOC"] : ["GTC"];
  const rows: typeof FIXED_PARAMS = [...FIXED_PARAMS, ["timeInForce", inForce]];
  for (const [name, allowed] of rows) {
    const value = params[name];
    if (value === undefined || allowed.includes(value)) continue;
    throw ccxtError(
      desk,
      "NotSupported",
      `params.${name} can only be ${allowed.map(String).join(" or ")} on a ${type} order`,
    );
  }
  const [size, ...more] = SIZE_PARAMS.filter((name) => params[name] !== undefined);
  if (size !== undefined && (more.length > 0 || (amount !== undefined && amount !== 0))) {
    throw ccxtError(
      desk,
      "InvalidOrder",
      `params.${size} is a size, which excludes amount and another size (leverage here is a multiple of the balance, not a setting)`,
    );
  }
}

/** The amount in contracts, rounded to the market's step where that is known. Undefined when it is omitted or 0. */
function readAmount(desk: ExchangeContext, { symbol, amount }: OrderArguments): number | undefined {
  const contracts = readPositive(desk, "amount", amount === 0 ? undefined : amount);
  if (contracts === undefined) return undefined;
  const step = desk.exchange.safeNumber(desk.exchange.market(symbol).precision, "amount");
  return step === undefined
    ? contracts
    : Number(desk.exchange.amountToPrecision(symbol, contracts));
}

function readValue(desk: ExchangeContext, { symbol, params }: OrderArguments): number | undefined {
  const cost = readPositive(desk, "cost", params.cost);
  const { quote, info } = desk.exchange.market(symbol);
  if (cost === undefined) return readPositive(desk, "value", params.value);
  if (desk.exchange.safeBool(info, "quoteIsUsd") === true) return cost;
  throw ccxtError(
    desk,
    "InvalidOrder",
    `params.cost would be in ${quote}, and the service sizes by USD: use params.value or amount`,
  );
}

function readAttached(desk: ExchangeContext, name: string, value: unknown): number | undefined {
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
      `params.${name}.${what}: an attached leg closes at the market and takes only a triggerPrice`,
    );
  }
  const level = readPositive(desk, name, triggerPrice ?? stopPrice);
  if (level !== undefined) return level;
  throw ccxtError(desk, "InvalidOrder", `params.${name} has no triggerPrice`);
}

/**
 * A price or distance, rounded to the market's step as ccxt does. It stays as it is when the service accepts any price.
 */
function roundToTick(
  desk: ExchangeContext,
  { symbol }: OrderArguments,
  level: number | undefined,
): number | undefined {
  const step = desk.exchange.safeNumber(desk.exchange.market(symbol).info, "priceStep");
  if (level === undefined || step === undefined) return level;
  return Number(desk.exchange.priceToPrecision(symbol, level));
}

function readTrailing(
  desk: ExchangeContext,
  given: OrderArguments,
): UncheckedTrade["trailing_stop"] {
  const { params } = given;
  const percent = readPositive(desk, "trailingPercent", params.trailingPercent);
  const value = roundToTick(
    desk,
    given,
    readPositive(desk, "trailingAmount", params.trailingAmount),
  );
  if (percent !== undefined && value !== undefined) {
    throw ccxtError(desk, "InvalidOrder", "trailingPercent and trailingAmount exclude each other");
  }
  if (percent !== undefined) return { trailing_percent: percent / PERCENT };
  return value === undefined ? undefined : { trailing_value: value };
}

function readDirection(desk: ExchangeContext, value: unknown): UncheckedTrade["stop_condition"] {
  if (value === undefined) return undefined;
  if (value === "ascending" || value === "up") return "GTE";
  if (value === "descending" || value === "down") return "LTE";
  throw ccxtError(desk, "InvalidOrder", "params.triggerDirection is not ascending or descending");
}

function readFlag(desk: ExchangeContext, name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw ccxtError(desk, "InvalidOrder", `params.${name} is not true or false`);
}

/**
 * A number above 0, from a number or a decimal text; undefined when it is omitted or null. Throws InvalidOrder for any
 * other value.
 */
function readPositive(desk: ExchangeContext, name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number) && number > 0) return number;
  throw ccxtError(desk, "InvalidOrder", `${name} is not a number above 0`);
}

/**
 * True for an id that is valid in a header and in a path: 1 to 128 characters of printable ASCII without a space at the
 * ends, and neither `.` nor `..`.
 */
function isNonce(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^[\x21-\x7e]([\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(value) &&
    !/^\.{1,2}$/.test(value)
  );
}

/** The service's name of the pair of a ccxt symbol. */
export function pairOf(desk: ExchangeContext, symbol: string): string {
  const { id } = desk.exchange.market(symbol);
  if (id !== undefined) return id;
  throw ccxtError(desk, "BadSymbol", `${symbol} has no pair`);
}
