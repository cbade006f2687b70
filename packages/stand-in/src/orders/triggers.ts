import { cancelRestingOrder, endRestingOrder, nextChangeTime } from "../network/changes.ts";
import { bookFill } from "../network/fill.ts";
import { instrumentOf } from "../network/instruments.ts";
import {
  type NetworkState,
  ORDER_SRC,
  type Order,
  type Price,
  type Subaccount,
} from "../network/state.ts";
import { markPositions, midPriceOf, openPosition } from "../network/valuation.ts";
import { isMarketClosed } from "./guards.ts";
import { cancelOrphanedLegs, createLegs, effectiveStop } from "./legs.ts";
import { restingOrderSize } from "./resting.ts";

/**
 * Carries out every order that the present price of a pair triggers, in each active account in the order of arrival,
 * until none triggers any more: fills it, or turns a STOP_LIMIT into a LIMIT. A closed market triggers none.
 */
export function runTriggers(state: NetworkState, pair: string, nowMs: number): void {
  const price = state.prices[pair];
  if (price === undefined) return;
  for (const account of Object.values(state.subaccounts)) {
    for (const position of markPositions(state, account)) {
      position.changedMs = nextChangeTime(state, nowMs);
    }
    if (isMarketClosed(state, pair) || account.status !== "active") continue;
    followTrailing(account, pair, price);
    while (fillNext(state, account, pair, nowMs));
  }
}

/**
 * Fills a resting LIMIT at the present price, even when that price does not reach its limit. The order is the oldest
 * resting LIMIT whose id is in `named`, or without one the oldest resting LIMIT. Does nothing without a LIMIT, or
 * without a price of its pair.
 */
export function fillByItself(
  state: NetworkState,
  account: Subaccount,
  { named, nowMs }: { readonly named: readonly string[]; readonly nowMs: number },
): void {
  const limits = account.resting.filter(({ executionType }) => executionType === "LIMIT");
  const order = limits.find(({ uuid }) => named.includes(uuid)) ?? limits[0];
  const price = state.prices[order?.pair ?? ""];
  if (order === undefined || price === undefined) return;
  fillResting(state, account, order, {
    price: order.type === "LONG" ? price.ask : price.bid,
    nowMs,
  });
}

/** Moves the best prices of the trailing legs of a pair. */
function followTrailing(account: Subaccount, pair: string, { bid, ask }: Price): void {
  for (const leg of account.resting) {
    if (leg.pair !== pair || leg.trailing === null || leg.executionType !== "BRACKET") continue;
    if (leg.price === 0) leg.price = leg.type === "LONG" ? bid : ask;
    leg.price = leg.type === "LONG" ? Math.max(leg.price, bid) : Math.min(leg.price, ask);
  }
}

function fillNext(state: NetworkState, account: Subaccount, pair: string, nowMs: number): boolean {
  const price = state.prices[pair];
  if (price === undefined) return false;
  for (const order of account.resting.filter((one) => one.pair === pair)) {
    const at = triggerPrice(order, price);
    if (at === null) continue;
    if (order.executionType === "STOP_LIMIT") convertStopToLimit(state, account, order, nowMs);
    else fillResting(state, account, order, { price: at, nowMs });
    return true;
  }
  return false;
}

/**
 * The price at which a resting order acts, by a fill or, for a STOP_LIMIT, by its stop; null when the price does not
 * trigger it.
 */
function triggerPrice(order: Order, { bid, ask }: Price): number | null {
  switch (order.executionType) {
    case "LIMIT":
      return limitPrice(order, { bid, ask });
    case "STOP_LIMIT":
      return stopReached(order, midPriceOf({ bid, ask })) ? order.stopPrice : null;
    case "BRACKET":
      return legPrice(order, { bid, ask });
    case "MARKET":
      return null;
  }
}

function limitPrice({ type, limitPrice: limit }: Order, { bid, ask }: Price): number | null {
  if (limit === null) return null;
  return (type === "LONG" ? ask <= limit : bid >= limit) ? limit : null;
}

function stopReached({ stopPrice, stopCondition }: Order, middle: number): boolean {
  if (stopPrice === null) return false;
  return stopCondition === "GTE" ? middle >= stopPrice : middle <= stopPrice;
}

/** The price at which a leg fills; null when the price does not trigger it. The stop is checked before the target. */
function legPrice(leg: Order, { bid, ask }: Price): number | null {
  const stop = effectiveStop(leg);
  const target = leg.takeProfit;
  if (leg.type === "LONG") {
    if (stop !== null && bid <= stop) return stop;
    return target !== null && bid >= target ? target : null;
  }
  if (stop !== null && ask >= stop) return stop;
  return target !== null && ask <= target ? target : null;
}

/** A triggered STOP_LIMIT ends and leaves a LIMIT with its size and its legs. */
function convertStopToLimit(
  state: NetworkState,
  account: Subaccount,
  order: Order,
  nowMs: number,
): void {
  endRestingOrder(account, order, ORDER_SRC.stopLimitFilled, nextChangeTime(state, nowMs));
  const atMs = nextChangeTime(state, nowMs);
  account.resting.push({
    ...order,
    uuid: `${order.uuid}-limit`,
    executionType: "LIMIT",
    src: ORDER_SRC.limitUnfilled,
    stopPrice: null,
    stopCondition: null,
    processedMs: atMs,
    changedMs: atMs,
  });
}

function fillResting(
  state: NetworkState,
  account: Subaccount,
  order: Order,
  at: { readonly price: number; readonly nowMs: number },
): void {
  const pair = instrumentOf(order.pair);
  const isLeg = order.executionType === "BRACKET";
  const position = openPosition(account, order.pair);
  if (pair === undefined || (isLeg && position === undefined)) {
    cancelRestingOrder(account, order, nextChangeTime(state, at.nowMs));
    return;
  }
  const opposite = order.type === "LONG" ? "SHORT" : "LONG";
  const result = bookFill({
    state,
    account,
    pair,
    type: isLeg ? opposite : order.type,
    size: restingOrderSize(order),
    price: at.price,
    uuid: order.uuid,
    src: isLeg ? ORDER_SRC.bracketFilled : ORDER_SRC.limitFilled,
    executionType: order.executionType,
    nowMs: at.nowMs,
    from: order,
  });
  if (!result.ok) {
    cancelRestingOrder(account, order, nextChangeTime(state, at.nowMs));
    return;
  }
  const src = isLeg ? ORDER_SRC.bracketFilled : ORDER_SRC.limitFilled;
  endRestingOrder(account, order, src, nextChangeTime(state, at.nowMs));
  const parent = { uuid: order.uuid, pair: order.pair, price: at.price };
  createLegs(state, account, parent, order.legs);
  cancelOrphanedLegs(state, account, order.pair);
}
