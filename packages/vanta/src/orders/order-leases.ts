import type { Timer } from "@propgate/base";
import type { OrderUuid } from "@propgate/core";
import type { UpstreamOrderStore } from "@propgate/ledger";
import type { OrderTimes } from "./order-times.ts";

/**
 * The leases of the orders that this process holds. A lease is short and is renewed while the process lives, so that
 * another process soon takes over the orders of a process that has died.
 */
export interface OrderLeases {
  /** Renews the lease of an order until it is released or lost. */
  hold(order: OrderUuid): void;
  release(order: OrderUuid): void;
  /** Releases the order. This or another process takes it over once `ms` have passed. */
  releaseFor(order: OrderUuid, ms: number): Promise<void>;
  /** False once another process has taken the order over, or it was released. */
  holds(order: OrderUuid): boolean;
  /** Stops all renewals. */
  stop(): void;
}

const RENEWALS_PER_LEASE = 3;

export function createOrderLeases(options: {
  readonly store: Pick<UpstreamOrderStore, "extendLeases">;
  readonly timer: Timer;
  readonly leaseHolder: string;
  readonly times: Pick<OrderTimes, "leaseMs">;
  readonly onFault: (cause: unknown) => void;
}): OrderLeases {
  const { store, timer, leaseHolder, times, onFault } = options;
  const held = new Set<OrderUuid>();
  let isRunning = false;
  let isStopped = false;

  const renew = async (): Promise<void> => {
    const orders = [...held];
    const kept = await store.extendLeases(orders, leaseHolder, times.leaseMs);
    for (const order of orders) if (!kept.has(order)) held.delete(order);
  };
  const loop = (): void => {
    isRunning = !isStopped && held.size > 0;
    if (!isRunning) return;
    timer.after(times.leaseMs / RENEWALS_PER_LEASE, () => {
      renew().catch(onFault).finally(loop);
    });
  };
  return {
    hold(order) {
      held.add(order);
      if (!isRunning) loop();
    },
    release: (order) => void held.delete(order),
    async releaseFor(order, ms) {
      held.delete(order);
      await store.extendLeases([order], leaseHolder, ms);
    },
    holds: (order) => held.has(order),
    stop() {
      isStopped = true;
    },
  };
}
