import { type Market, TRADED_PAIRS } from "./market.ts";
import type { RandomDraw } from "./random-draw.ts";

/** The fields of an order as a client sends them. */
export type OrderFields = Readonly<Record<string, unknown>>;

/** A client's memory of its account. It may be out of date. */
export interface ClientMemory {
  /** The ids of orders, newest last, with the fields for an edit; null when these are not known. */
  readonly orders: Map<string, OrderFields | null>;
  readonly positions: Set<string>;
  /** The pairs that may have a position, with its direction as far as the client knows it. */
  readonly pairs: Map<string, string>;
}

const KINDS = {
  market: 26,
  flat: 4,
  limit: 12,
  stopLimit: 6,
  exit: 10,
  hoard: 1,
  bracket: 10,
  edit: 12,
  cancel: 8,
  cancelAll: 1,
  flatten: 4,
  wrong: 7,
} as const;

const HOARDING = { ...KINDS, hoard: 30, cancelAll: 0.2 } as const;

/** The share of orders whose prices may be off the tick. */
const OFF_TICK = 0.03;
const LOT_SIZE = 100_000;
const LEGS_MAX = 10;
/**
 * The maximum distance of drawn order prices from the market, as a ratio. The distances of some legs and the changes of
 * edits follow from it too. Far orders stay pending for a while, near ones fill soon.
 */
const NEAR = 0.02;

/** The knowledge of a client from which its next order is drawn. */
export interface OrderKnowledge {
  readonly memory: ClientMemory;
  readonly pairs: readonly string[];
  /** True for a client that places as many orders and legs as possible. */
  readonly hoards: boolean;
}

/** Draws a client's next order, mostly a valid one. */
export function drawOrder(draw: RandomDraw, market: Market, tradable: OrderKnowledge): OrderFields {
  const trade = drawSent(draw, market, tradable);
  return draw.chance(OFF_TICK) ? trade : onTicks(trade, market);
}

const PRICE_FIELDS: ReadonlySet<string> = new Set([
  "limit_price",
  "stop_price",
  "stop_loss",
  "take_profit",
  "trailing_value",
]);

/** The order with its prices, and those of its legs, rounded to the pair's tick. */
function onTicks(trade: OrderFields, market: Market, pair = trade.trade_pair): OrderFields {
  const moved = (name: string, value: unknown): unknown => {
    if (PRICE_FIELDS.has(name)) {
      return typeof value === "number" && value > 0 ? market.onTick(String(pair), value) : value;
    }
    if (Array.isArray(value)) return value.map((leg: OrderFields) => onTicks(leg, market, pair));
    const isTrailing = name === "trailing_stop" && typeof value === "object" && value !== null;
    return isTrailing ? onTicks({ ...value }, market, pair) : value;
  };
  return Object.fromEntries(
    Object.entries(trade).map(([name, value]) => [name, moved(name, value)]),
  );
}

function drawSent(
  draw: RandomDraw,
  market: Market,
  { memory, pairs, hoards }: OrderKnowledge,
): OrderFields {
  const kind = draw.weighted(hoards ? HOARDING : KINDS);
  const isOnPosition = kind === "flat" || kind === "bracket" || kind === "exit";
  const held = [...memory.pairs];
  const [pair, position] =
    isOnPosition && held.length > 0 ? draw.pick(held) : [drawPair(draw, pairs), "LONG"];
  const mid = market.mid(pair);
  const near = (): number => round(mid * (1 + draw.between(-NEAR, NEAR)));
  const direction = draw.chance(0.5) ? "LONG" : "SHORT";
  const entry = { trade_pair: pair, order_type: direction, ...drawSize(draw, pair, mid) };
  switch (kind) {
    case "market":
      return { execution_type: "MARKET", ...entry, ...drawLegs(draw, direction, mid) };
    case "flat":
      return { execution_type: "MARKET", trade_pair: pair, order_type: "FLAT" };
    case "limit": {
      const limit = near();
      return {
        execution_type: "LIMIT",
        ...entry,
        limit_price: limit,
        ...drawLegs(draw, direction, limit),
      };
    }
    case "stopLimit": {
      const limit = near();
      return {
        execution_type: "STOP_LIMIT",
        ...entry,
        limit_price: limit,
        stop_price: near(),
        stop_condition: draw.pick(["GTE", "LTE"]),
        ...drawLegs(draw, direction, limit),
      };
    }
    case "exit":
      return drawExit(draw, { pair, position, mid });
    case "hoard":
      return { execution_type: "LIMIT", ...entry, ...drawHoard(draw, direction, mid) };
    case "bracket":
      return { execution_type: "BRACKET", trade_pair: pair, ...drawBracket(draw, position, mid) };
    case "edit":
      return drawEdit(draw, memory) ?? { execution_type: "MARKET", ...entry };
    case "cancel":
      return { execution_type: "LIMIT_CANCEL", order_uuid: drawKnown(draw, memory.orders.keys()) };
    case "cancelAll":
      return {
        execution_type: "LIMIT_CANCEL",
        order_uuid: "ALL",
        ...(draw.chance(0.5) ? { trade_pair: pair } : {}),
      };
    case "flatten":
      return { execution_type: "FLAT_ALL", ...drawFlattened(draw, memory, pair) };
    case "wrong":
      return drawWrong(draw, { execution_type: "LIMIT", ...entry, limit_price: near() });
  }
}

/**
 * Draws a pair. Most are pairs that the account may trade, the first of them most often. A few are any traded pair,
 * which may be outside the account's class.
 */
function drawPair(draw: RandomDraw, pairs: readonly string[]): string {
  if (draw.chance(0.02)) return draw.pick(TRADED_PAIRS);
  return draw.chance(0.4) ? draw.pick(pairs.slice(0, 1)) : draw.pick(pairs);
}

function drawSize(draw: RandomDraw, pair: string, mid: number): OrderFields {
  const dollars = draw.magnitude(50, 150_000);
  switch (draw.pick(["leverage", "value", "quantity"] as const)) {
    case "leverage":
      return { leverage: round(draw.magnitude(0.01, 8)) };
    case "value":
      return { value: round(dollars) };
    case "quantity": {
      const isForex = pair.startsWith("EUR") || pair === "USDJPY";
      return { quantity: round(isForex ? dollars / LOT_SIZE : dollars / mid) };
    }
  }
}

/** Draws a stop and a target, mostly on the correct sides of the entry. */
function drawPrices(draw: RandomDraw, direction: string, entry: number): OrderFields {
  const up = (direction === "LONG") === draw.chance(0.97) ? 1 : -1;
  const stop = draw.chance(0.6);
  const target = draw.chance(0.6);
  return {
    ...(stop ? { stop_loss: round(entry * (1 - up * draw.magnitude(0.001, 0.05))) } : {}),
    ...(target ? { take_profit: round(entry * (1 + up * draw.magnitude(0.001, 0.05))) } : {}),
  };
}

function drawTrailing(draw: RandomDraw, entry: number): OrderFields {
  return draw.chance(0.6)
    ? { trailing_percent: round(draw.magnitude(0.001, 0.05)) }
    : { trailing_value: round(entry * draw.magnitude(0.001, 0.05)) };
}

function drawLegs(draw: RandomDraw, direction: string, entry: number): OrderFields {
  if (draw.chance(0.45)) return {};
  if (draw.chance(0.5)) return drawPrices(draw, direction, entry);
  if (draw.chance(0.5)) return { trailing_stop: drawTrailing(draw, entry) };
  return { bracket_orders: drawLegList(draw, direction, entry) };
}

function drawLegList(draw: RandomDraw, direction: string, entry: number): readonly OrderFields[] {
  const length = draw.chance(0.1) ? LEGS_MAX : 1 + draw.below(3);
  return Array.from({ length }, () => ({
    ...(draw.chance(0.7) ? drawPrices(draw, direction, entry) : drawTrailing(draw, entry)),
    ...(draw.chance(0.6) ? drawLegSize(draw, entry) : {}),
  }));
}

/** Draws the size of a leg: mostly `bracket_pct`, sometimes a quantity that rounds to zero. */
function drawLegSize(draw: RandomDraw, entry: number): OrderFields {
  const dollars = draw.magnitude(10, 50_000);
  switch (draw.weighted({ share: 6, half: 3, value: 2, leverage: 2, quantity: 2, dust: 1.5 })) {
    case "share":
      return { bracket_pct: round(draw.between(0.05, 1)) };
    case "half":
      return { bracket_pct: 0.5 };
    case "value":
      return { value: round(dollars) };
    case "leverage":
      return { leverage: round(draw.magnitude(0.001, 2)) };
    case "quantity":
      return { quantity: round(dollars / entry) };
    case "dust":
      return { quantity: draw.pick([0.000_001, 0.004]) };
  }
}

/** Draws an order against the open position, at the market or on either side of the price. Many are reduce-only. */
function drawExit(
  draw: RandomDraw,
  held: { readonly pair: string; readonly position: string; readonly mid: number },
): OrderFields {
  const { pair, position, mid } = held;
  const up = position === "LONG" ? 1 : -1;
  const exit = {
    trade_pair: pair,
    order_type: position === "LONG" ? "SHORT" : "LONG",
    ...drawSize(draw, pair, mid),
    ...(draw.chance(0.4) ? { reduce_only: true } : {}),
    ...(draw.chance(0.05) ? { stop_loss: round(mid * (1 + up * NEAR)) } : {}),
  };
  if (draw.chance(0.2)) return { execution_type: "MARKET", ...exit };
  const away = draw.magnitude(0.000_5, NEAR);
  if (draw.chance(0.7)) {
    return { execution_type: "LIMIT", ...exit, limit_price: round(mid * (1 + up * away)) };
  }
  const stop = round(mid * (1 - up * away));
  return {
    execution_type: "STOP_LIMIT",
    ...exit,
    limit_price: round(stop * (1 - up * NEAR)),
    stop_price: stop,
    stop_condition: up === 1 ? "LTE" : "GTE",
  };
}

/** Draws a limit order with many legs, so that the account soon reaches its limit of pending orders. */
function drawHoard(draw: RandomDraw, direction: string, mid: number): OrderFields {
  const up = direction === "LONG" ? 1 : -1;
  const limit = round(mid * (1 - up * draw.magnitude(0.002, NEAR)));
  const legs = Array.from({ length: LEGS_MAX }, (_, index) => ({
    stop_loss: round(limit * (1 - up * (NEAR + index / 1_000))),
  }));
  return { limit_price: limit, bracket_orders: legs };
}

function drawFlattened(draw: RandomDraw, { positions }: ClientMemory, pair: string): OrderFields {
  if (draw.chance(0.4)) return {};
  if (draw.chance(0.4)) return { trade_pair: pair };
  return { order_uuid: drawKnown(draw, positions.keys()) };
}

function drawBracket(draw: RandomDraw, direction: string, entry: number): OrderFields {
  if (draw.chance(0.3)) return { bracket_orders: drawLegList(draw, direction, entry) };
  const legs = drawPrices(draw, direction, entry);
  return Object.keys(legs).length === 0 ? { trailing_stop: drawTrailing(draw, entry) } : legs;
}

/** Draws an edit of a known order with some changed fields; null when no order is known. */
function drawEdit(draw: RandomDraw, { orders }: ClientMemory): OrderFields | null {
  const known = [...orders].filter(([, trade]) => trade !== null);
  if (known.length === 0) return null;
  const [uuid, trade] = draw.pick(known);
  const { execution_type: _, ...fields } = trade ?? {};
  const changed: Record<string, unknown> = { ...fields };
  for (const name of ["limit_price", "stop_price", "stop_loss", "take_profit", "value"]) {
    const before = changed[name];
    // Some fields keep their value.
    if (typeof before !== "number" || draw.chance(0.4)) continue;
    changed[name] = round(before * (1 + draw.between(-NEAR / 2, NEAR / 2)));
  }
  return { execution_type: "LIMIT_EDIT", order_uuid: uuid, ...changed };
}

function drawKnown(draw: RandomDraw, ids: Iterable<string>): string {
  const known = [...ids];
  if (known.length === 0) return "unknown";
  if (draw.chance(0.8)) return draw.pick(known.slice(-8));
  const listed = [draw.pick(known), draw.pick(known), ...(draw.chance(0.4) ? ["gone"] : [])];
  return [...new Set(listed)].join();
}

function drawWrong(draw: RandomDraw, right: OrderFields): OrderFields {
  switch (draw.below(7)) {
    case 0:
      return { ...right, execution_type: "GUESS" };
    case 1:
      return { ...right, leverage: 1, value: 10 };
    case 2:
      return { ...right, limit_price: -1 };
    case 3:
      return { ...right, trade_pair: "NOPAIR" };
    case 4:
      return { ...right, order_type: "FLAT" };
    case 5:
      return { ...right, limit_price: "high" };
    default:
      return { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
  }
}

function round(value: number): number {
  return Number(value.toPrecision(7));
}
