import { type Clock, createMicroBatcher, type Timer } from "@propgate/base";
import { ERRORS } from "@propgate/contract";
import type {
  ReceiptStore,
  RejectedWrite,
  UndecidedWrite,
  WriteFate,
  WriteId,
} from "../../storage/rows/receipt-store-port.ts";
import { createAbandonedOrders } from "./abandoned-orders.ts";

/** Finds the fates of a key's orders, and stores rejections. @rule D9.receipts */
export interface ReceiptDesk {
  /**
   * The fate of the order; null when the key has not used the nonce. If the order is overdue and has no receipt, this
   * closes the receipt. An order that is being sent to a validator stays pending, at any age.
   */
  find(write: WriteId): Promise<WriteFate | null>;
  /** Stores a rejection before it is sent to the client. It is durable when the promise resolves. */
  storeRejection(write: RejectedWrite): Promise<void>;
  /**
   * Closes the receipt of an order that this node has abandoned, as soon as the database answers, unless the order has
   * committed or is being sent to a validator.
   */
  abandon(write: UndecidedWrite): void;
}

export interface ReceiptDeskOptions {
  readonly store: ReceiptStore;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The timeout of a call to the network. An older order is overdue. */
  readonly overdueAfterMs: number;
  /** Called when the receipts of abandoned orders cannot be closed although the database answers. */
  readonly onFault: (cause: unknown) => void;
}

const BATCH_MAX = 512;

/**
 * Makes the desk. When an order is older than the timeout, its sender has received the answer that its fate is unknown.
 * Reading the receipt then decides the fate: either the order has committed, or a rejection is written. The order's own
 * receipt collides with that rejection, so the order is not carried out. An order of a linked account that finds the
 * rejection is not sent.
 */
export function createReceiptDesk(options: ReceiptDeskOptions): ReceiptDesk {
  const { store, clock, overdueAfterMs } = options;
  const abandoned = createAbandonedOrders(options);
  const rejections = createMicroBatcher<RejectedWrite, undefined>({
    batchMax: BATCH_MAX,
    concurrentMax: 1,
    run: async (writes) => {
      await store.closeWrites(writes, clock.now());
      return writes.map(() => undefined);
    },
  });
  return {
    async find(write) {
      const found = await store.read(write);
      if (found?.fate !== "pending") return found;
      if (clock.now() - found.receivedAtMs < overdueAfterMs) return found;
      const { status, text } = ERRORS.notCarriedOut;
      const { receivedAtMs: admittedAtMs } = found;
      const ended = { ...write, status, error: text, refusalCode: null, admittedAtMs };
      await store.closeUndecided([ended], clock.now());
      return store.read(write);
    },
    storeRejection: (write) => rejections.submit(write),
    abandon: (write) => abandoned.add(write),
  };
}
