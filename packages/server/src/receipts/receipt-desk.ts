import { ERRORS } from "@propgate/contract";
import type { Clock } from "../clock.ts";
import { microBatch } from "../micro-batch.ts";
import type { EndedWrite, ReceiptStore, WriteFate, WriteId } from "./receipt-store-port.ts";

/** Tells what became of a key's orders. @rule D9.receipts */
export interface ReceiptDesk {
  /** Null: unseen. Asking for one that is overdue ends it. */
  ask(write: WriteId): Promise<WriteFate | null>;
  /** Keeps the rejection that its sender is about to be answered; durable when it resolves. */
  rejected(write: EndedWrite): Promise<void>;
}

const MOST_A_BATCH = 512;

/**
 * `overdueAfterMs`: how long the network may take for one call. Whoever sent an order that is older
 * has been told that its fate is unknown; asking for its receipt makes it known: the order has
 * committed, or a rejection is written with which its own receipt collides, and it is not carried out.
 */
export function receiptDesk(need: {
  readonly store: ReceiptStore;
  readonly clock: Clock;
  readonly overdueAfterMs: number;
}): ReceiptDesk {
  const { store, clock, overdueAfterMs } = need;
  const rejections = microBatch<EndedWrite, undefined>({
    most: MOST_A_BATCH,
    atOnce: 1,
    run: async (writes) => {
      await store.end(writes, clock.now());
      return writes.map(() => undefined);
    },
  });
  return {
    async ask(write) {
      const found = await store.read(write);
      if (found?.fate !== "pending") return found;
      if (clock.now() - found.receivedAtMs < overdueAfterMs) return found;
      const { status, text } = ERRORS.notCarriedOut;
      await store.end([{ ...write, status, error: text }], clock.now());
      return store.read(write);
    },
    rejected: (write) => rejections.submit(write),
  };
}
