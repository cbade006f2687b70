/** A small model of an account, made from its events alone. */
import type {
  AccountState,
  ArmedSwitch,
  OrderFilled,
  Payout,
  PendingOrder,
  SplitPosition,
  Trade,
} from "@propgate/core";

export interface Held {
  readonly uuid: string;
  readonly pair: string;
  /** Signed, in 0.00001 lots: positive for a long. */
  readonly net: number;
  readonly averagePrice: number;
  /** Micro dollars. */
  readonly realized: number;
  readonly bought: number;
  readonly openedAtMs: number;
}

/** Closed trades, newest first. */
export interface Closed {
  readonly trade: Trade;
  readonly count: number;
  readonly older: Closed | null;
}

/** An account after one line of its journal. Immutable: the next line makes a new one. */
export interface ModelAccount {
  readonly seq: number;
  readonly status: AccountState["status"] | "none";
  /** Micro dollars. */
  readonly size: number;
  readonly cash: number;
  /** By uuid, in the order in which they were opened. */
  readonly held: ReadonlyMap<string, Held>;
  /** By uuid, in the order in which they were placed. */
  readonly orders: ReadonlyMap<string, PendingOrder>;
  readonly closed: Closed | null;
  readonly wins: number;
  /** By id, oldest first. */
  readonly payouts: ReadonlyMap<string, Payout>;
  /** The dead man's switch; null while it is not armed. */
  readonly armed: Pick<ArmedSwitch, "atMs" | "action"> | null;
  /** The positions that a fired switch closes. */
  readonly closing: ReadonlySet<string>;
}

export const NO_ACCOUNT: ModelAccount = {
  seq: 0,
  status: "none",
  size: 0,
  cash: 0,
  held: new Map(),
  orders: new Map(),
  closed: null,
  wins: 0,
  payouts: new Map(),
  armed: null,
  closing: new Set(),
};

export function signOf(direction: "long" | "short"): 1 | -1 {
  return direction === "long" ? 1 : -1;
}

export function heldOn(account: ModelAccount, pair: string): Held | null {
  for (const held of account.held.values()) if (held.pair === pair) return held;
  return null;
}

/** The position after the fill: a fill in its direction is averaged in, a fill against it realizes PnL. */
export function netted(before: Held | undefined, fill: OrderFilled): Held {
  const change = signOf(fill.direction) * fill.quantity;
  if (before === undefined) {
    return {
      uuid: fill.positionUuid,
      pair: fill.pair,
      net: change,
      averagePrice: fill.price,
      realized: 0,
      bought: fill.value,
      openedAtMs: fill.atMs,
    };
  }
  const net = before.net + change;
  if (Math.sign(change) !== Math.sign(before.net)) {
    return { ...before, net, realized: before.realized + fill.realizedPnl };
  }
  const cost = before.averagePrice * Math.abs(before.net) + fill.price * fill.quantity;
  const averagePrice = cost / (Math.abs(before.net) + fill.quantity);
  return { ...before, net, averagePrice, bought: before.bought + fill.value };
}

/** The positions after a split: the cost of all shares stays. */
export function splitHeld(
  all: ModelAccount["held"],
  { uuid, quantity }: SplitPosition,
): ModelAccount["held"] {
  const before = all.get(uuid);
  if (before === undefined) return all;
  const averagePrice = (before.averagePrice * Math.abs(before.net)) / quantity;
  return withEntry(all, uuid, { ...before, net: Math.sign(before.net) * quantity, averagePrice });
}

export function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value,
): ReadonlyMap<string, Value> {
  return new Map(map).set(key, value);
}

export function withoutEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
