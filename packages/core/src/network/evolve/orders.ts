import type { AccountState } from "../../account/account.ts";
import { assert } from "../../assert.ts";
import type { OrderUuid } from "../../ids.ts";
import type { RestingOrder } from "../../orders/order.ts";
import type {
  LegsAttached,
  OrderCancelled,
  OrderEdited,
  OrderPlaced,
  StopTriggered,
  TrailMoved,
} from "../event.ts";

export function placeOrder(state: AccountState, event: OrderPlaced): AccountState {
  const { order } = event;
  return {
    ...state,
    orders: [...state.orders, order],
    lastOrderAtMs: { ...state.lastOrderAtMs, [order.pair]: event.atMs },
    lastActiveAtMs: event.atMs,
  };
}

export function editOrder(state: AccountState, event: OrderEdited): AccountState {
  const edited = withOrder(state, event.order.uuid, () => event.order);
  return { ...edited, lastActiveAtMs: event.atMs };
}

export function cancelOrder(state: AccountState, event: OrderCancelled): AccountState {
  assert(rests(state, event.orderUuid), `order ${event.orderUuid} rests until it is cancelled`);
  return { ...state, orders: state.orders.filter((order) => order.uuid !== event.orderUuid) };
}

/** The stop has done its work: what is left of the order is its limit. @rule D5.stopLimit */
export function triggerStop(state: AccountState, event: StopTriggered): AccountState {
  return withOrder(state, event.orderUuid, (order) => {
    assert(order.kind === "stopLimit", `a stop that triggers on a stop-limit, not a ${order.kind}`);
    const { stopPrice: _price, stopCondition: _condition, ...rest } = order;
    return { ...rest, kind: "limit" };
  });
}

export function moveTrail(state: AccountState, event: TrailMoved): AccountState {
  return withOrder(state, event.orderUuid, (order) => {
    assert(order.kind === "bracket", `a trail that moves on a leg, not a ${order.kind}`);
    return { ...order, bestPrice: event.bestPrice };
  });
}

export function attachLegs(state: AccountState, event: LegsAttached): AccountState {
  return { ...state, orders: [...state.orders, ...event.legs], lastActiveAtMs: event.atMs };
}

function withOrder(
  state: AccountState,
  uuid: OrderUuid,
  change: (order: RestingOrder) => RestingOrder,
): AccountState {
  assert(rests(state, uuid), `order ${uuid} rests`);
  return {
    ...state,
    orders: state.orders.map((order) => (order.uuid === uuid ? change(order) : order)),
  };
}

function rests(state: AccountState, uuid: OrderUuid): boolean {
  return state.orders.some((order) => order.uuid === uuid);
}
