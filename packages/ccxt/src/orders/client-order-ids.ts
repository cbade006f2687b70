import { LIMITS } from "@propgate/contract";
import type { Order } from "ccxt";
import { API_CALLS, callApi } from "../calls.ts";
import type { ExchangeContext } from "../ccxt-module.ts";
import { putNewest } from "../put-newest.ts";

/**
 * Finds the `clientOrderId` of pending orders, which their list does not contain. An order's `clientOrderId` never
 * changes, so the order history is read only for an order whose id is not kept here.
 */
export interface ClientOrderIds {
  remember(order: Order): void;
  /**
   * The `clientOrderId` of an order. Undefined when no key placed the order, and when it is not among the newest orders
   * of the history.
   */
  lookUp(id: string): Promise<string | undefined>;
  /** The same orders with their `clientOrderId`. A leg has none, because it was placed together with its order. */
  addTo(orders: readonly Order[]): Promise<Order[]>;
}

const KEPT_MAX = 5_000;

/** Creates the finder of one exchange, which keeps the newest ids. */
export function createClientOrderIds(desk: ExchangeContext): ClientOrderIds {
  const known = new Map<string, string | undefined>();
  const remember = (id: string, clientOrderId: string | undefined): void =>
    void putNewest(known, [id, clientOrderId], KEPT_MAX);
  const find = async (ids: readonly string[]): Promise<void> => {
    if (ids.every((id) => known.has(id))) return;
    const params = { limit: LIMITS.eventsLimitMax };
    const { items } = await callApi(desk, API_CALLS.orderHistory, { params });
    for (const { orderUuid, nonce } of items) remember(orderUuid, nonce ?? undefined);
    for (const id of ids) if (!known.has(id)) remember(id, undefined);
  };
  return {
    remember({ id, clientOrderId }) {
      if (id !== undefined) remember(id, clientOrderId);
    },
    async lookUp(id) {
      await find([id]);
      return known.get(id);
    },
    async addTo(orders) {
      const isEntry = ({ type }: Order): boolean => type === "limit";
      await find(orders.filter(isEntry).map(({ id }) => id ?? ""));
      return orders.map((order) =>
        isEntry(order) ? { ...order, clientOrderId: known.get(order.id ?? "") } : order,
      );
    },
  };
}
