import { assert } from "../assert.ts";
import type { OrderUuid } from "../ids.ts";
import type { AccountState } from "../state/account.ts";
import type {
  LegsAttached,
  OrderCancelled,
  OrderEdited,
  OrderHeld,
  OrderPlaced,
  OrderRejected,
  StopTriggered,
  TrailMoved,
} from "../state/event.ts";
import { withResidual } from "../state/ladder.ts";
import type { PendingOrder } from "../state/order.ts";

/** The account with a new pending order. Inactivity and the cooldown of the pair count from the event. */
export function applyOrderPlaced(state: AccountState, event: OrderPlaced): AccountState {
  const { order } = event;
  return {
    ...state,
    orders: [...state.orders, order],
    lastOrderAtMs: { ...state.lastOrderAtMs, [order.pair]: event.atMs },
    idleSinceMs: event.atMs,
  };
}

/** The account with the edited order, at the same position in its list of orders. Inactivity counts from the event. */
export function applyOrderEdited(state: AccountState, event: OrderEdited): AccountState {
  const edited = withOrder(state, event.order.uuid, () => event.order);
  return { ...edited, idleSinceMs: event.atMs };
}

/**
 * The account without the order. When the order is a leg that closed nothing because its share rounded to zero, the
 * other legs of its request add the share to theirs.
 * @rule D12.ladder
 */
export function applyOrderCancelled(state: AccountState, event: OrderCancelled): AccountState {
  const left = withoutOrder(state, event.orderUuid);
  if (event.reason !== "roundedAway") return left;
  const leg = state.orders.find(({ uuid }) => uuid === event.orderUuid);
  assert(leg?.kind === "bracket", "only a leg is rounded away");
  return { ...left, orders: withResidual(left.orders, leg, 0) };
}

/** The account without a triggered order that could not be filled. */
export function applyOrderRejected(state: AccountState, event: OrderRejected): AccountState {
  return withoutOrder(state, event.orderUuid);
}

/** The account after an entry began to wait for the next quote. @rule D10.exitHeld */
export function applyOrderHeld(state: AccountState, event: OrderHeld): AccountState {
  return withOrder(state, event.orderUuid, (order) => {
    assert(order.kind !== "bracket", "only an entry waits for the next quote");
    return { ...order, heldAt: event.quote };
  });
}

/** The account after a stop-limit order became a limit order. @rule D5.stopLimit */
export function applyStopTriggered(state: AccountState, event: StopTriggered): AccountState {
  return withOrder(state, event.orderUuid, (order) => {
    assert(order.kind === "stopLimit", `only a stop-limit triggers, not a ${order.kind}`);
    const { stopPrice: _price, stopCondition: _condition, ...rest } = order;
    return { ...rest, kind: "limit" };
  });
}

/** The account after a trailing leg has followed a better price. */
export function applyTrailMoved(state: AccountState, event: TrailMoved): AccountState {
  return withOrder(state, event.orderUuid, (order) => {
    assert(order.kind === "bracket", `only a leg trails, not a ${order.kind}`);
    return { ...order, bestPrice: event.bestPrice, bestAtMs: event.atMs };
  });
}

/** The account with the attached legs appended to its pending orders. Inactivity counts from the event. */
export function applyLegsAttached(state: AccountState, event: LegsAttached): AccountState {
  return { ...state, orders: [...state.orders, ...event.legs], idleSinceMs: event.atMs };
}

function withoutOrder(state: AccountState, uuid: OrderUuid): AccountState {
  assert(isPending(state, uuid), `order ${uuid} is pending until it ends`);
  return { ...state, orders: state.orders.filter((order) => order.uuid !== uuid) };
}

function withOrder(
  state: AccountState,
  uuid: OrderUuid,
  change: (order: PendingOrder) => PendingOrder,
): AccountState {
  assert(isPending(state, uuid), `order ${uuid} is pending`);
  return {
    ...state,
    orders: state.orders.map((order) => (order.uuid === uuid ? change(order) : order)),
  };
}

function isPending(state: AccountState, uuid: OrderUuid): boolean {
  return state.orders.some((order) => order.uuid === uuid);
}
