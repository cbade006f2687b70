import { type Clock, delay, type Timer } from "@propgate/base";
import { isUnavailable } from "../../storage/databases/database-error.ts";
import type { ReceiptStore, UndecidedWrite } from "../../storage/rows/receipt-store-port.ts";

/**
 * The maximum number of receipts that one transaction closes. Each locks its nonce, and the server has room for 64
 * locks per connection.
 */
const BATCH_MAX = 64;
const TRY_EVERY_MS = 250;
/** The maximum number of waiting orders. The receipts of further orders stay pending until they are overdue. */
const ORDERS_MAX = 10_000;

/** Closes the receipts of orders that this node has abandoned. */
export interface AbandonedOrders {
  add(write: UndecidedWrite): void;
}

/**
 * Closes the receipt of each added order as soon as the database answers.
 *
 * Only the node that admitted an order forwards it to the owner of its account. After that node has abandoned the
 * order, no node begins to carry it out. A node that still has the order under way either commits it before the receipt
 * is closed, or finds the closed receipt: then its statement fails, and no part of the order is written.
 *
 * Overdue orders are dropped, because reading their receipts closes them.
 */
export function createAbandonedOrders(options: {
  readonly store: Pick<ReceiptStore, "closeUndecided">;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly overdueAfterMs: number;
  readonly onFault: (cause: unknown) => void;
}): AbandonedOrders {
  const { store, clock, timer, overdueAfterMs, onFault } = options;
  let waiting: UndecidedWrite[] = [];
  let isRunning = false;

  const closeNext = async (): Promise<void> => {
    const writes = waiting.slice(0, BATCH_MAX);
    try {
      await store.closeUndecided(writes, clock.now());
    } catch (cause) {
      if (isUnavailable(cause)) return delay(timer, TRY_EVERY_MS);
      onFault(cause);
    }
    waiting.splice(0, writes.length);
  };
  const closeAll = async (): Promise<void> => {
    for (;;) {
      const now = clock.now();
      waiting = waiting.filter(({ admittedAtMs }) => now - admittedAtMs < overdueAfterMs);
      if (waiting.length === 0) break;
      await closeNext();
    }
    isRunning = false;
  };
  return {
    add(write) {
      if (waiting.length >= ORDERS_MAX) return;
      waiting.push(write);
      if (isRunning) return;
      isRunning = true;
      void closeAll();
    },
  };
}
