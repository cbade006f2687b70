/** A small model of an account, which is made from its events alone. */
import type {
  AccountState,
  ArmedSwitch,
  OrderFilled,
  Payout,
  PendingOrder,
  SplitPosition,
  Trade,
} from "@propgate/core";

/** An open position as the model computes it from the fills and splits in the journal. */
export interface HeldPosition {
  readonly uuid: string;
  readonly pair: string;
  /** The size in 0.00001 lots: positive for a long, negative for a short. */
  readonly net: number;
  readonly averagePrice: number;
  /** The realized PnL in micro dollars. */
  readonly realized: number;
  readonly bought: number;
  readonly openedAtMs: number;
}

/** The closed trades of an account as a linked list, newest first. */
export interface ClosedTrades {
  readonly trade: Trade;
  readonly count: number;
  readonly older: ClosedTrades | null;
}

/** An account after one line of its journal. It is immutable: the next line makes a new one. */
export interface ModelAccount {
  readonly seq: number;
  readonly status: AccountState["status"] | "none";
  /** The account size in micro dollars. */
  readonly size: number;
  readonly cash: number;
  /** The open positions by uuid, in the order in which they were opened. */
  readonly held: ReadonlyMap<string, HeldPosition>;
  /** The pending orders by uuid, in the order in which they were placed. */
  readonly orders: ReadonlyMap<string, PendingOrder>;
  readonly closed: ClosedTrades | null;
  readonly wins: number;
  /** The payouts by id, oldest first. */
  readonly payouts: ReadonlyMap<string, Payout>;
  /** The deadline and the action of the armed dead man's switch; null when none is armed. */
  readonly armed: Pick<ArmedSwitch, "atMs" | "action"> | null;
  /** The uuids of the positions that a fired switch closes. */
  readonly closing: ReadonlySet<string>;
}

/** The model of an account that has no journal line yet. */
export const EMPTY_ACCOUNT: ModelAccount = {
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

/** The open position of a pair; null when there is none. */
export function heldPositionOf(account: ModelAccount, pair: string): HeldPosition | null {
  for (const held of account.held.values()) if (held.pair === pair) return held;
  return null;
}

/** The position after a fill. A fill in its direction changes the average price; a fill against it realizes PnL. */
export function positionAfterFill(
  before: HeldPosition | undefined,
  fill: OrderFilled,
): HeldPosition {
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

/** The positions after a split of one of them. The cost of the whole position stays the same. */
export function positionsAfterSplit(
  all: ModelAccount["held"],
  { uuid, quantity }: SplitPosition,
): ModelAccount["held"] {
  const before = all.get(uuid);
  if (before === undefined) return all;
  const averagePrice = (before.averagePrice * Math.abs(before.net)) / quantity;
  return withKey(all, uuid, { ...before, net: Math.sign(before.net) * quantity, averagePrice });
}

export function withKey<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value,
): ReadonlyMap<string, Value> {
  return new Map(map).set(key, value);
}

export function withoutKey<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
