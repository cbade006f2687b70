import { restingLegsOf } from "../network/changes.ts";
import { instrumentOf } from "../network/instruments.ts";
import type {
  Fee,
  Json,
  LegRequest,
  Order,
  Position,
  Subaccount,
  Trailing,
} from "../network/state.ts";
import { positionReturn } from "../network/valuation.ts";

type Compact = Readonly<Record<string, Json>>;

/** A position under the short keys of the dashboard; `nl` and `nv` are absent at 0. */
export function compactPosition(account: Subaccount, position: Position): Compact {
  const isOpen = position.closeMs === null;
  const profit = positionReturn(account, position);
  return {
    tp: displayOf(position.pair),
    t: isOpen ? position.type : "FLAT",
    o: position.openMs,
    r: profit,
    ap: position.averageEntry,
    rp: position.realized,
    up: position.unrealized,
    ...(position.netLeverage === 0 ? {} : { nl: position.netLeverage }),
    ...(position.netValue === 0 ? {} : { nv: position.netValue }),
    ...(position.closeMs === null ? {} : { c: position.closeMs, rc: profit }),
    fo: compactOrders(position.orders),
    uo: isOpen ? compactOrders(restingLegsOf(account, position)) : {},
    fh: feeHistory(position.fees),
  };
}

/** Orders by id under the short keys of the dashboard. */
export function compactOrders(orders: readonly Order[]): Compact {
  return Object.fromEntries(orders.map((order) => [order.uuid, compactOrder(order)]));
}

function compactOrder(order: Order): Compact {
  return withoutNulls({
    tp: displayOf(order.pair),
    t: order.type,
    v: order.value,
    e: order.executionType,
    p: order.processedMs,
    l: order.leverage,
    q: order.quantity,
    bpct: order.bracketPct,
    pr: order.price,
    s: order.src,
    lp: order.limitPrice,
    sl: order.stopLoss,
    tk: order.takeProfit,
    tsl: compactTrailing(order.trailing),
    uo: order.legs.length === 0 ? null : requestedLegs(order),
    sp: order.stopPrice,
    cond: order.stopCondition,
  });
}

/** The legs that a resting order will attach, under the ids that they get when it fills. */
function requestedLegs({ uuid, legs }: Order): Compact {
  return Object.fromEntries(
    legs.map((leg, index) => [leg.uuid ?? `${uuid}-bracket-${index}`, compactLeg(leg)]),
  );
}

function compactLeg(leg: LegRequest): Compact {
  const { size } = leg;
  const bpct = size === null ? 1 : size.kind === "bracketPct" ? size.amount : null;
  return withoutNulls({
    e: "BRACKET",
    sl: leg.stopLoss,
    tk: leg.takeProfit,
    tsl: compactTrailing(leg.trailing),
    bpct,
    v: size?.kind === "value" ? size.amount : null,
    l: size?.kind === "leverage" ? size.amount : null,
    q: size?.kind === "quantity" ? size.amount : null,
  });
}

function compactTrailing(value: Trailing | null): Json {
  if (value === null) return null;
  return "percent" in value ? { pct: value.percent } : { val: value.value };
}

function feeHistory(fees: readonly Fee[]): Compact {
  return Object.fromEntries(fees.map(({ atMs, type, amount }) => [atMs, { t: type, a: amount }]));
}

function displayOf(pair: string): string {
  return instrumentOf(pair)?.display ?? pair;
}

function withoutNulls(values: Readonly<Record<string, Json>>): Compact {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
