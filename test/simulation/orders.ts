import type { Draw } from "./draw.ts";
import { type Market, PAIRS } from "./market.ts";

export type Trade = Readonly<Record<string, unknown>>;

/** What a client remembers of its account, true or not. */
export interface Memory {
  /** Orders it has heard of, newest last, with the trade that placed them where it knows. */
  readonly orders: Map<string, Trade | null>;
  readonly positions: Set<string>;
  /** Pairs it may have a position in. */
  readonly pairs: Set<string>;
}

const KINDS = {
  market: 26,
  flat: 4,
  limit: 14,
  stopLimit: 8,
  bracket: 10,
  edit: 10,
  cancel: 10,
  cancelAll: 1,
  flatten: 4,
  wrong: 7,
} as const;

const LOT_SIZE = 100_000;
/** Orders this far from the market rest for a while; nearer ones fill soon. */
const NEAR = 0.02;

/** What may be traded on an account, and what its client knows of it. */
export interface Tradable {
  readonly memory: Memory;
  readonly pairs: readonly string[];
}

/** Draws what a client asks for next: mostly something sensible. */
export function drawTrade(draw: Draw, market: Market, { memory, pairs }: Tradable): Trade {
  const kind = draw.weighted(KINDS);
  const isOnPosition = kind === "flat" || kind === "bracket";
  const held = [...memory.pairs];
  const pair = isOnPosition && held.length > 0 ? draw.pick(held) : drawPair(draw, pairs);
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
        ...{ execution_type: "LIMIT", ...entry, limit_price: limit },
        ...drawLegs(draw, direction, limit),
      };
    }
    case "stopLimit": {
      const limit = near();
      return {
        ...{ execution_type: "STOP_LIMIT", ...entry, limit_price: limit },
        ...{ stop_price: near(), stop_condition: draw.pick(["GTE", "LTE"]) },
        ...drawLegs(draw, direction, limit),
      };
    }
    case "bracket":
      return { execution_type: "BRACKET", trade_pair: pair, ...drawBracket(draw, direction, mid) };
    case "edit":
      return drawEdit(draw, memory) ?? { execution_type: "MARKET", ...entry };
    case "cancel":
      return { execution_type: "LIMIT_CANCEL", order_uuid: drawKnown(draw, memory.orders.keys()) };
    case "cancelAll":
      return { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };
    case "flatten":
      return draw.chance(0.5)
        ? { execution_type: "FLAT_ALL" }
        : { execution_type: "FLAT_ALL", order_uuid: drawKnown(draw, memory.positions.keys()) };
    case "wrong":
      return drawWrong(draw, { execution_type: "LIMIT", ...entry, limit_price: near() });
  }
}

/** Most traders stay with a favourite; a few do not know what they may trade. */
function drawPair(draw: Draw, pairs: readonly string[]): string {
  if (draw.chance(0.02)) return draw.pick(PAIRS);
  return draw.chance(0.4) ? draw.pick(pairs.slice(0, 1)) : draw.pick(pairs);
}

function drawSize(draw: Draw, pair: string, mid: number): Trade {
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

/** Stop and target on their sides of the entry, or now and then on the wrong ones. */
function drawPrices(draw: Draw, direction: string, entry: number): Trade {
  const up = (direction === "LONG") === draw.chance(0.97) ? 1 : -1;
  const stop = draw.chance(0.6);
  const target = draw.chance(0.6);
  return {
    ...(stop ? { stop_loss: round(entry * (1 - up * draw.magnitude(0.001, 0.05))) } : {}),
    ...(target ? { take_profit: round(entry * (1 + up * draw.magnitude(0.001, 0.05))) } : {}),
  };
}

function drawTrailing(draw: Draw, entry: number): Trade {
  return draw.chance(0.6)
    ? { trailing_percent: round(draw.magnitude(0.001, 0.05)) }
    : { trailing_value: round(entry * draw.magnitude(0.001, 0.05)) };
}

function drawLegs(draw: Draw, direction: string, entry: number): Trade {
  if (draw.chance(0.45)) return {};
  if (draw.chance(0.5)) return drawPrices(draw, direction, entry);
  if (draw.chance(0.5)) return { trailing_stop: drawTrailing(draw, entry) };
  return { bracket_orders: drawLegList(draw, direction, entry) };
}

function drawLegList(draw: Draw, direction: string, entry: number): readonly Trade[] {
  return Array.from({ length: 1 + draw.below(3) }, () => ({
    ...(draw.chance(0.7) ? drawPrices(draw, direction, entry) : drawTrailing(draw, entry)),
    ...(draw.chance(0.6) ? { bracket_pct: round(draw.between(0.05, 1)) } : {}),
  }));
}

function drawBracket(draw: Draw, direction: string, entry: number): Trade {
  if (draw.chance(0.3)) return { bracket_orders: drawLegList(draw, direction, entry) };
  const legs = drawPrices(draw, direction, entry);
  return Object.keys(legs).length === 0 ? { trailing_stop: drawTrailing(draw, entry) } : legs;
}

/** The whole order again, with something else in it. */
function drawEdit(draw: Draw, { orders }: Memory): Trade | null {
  const known = [...orders].filter(([, trade]) => trade !== null);
  if (known.length === 0) return null;
  const [uuid, trade] = draw.pick(known);
  const { execution_type: _, ...fields } = trade ?? {};
  const changed: Record<string, unknown> = { ...fields };
  for (const name of ["limit_price", "stop_price", "stop_loss", "take_profit", "value"]) {
    const before = changed[name];
    if (typeof before !== "number") continue;
    changed[name] = round(before * (1 + draw.between(-NEAR / 2, NEAR / 2)));
  }
  return { execution_type: "LIMIT_EDIT", order_uuid: uuid, ...changed };
}

function drawKnown(draw: Draw, ids: Iterable<string>): string {
  const known = [...ids];
  if (known.length === 0) return "unknown";
  return draw.chance(0.1) ? `${draw.pick(known)},${draw.pick(known)}` : draw.pick(known.slice(-8));
}

function drawWrong(draw: Draw, right: Trade): Trade {
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
