import { isUuid } from "../credentials.ts";
import { ERRORS } from "../errors.ts";
import {
  EXECUTION_TYPES,
  type ExecutionType,
  ORDER_TYPES,
  type OrderTypeWord,
  type PositionType,
  SIZE_FIELDS,
  STOP_CONDITIONS,
  type StopCondition,
} from "../words.ts";
import { type FieldReader, fieldReader, isObject, noProblems } from "./field-reader.ts";
import {
  type LegFields,
  namesLeg,
  type OrderSize,
  readBracketLegs,
  readEntryLegs,
} from "./order-legs.ts";
import { normalizePairName } from "./pair-name.ts";

/** Closes the pair's position at the market. */
export interface FlatFields {
  readonly executionType: "MARKET";
  readonly orderType: "FLAT";
  readonly pair: string;
}

export interface MarketFields {
  readonly executionType: "MARKET";
  readonly orderType: PositionType;
  readonly pair: string;
  readonly size: OrderSize;
  readonly legs: readonly LegFields[];
}

export interface LimitFields extends Omit<MarketFields, "executionType"> {
  readonly executionType: "LIMIT";
  readonly limitPrice: number;
}

export interface StopLimitFields extends Omit<LimitFields, "executionType"> {
  readonly executionType: "STOP_LIMIT";
  readonly stopPrice: number;
  readonly stopCondition: StopCondition;
}

/** Attaches legs, at least one, to the pair's open position. */
export interface BracketFields {
  readonly executionType: "BRACKET";
  readonly pair: string;
  readonly legs: readonly LegFields[];
}

export interface CancelFields {
  readonly executionType: "LIMIT_CANCEL";
  readonly target: "ALL" | readonly string[];
  /** With `ALL`: only this pair's; null otherwise. */
  readonly pair: string | null;
}

/**
 * The whole order again, under the id it has. What it is shows in its fields: a stop makes it a
 * STOP_LIMIT, a leg field without a limit price a BRACKET of one leg, anything else a LIMIT.
 */
export interface EditFields {
  readonly executionType: "LIMIT_EDIT";
  readonly orderUuid: string;
  readonly replacement: LimitFields | StopLimitFields | BracketFields;
}

export interface FlattenFields {
  readonly executionType: "FLAT_ALL";
  /** Position ids, or every position. */
  readonly target: "ALL" | readonly string[];
}

/** A valid order body in the wire's own words; pairs in canonical form, not yet looked up. */
export type OrderFields =
  | FlatFields
  | MarketFields
  | LimitFields
  | StopLimitFields
  | BracketFields
  | CancelFields
  | EditFields
  | FlattenFields;

export type ParsedOrder =
  | {
      readonly ok: true;
      readonly order: OrderFields;
      /** Fields that nothing read, as `trade.limit_prise`; not an error, but worth a hint. */
      readonly ignoredFields: readonly string[];
    }
  | { readonly ok: false; readonly error: "invalidBody" | "missingSize"; readonly message: string };

/** The account that a body names: checked at gate 10, before anything else in it. @rule D2.10 */
export function bodyAccountId(
  body: unknown,
): { readonly ok: true; readonly accountId: string | null } | { readonly ok: false } {
  if (!isObject(body) || !Object.hasOwn(body, "accountId")) return { ok: true, accountId: null };
  const given = new Map<string, unknown>(Object.entries(body)).get("accountId");
  if (typeof given !== "string" || !isUuid(given)) return { ok: false };
  return { ok: true, accountId: given.toLowerCase() };
}

/**
 * Everything about an order body that can be said without knowing the market. The message names the
 * first problem and its field. @rule S7.400 S4.2.fields S4.2.ignored D5.fields
 */
export function parsePlaceOrder(body: unknown): ParsedOrder {
  if (!isObject(body)) return invalid("request body must be a JSON object");
  const problems = noProblems();
  const root = fieldReader({ value: body, problems, path: "", prefix: "" });
  root.require("trade");
  const trade = root.object("trade");
  const order = trade === null ? null : readTrade(trade);
  const problem = problems.first();
  if (problem === MISSING_SIZE) return { ok: false, error: "missingSize", message: problem };
  if (problem !== null) return invalid(problem);
  if (order === null) return invalid("'trade' must be a complete order");
  const ignoredFields = root.ignored().filter((name) => name !== "accountId");
  return { ok: true, order, ignoredFields };
}

const MISSING_SIZE = ERRORS.missingSize.text;

function invalid(message: string): ParsedOrder {
  return { ok: false, error: "invalidBody", message };
}

const READERS: Readonly<Record<ExecutionType, (trade: FieldReader) => OrderFields | null>> = {
  MARKET: readMarket,
  LIMIT: readLimit,
  STOP_LIMIT: readStopLimit,
  BRACKET: readBracket,
  LIMIT_CANCEL: readCancel,
  LIMIT_EDIT: readEdit,
  FLAT_ALL: readFlatten,
};

/** Null only when a problem has been reported; so for every reader below. */
function readTrade(trade: FieldReader): OrderFields | null {
  trade.require("execution_type");
  const executionType = trade.word("execution_type", EXECUTION_TYPES);
  return executionType === null ? null : READERS[executionType](trade);
}

function readMarket(trade: FieldReader): MarketFields | FlatFields | null {
  const pair = readPair(trade);
  const orderType = readOrderType(trade);
  if (orderType === "FLAT") {
    const sizes = SIZE_FIELDS.filter((name) => trade.isGiven(name));
    for (const name of sizes) trade.report(`'${name}' must not be given with order_type FLAT`);
    return pair === null ? null : { executionType: "MARKET", orderType, pair };
  }
  const size = readSize(trade);
  const legs = readEntryLegs(trade, { direction: orderType, limitPrice: null });
  if (pair === null || orderType === null || size === null) return null;
  return { executionType: "MARKET", orderType, pair, size, legs };
}

function readLimit(trade: FieldReader): LimitFields | null {
  const pair = readPair(trade);
  const orderType = readDirection(trade);
  const size = readSize(trade);
  const limitPrice = readPrice(trade, "limit_price");
  const legs = readEntryLegs(trade, { direction: orderType, limitPrice });
  if (pair === null || orderType === null || size === null || limitPrice === null) return null;
  return { executionType: "LIMIT", orderType, pair, size, limitPrice, legs };
}

function readStopLimit(trade: FieldReader): StopLimitFields | null {
  const limit = readLimit(trade);
  const stopPrice = readPrice(trade, "stop_price");
  trade.require("stop_condition");
  const stopCondition = trade.word("stop_condition", STOP_CONDITIONS);
  if (limit === null || stopPrice === null || stopCondition === null) return null;
  return { ...limit, executionType: "STOP_LIMIT", stopPrice, stopCondition };
}

function readBracket(trade: FieldReader): BracketFields | null {
  const pair = readPair(trade);
  // Checked as a word but without effect: a bracket takes the position's direction.
  trade.word("order_type", ORDER_TYPES);
  const legs = readBracketLegs(trade);
  return pair === null ? null : { executionType: "BRACKET", pair, legs };
}

function readCancel(trade: FieldReader): CancelFields | null {
  trade.require("order_uuid");
  const target = readTarget(trade);
  if (target === null) return null;
  if (target !== "ALL") return { executionType: "LIMIT_CANCEL", target, pair: null };
  const pair = trade.isGiven("trade_pair") ? readPair(trade) : null;
  return { executionType: "LIMIT_CANCEL", target, pair };
}

function readEdit(trade: FieldReader): EditFields | null {
  trade.require("order_uuid");
  const target = readTarget(trade);
  const [orderUuid, ...more] = target === null || target === "ALL" ? [] : target;
  if (orderUuid === undefined || more.length > 0) {
    trade.report("'order_uuid' must be one order id");
    return null;
  }
  const replacement = readReplacement(trade);
  return replacement === null ? null : { executionType: "LIMIT_EDIT", orderUuid, replacement };
}

function readReplacement(trade: FieldReader): EditFields["replacement"] | null {
  if (trade.isGiven("stop_price") || trade.isGiven("stop_condition")) return readStopLimit(trade);
  if (trade.isGiven("limit_price") || !namesLeg(trade)) return readLimit(trade);
  const bracket = readBracket(trade);
  if (bracket !== null && bracket.legs.length > 1) {
    trade.report("'bracket_orders' must have one leg when a leg is edited");
  }
  return bracket;
}

function readFlatten(trade: FieldReader): FlattenFields | null {
  const target = trade.isGiven("order_uuid") ? readTarget(trade) : "ALL";
  return target === null ? null : { executionType: "FLAT_ALL", target };
}

function readPair(trade: FieldReader): string | null {
  trade.require("trade_pair");
  const text = trade.text("trade_pair");
  if (text === null) return null;
  const pair = normalizePairName(text);
  if (pair === null) trade.report("'trade_pair' must be a pair identifier such as BTCUSD");
  return pair;
}

function readOrderType(trade: FieldReader): OrderTypeWord | null {
  trade.require("order_type");
  return trade.word("order_type", ORDER_TYPES);
}

function readDirection(trade: FieldReader): PositionType | null {
  const orderType = readOrderType(trade);
  if (orderType !== "FLAT") return orderType;
  trade.report("'order_type' must be LONG or SHORT unless execution_type is MARKET");
  return null;
}

/** Exactly one of the three. @rule S4.2.sizing */
function readSize(trade: FieldReader): OrderSize | null {
  const [field, ...more] = SIZE_FIELDS.filter((name) => trade.isGiven(name));
  if (field === undefined || more.length > 0) {
    trade.report(MISSING_SIZE);
    return null;
  }
  const amount = trade.positive(field);
  return amount === null ? null : { field, amount };
}

function readPrice(trade: FieldReader, name: string): number | null {
  trade.require(name);
  return trade.positive(name);
}

/** `ALL`, or ids with commas between them; each once, in the order sent. */
function readTarget(trade: FieldReader): "ALL" | readonly string[] | null {
  const text = trade.text("order_uuid");
  if (text === null || text === "ALL") return text;
  const ids = [...new Set(text.split(",").map((id) => id.trim()))];
  if (ids.every((id) => id !== "ALL" && /^[A-Za-z0-9_-]{1,100}$/.test(id))) return ids;
  trade.report("'order_uuid' must be an id, ids with commas between them, or ALL");
  return null;
}
