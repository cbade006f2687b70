import { LIMITS } from "@propgate/contract";
import type { Order } from "ccxt";
import { ask, CALLS } from "../calls.ts";
import type { Desk } from "../ccxt-module.ts";
import { putNewest } from "../put-newest.ts";

/**
 * The `clientOrderId` of pending orders by their ids. The list of pending orders does not have it and it never changes,
 * so the order history is read only when an order is new here.
 */
export interface ClientOrderIds {
  learn(order: Order): void;
  /** Undefined for an order that no key placed, and for one that the newest of the history do not have. */
  of(id: string): Promise<string | undefined>;
  /** The same orders with it. A leg has none: it was placed with its order, whose id it is. */
  add(orders: readonly Order[]): Promise<Order[]>;
}

const KEPT_MAX = 5_000;

export function createClientOrderIds(desk: Desk): ClientOrderIds {
  const known = new Map<string, string | undefined>();
  const put = (id: string, clientOrderId: string | undefined): void =>
    void putNewest(known, [id, clientOrderId], KEPT_MAX);
  const find = async (ids: readonly string[]): Promise<void> => {
    if (ids.every((id) => known.has(id))) return;
    const params = { limit: LIMITS.eventsLimitMax };
    const { items } = await ask(desk, CALLS.orderHistory, { params });
    for (const { orderUuid, nonce } of items) put(orderUuid, nonce ?? undefined);
    for (const id of ids) if (!known.has(id)) put(id, undefined);
  };
  return {
    learn({ id, clientOrderId }) {
      if (id !== undefined) put(id, clientOrderId);
    },
    async of(id) {
      await find([id]);
      return known.get(id);
    },
    async add(orders) {
      const isEntry = ({ type }: Order): boolean => type === "limit";
      await find(orders.filter(isEntry).map(({ id }) => id ?? ""));
      return orders.map((order) =>
        isEntry(order) ? { ...order, clientOrderId: known.get(order.id ?? "") } : order,
      );
    },
  };
}
