import { nextChangeTime, touchPosition } from "../network/changes.ts";
import {
  type LegRequest,
  type NetworkState,
  ORDER_SRC,
  type Order,
  type OrderSize,
  type Subaccount,
} from "../network/state.ts";
import { positionShareOf, requestedLegs } from "./legs.ts";
import type { Signal } from "./signal.ts";

/** A LIMIT or STOP_LIMIT that rests with the prices, the size and the legs of its body. */
export function createRestingOrder(
  state: NetworkState,
  signal: Signal,
  { uuid, pair, nowMs }: { readonly uuid: string; readonly pair: string; readonly nowMs: number },
): Order {
  const atMs = nextChangeTime(state, nowMs);
  const isStop = signal.executionType === "STOP_LIMIT";
  const size = signedSize(signal);
  return {
    uuid,
    pair,
    type: signal.type ?? "LONG",
    executionType: isStop ? "STOP_LIMIT" : "LIMIT",
    src: isStop ? ORDER_SRC.stopLimitUnfilled : ORDER_SRC.limitUnfilled,
    leverage: size?.kind === "leverage" ? size.amount : null,
    value: size?.kind === "value" ? size.amount : null,
    quantity: size?.kind === "quantity" ? size.amount : null,
    bracketPct: null,
    price: 0,
    bid: 0,
    ask: 0,
    quoteUsdRate: 0,
    usdBaseRate: 0,
    processedMs: atMs,
    realizedPnl: 0,
    limitPrice: signal.limitPrice,
    stopPrice: isStop ? signal.stopPrice : null,
    stopCondition: isStop ? signal.stopCondition : null,
    stopLoss: signal.stopLoss,
    takeProfit: signal.takeProfit,
    trailing: signal.trailing,
    marginLoan: 0,
    legs: requestedLegs(signal),
    bindingCap: null,
    changedMs: atMs,
  };
}

/** The size of a body; SHORT sizes are negative inside the network. */
function signedSize({ size, type }: Signal): OrderSize | null {
  if (size === null || type !== "SHORT") return size;
  return { ...size, amount: -Math.abs(size.amount) };
}

/** The size with which a resting order fills. */
export function restingOrderSize(order: Order): OrderSize | null {
  if (order.bracketPct !== null) return { kind: "bracketPct", amount: order.bracketPct };
  if (order.quantity !== null) return { kind: "quantity", amount: order.quantity };
  if (order.value !== null) return { kind: "value", amount: order.value };
  return order.leverage === null ? null : { kind: "leverage", amount: order.leverage };
}

/** Gives a resting leg the prices of a request, and its size when it has one. */
export function changeRestingLeg(
  state: NetworkState,
  account: Subaccount,
  order: Order,
  leg: LegRequest,
): void {
  order.stopLoss = leg.stopLoss;
  order.takeProfit = leg.takeProfit;
  order.trailing = leg.trailing;
  if (leg.size !== null) {
    order.bracketPct = positionShareOf(leg);
    order.quantity = leg.size.kind === "quantity" ? leg.size.amount : null;
    order.value = leg.size.kind === "value" ? leg.size.amount : null;
    order.leverage = leg.size.kind === "leverage" ? leg.size.amount : null;
  }
  order.changedMs = nextChangeTime(state, state.lastMs);
  touchPosition(account, order.pair, order.changedMs);
}
