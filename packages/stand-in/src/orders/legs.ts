import { cancelRestingOrder, nextChangeTime, nextUuid, touchPosition } from "../network/changes.ts";
import {
  type LegRequest,
  type NetworkState,
  ORDER_SRC,
  type Order,
  type Position,
  type Subaccount,
} from "../network/state.ts";
import { openPosition } from "../network/valuation.ts";
import { RESTING_ORDERS_MAX } from "./guards.ts";
import { hasTrigger, type Signal, wrongSideText } from "./signal.ts";

/**
 * The legs of an order body: its list, or one leg of its stop, target and trailing stop. Empty when the body has none
 * of these.
 */
export function requestedLegs(signal: Signal): readonly LegRequest[] {
  if (signal.legs !== null) return signal.legs;
  const { stopLoss, takeProfit, trailing } = signal;
  const size = signal.executionType === "BRACKET" ? signal.size : null;
  const leg: LegRequest = { uuid: null, stopLoss, takeProfit, trailing, size };
  return hasTrigger(leg) ? [leg] : [];
}

/**
 * Creates the legs of a filled order. When a leg is on the wrong side of the fill price, it creates none and returns
 * the error text about that leg. Otherwise it returns the error text of the first leg that is refused, after it has
 * created the legs before that one; null when all legs were created.
 */
export function createLegs(
  state: NetworkState,
  account: Subaccount,
  parent: {
    readonly uuid: string;
    readonly pair: string;
    readonly price: number;
    /** The number of legs that may be created; all further legs are refused. */
    readonly legsMax?: number;
  },
  legs: readonly LegRequest[],
): string | null {
  const position = openPosition(account, parent.pair);
  if (position === undefined || legs.length === 0) return null;
  for (const leg of legs) {
    const wrong = wrongSideText(position.type, parent.price, leg);
    if (wrong !== null) return wrong;
  }
  for (const [index, leg] of legs.entries()) {
    if (index >= (parent.legsMax ?? legs.length)) return `leg ${index} was refused`;
    const uuid = leg.uuid ?? `${parent.uuid}-bracket-${index}`;
    const made = addLeg(state, account, position, { ...leg, uuid });
    if (!made.ok) return made.error;
  }
  return null;
}

/** Adds one resting leg to a position. */
export function addLeg(
  state: NetworkState,
  account: Subaccount,
  position: Position,
  leg: LegRequest,
): { readonly ok: true; readonly order: Order } | { readonly ok: false; readonly error: string } {
  if (account.resting.length >= RESTING_ORDERS_MAX) {
    return { ok: false, error: "miner has too many unfilled limit orders" };
  }
  const atMs = nextChangeTime(state, state.lastMs);
  const order: Order = {
    uuid: leg.uuid ?? nextUuid(state),
    pair: position.pair,
    type: position.type,
    executionType: "BRACKET",
    src: ORDER_SRC.bracketUnfilled,
    leverage: leg.size?.kind === "leverage" ? leg.size.amount : null,
    value: leg.size?.kind === "value" ? leg.size.amount : null,
    quantity: leg.size?.kind === "quantity" ? leg.size.amount : null,
    bracketPct: positionShareOf(leg),
    price: leg.trailing === null ? 0 : bestPrice(state, position),
    bid: 0,
    ask: 0,
    quoteUsdRate: 0,
    usdBaseRate: 0,
    processedMs: atMs,
    realizedPnl: 0,
    limitPrice: null,
    stopPrice: null,
    stopCondition: null,
    stopLoss: leg.stopLoss,
    takeProfit: leg.takeProfit,
    trailing: leg.trailing,
    marginLoan: 0,
    legs: [],
    bindingCap: null,
    changedMs: atMs,
  };
  account.resting.push(order);
  touchPosition(account, position.pair, atMs);
  return { ok: true, order };
}

/**
 * The share of the position that a leg takes; null for a size in other units. A leg without a size takes everything
 * that is open when it triggers.
 */
export function positionShareOf({ size }: LegRequest): number | null {
  if (size === null) return 1;
  return size.kind === "bracketPct" ? size.amount : null;
}

function bestPrice(state: NetworkState, { pair, type }: Position): number {
  const price = state.prices[pair];
  if (price === undefined) return 0;
  return type === "LONG" ? price.bid : price.ask;
}

/** Cancels the legs of a pair without an open position, and the legs that are older than the open position. */
export function cancelOrphanedLegs(state: NetworkState, account: Subaccount, pair: string): void {
  const position = openPosition(account, pair);
  const legs = account.resting.filter(
    (one) => one.executionType === "BRACKET" && one.pair === pair,
  );
  for (const leg of legs) {
    if (position !== undefined && leg.processedMs >= position.openMs) continue;
    cancelRestingOrder(account, leg, nextChangeTime(state, state.lastMs));
  }
}

/**
 * The price at which the stop of a leg acts at present: of a fixed and a trailing stop, the one that is reached first.
 * Null when the leg has neither.
 */
export function effectiveStop({ stopLoss, trailing, price, type }: Order): number | null {
  if (trailing === null) return stopLoss;
  const isLong = type === "LONG";
  const distance = "percent" in trailing ? price * trailing.percent : trailing.value;
  const trail = isLong ? price - distance : price + distance;
  if (stopLoss === null) return trail;
  return isLong ? Math.max(stopLoss, trail) : Math.min(stopLoss, trail);
}
