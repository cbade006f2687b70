import type { LegRequest, OrderSize, OrderType, Trailing } from "../network/state.ts";

/** The seven execution types of the network. */
const EXECUTION_TYPES = [
  "MARKET",
  "LIMIT",
  "STOP_LIMIT",
  "BRACKET",
  "LIMIT_CANCEL",
  "LIMIT_EDIT",
  "FLAT_ALL",
] as const;
export type SignalType = (typeof EXECUTION_TYPES)[number];

/** The parsed body of `POST /api/submit-order`. */
export interface Signal {
  readonly executionType: SignalType;
  readonly pair: string | null;
  readonly type: OrderType | null;
  readonly size: OrderSize | null;
  readonly limitPrice: number | null;
  readonly stopPrice: number | null;
  readonly stopCondition: "GTE" | "LTE" | null;
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailing: Trailing | null;
  /** The list of legs; null when the body has none. A list replaces `stopLoss`, `takeProfit` and `trailing`. */
  readonly legs: readonly LegRequest[] | null;
  readonly uuid: string | null;
}

/** The parsed order body, or why it is invalid. */
export type SignalReading =
  | { readonly ok: true; readonly signal: Signal }
  | { readonly ok: false; readonly error: string };

type Body = Readonly<Record<string, unknown>>;

/** An error for a body that breaks a rule of order bodies. `readSignal` returns the error's text. */
class SignalError extends Error {}

/** Reads and validates an order body by the rules of its execution type. */
export function readSignal(body: Body): SignalReading {
  try {
    const signal = parseSignal(body);
    checkSignal(signal);
    return { ok: true, signal };
  } catch (error) {
    if (error instanceof SignalError) return { ok: false, error: error.message };
    throw error;
  }
}

function parseSignal(body: Body): Signal {
  const executionType = wordOf(body, "execution_type", EXECUTION_TYPES) ?? "MARKET";
  const legs = body.bracket_orders;
  if (legs !== undefined && legs !== null && !Array.isArray(legs)) {
    throw new SignalError("bracket_orders must be a list");
  }
  return {
    executionType,
    pair: pairOf(body.trade_pair),
    type: wordOf(body, "order_type", ["LONG", "SHORT", "FLAT"] as const),
    size: sizeOf(body),
    limitPrice: numberOf(body, "limit_price"),
    stopPrice: numberOf(body, "stop_price"),
    stopCondition: wordOf(body, "stop_condition", ["GTE", "LTE"] as const),
    stopLoss: numberOf(body, "stop_loss"),
    takeProfit: numberOf(body, "take_profit"),
    trailing: trailingOf(body.trailing_stop),
    legs: Array.isArray(legs) ? legs.map(legOf) : null,
    uuid: textOf(body, "order_uuid"),
  };
}

/**
 * The id of a pair, which is sent as an id, as an object with `trade_pair_id`, or as a list that begins with the id;
 * null when no pair is sent.
 */
function pairOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (typeof first === "string") return first;
  if (isBody(value) && typeof value.trade_pair_id === "string") return value.trade_pair_id;
  throw new SignalError("trade_pair must be the id of a trade pair");
}

function sizeOf(body: Body): OrderSize | null {
  const given = (["leverage", "value", "quantity"] as const).flatMap((kind) => {
    const amount = numberOf(body, kind);
    return amount === null ? [] : [{ kind, amount }];
  });
  const pct = numberOf(body, "bracket_pct");
  const all: OrderSize[] = [
    ...given,
    ...(pct === null ? [] : [{ kind: "bracketPct" as const, amount: pct }]),
  ];
  if (all.length > 1) {
    throw new SignalError("Exactly one of leverage, value or quantity must be set");
  }
  if (pct !== null && !(pct > 0 && pct <= 1)) {
    throw new SignalError("bracket_pct must be between 0 and 1");
  }
  return all[0] ?? null;
}

function trailingOf(value: unknown): Trailing | null {
  if (value === undefined || value === null) return null;
  if (!isBody(value)) throw new SignalError("trailing_stop must be an object");
  return trailingFrom(numberOf(value, "trailing_percent"), numberOf(value, "trailing_value"));
}

function trailingFrom(percent: number | null, amount: number | null): Trailing {
  if ((percent === null) === (amount === null)) {
    throw new SignalError("trailing_stop needs exactly one of trailing_percent or trailing_value");
  }
  if (percent !== null) {
    if (!(percent > 0 && percent < 1)) {
      throw new SignalError("trailing_percent must be between 0 and 1");
    }
    return { percent };
  }
  if (amount === null || amount <= 0) throw new SignalError("trailing_value must be above 0");
  return { value: amount };
}

function legOf(value: unknown, index: number): LegRequest {
  try {
    if (!isBody(value)) throw new SignalError("must be an object");
    const percent = numberOf(value, "trailing_percent");
    const amount = numberOf(value, "trailing_value");
    return {
      uuid: textOf(value, "order_uuid"),
      stopLoss: numberOf(value, "stop_loss"),
      takeProfit: numberOf(value, "take_profit"),
      trailing: percent === null && amount === null ? null : trailingFrom(percent, amount),
      size: sizeOf(value),
    };
  } catch (error) {
    if (error instanceof SignalError) {
      throw new SignalError(`bracket_orders[${index}]: ${error.message}`);
    }
    throw error;
  }
}

/** True when the leg has a price at which it acts. */
export function hasTrigger({ stopLoss, takeProfit, trailing }: LegRequest): boolean {
  return stopLoss !== null || takeProfit !== null || trailing !== null;
}

function checkSignal(signal: Signal): void {
  const { executionType } = signal;
  if (executionType === "LIMIT_CANCEL" || executionType === "FLAT_ALL") {
    if (signal.uuid === null) throw new SignalError(`order_uuid is required for ${executionType}`);
    return;
  }
  if (signal.pair === null) throw new SignalError("Missing required field: trade_pair");
  if (executionType === "LIMIT_EDIT") {
    if (signal.uuid === null) throw new SignalError("order_uuid is required for LIMIT_EDIT");
    checkLegs(signal, { mayBeBare: true });
    return;
  }
  if (executionType === "BRACKET") {
    checkBracket(signal);
    return;
  }
  checkEntry(signal);
  checkLegs(signal, { mayBeBare: false });
}

/** Why an edited LIMIT or STOP_LIMIT breaks the rules of its type; null when it keeps them. */
export function entryError(signal: Signal): string | null {
  try {
    checkEntry(signal);
    return null;
  } catch (error) {
    if (error instanceof SignalError) return error.message;
    throw error;
  }
}

/** Checks the rules that MARKET, LIMIT and STOP_LIMIT share, then those of the two that rest. */
function checkEntry(signal: Signal): void {
  const { type, executionType, size } = signal;
  if (type === null) throw new SignalError("Missing required field: order_type");
  if (type === "FLAT" && executionType !== "MARKET") {
    throw new SignalError(`FLAT is not supported for ${executionType} orders`);
  }
  if (type !== "FLAT" && (size === null || size.kind === "bracketPct")) {
    throw new SignalError("Exactly one of leverage, value or quantity must be set");
  }
  if (type === "LONG" && size !== null && size.amount < 0) {
    throw new SignalError(`${size.kind} must not be negative for LONG orders`);
  }
  if (executionType === "LIMIT" || executionType === "STOP_LIMIT") checkPrices(signal);
}

function checkPrices({
  limitPrice,
  stopPrice,
  stopCondition,
  executionType,
  ...signal
}: Signal): void {
  if (limitPrice === null || limitPrice <= 0) throw new SignalError("limit_price must be above 0");
  if (executionType === "STOP_LIMIT") {
    if (stopPrice === null || stopPrice <= 0) throw new SignalError("stop_price must be above 0");
    if (stopCondition === null) throw new SignalError("stop_condition must be GTE or LTE");
    return;
  }
  const wrong = wrongSideText(signal.type, limitPrice, signal);
  if (wrong !== null) throw new SignalError(wrong);
}

/**
 * The error text about a stop or target on the wrong side of a price; null when both are on the right side. A stop
 * beside a trailing stop is not checked.
 */
export function wrongSideText(
  type: OrderType | null,
  price: number,
  leg: Pick<LegRequest, "stopLoss" | "takeProfit" | "trailing">,
): string | null {
  const { stopLoss, takeProfit, trailing } = leg;
  const isLong = type === "LONG";
  const side = isLong ? "below" : "above";
  const other = isLong ? "above" : "below";
  if (stopLoss !== null && trailing === null && (isLong ? stopLoss >= price : stopLoss <= price)) {
    return `stop_loss ${stopLoss} must be ${side} ${price} for ${type} orders`;
  }
  if (takeProfit !== null && (isLong ? takeProfit <= price : takeProfit >= price)) {
    return `take_profit ${takeProfit} must be ${other} ${price} for ${type} orders`;
  }
  return null;
}

function checkBracket(signal: Signal): void {
  if (signal.legs !== null && signal.legs.length !== 1) {
    throw new SignalError("bracket_orders must have exactly one entry for BRACKET orders");
  }
  checkLegs(signal, { mayBeBare: false });
  const leg = signal.legs?.[0] ?? { ...signal, uuid: null };
  if (!hasTrigger(leg)) {
    throw new SignalError("BRACKET needs stop_loss, take_profit or trailing_stop");
  }
  if (leg.stopLoss !== null && leg.stopLoss === leg.takeProfit) {
    throw new SignalError("stop_loss and take_profit must differ");
  }
}

function checkLegs(signal: Signal, { mayBeBare }: { readonly mayBeBare: boolean }): void {
  for (const [field, price] of [
    ["stop_loss", signal.stopLoss],
    ["take_profit", signal.takeProfit],
  ] as const) {
    if (price !== null && price <= 0) throw new SignalError(`${field} must be above 0`);
  }
  for (const [index, leg] of (signal.legs ?? []).entries()) {
    const prefix = `bracket_orders[${index}]:`;
    const isBare = !hasTrigger(leg);
    if (isBare && !(mayBeBare && leg.uuid !== null)) {
      throw new SignalError(`${prefix} needs stop_loss, take_profit or a trailing stop`);
    }
    if ((leg.stopLoss ?? 1) <= 0 || (leg.takeProfit ?? 1) <= 0) {
      throw new SignalError(`${prefix} prices must be above 0`);
    }
  }
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberOf(body: Body, field: string): number | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new SignalError(`${field} must be a finite number`);
  }
  return number;
}

function textOf(body: Body, field: string): string | null {
  const value = body[field];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw new SignalError(`${field} must be a string`);
  return value;
}

function wordOf<Word extends string>(
  body: Body,
  field: string,
  words: readonly Word[],
): Word | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  const upper = typeof value === "string" ? value.toUpperCase() : value;
  const word = words.find((one) => one === upper);
  if (word === undefined) throw new SignalError(`${field} must be one of ${words.join(", ")}`);
  return word;
}
