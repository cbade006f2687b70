import type { Clock } from "@propgate/base";
import { type AccountId, type PairFinder, type UnixMs, unixMs } from "@propgate/core";
import type { LinkedAccountStore } from "@propgate/ledger";
import type { LinkedPosition, LinkedReadings } from "../../dashboard/linked-readings.ts";
import type { ObservedAccount } from "./found-order.ts";

/** Reads a linked account at the validator, from a given moment on. */
export interface LinkedAccountReader {
  /** Reads the whole account with a request that begins after `afterMs`; null when it cannot be read. */
  after(accountId: AccountId, afterMs: UnixMs): Promise<LinkedReadings | null>;
}

/** The readings of an account from before an order is sent, and whether they are new. */
export interface ReadBefore {
  /** Null when the account was never read. */
  readonly readings: LinkedReadings | null;
  /** False when the account was not read just before the order. Then the readings are the last ones, of any age. */
  readonly isOfNow: boolean;
}

/** Reads an account before its orders, and after them to find their fates. */
export interface ObservedAccountReader {
  before(accountId: AccountId): Promise<ReadBefore>;
  after(accountId: AccountId, afterMs: UnixMs): Promise<ObservedAccount | null>;
}

/**
 * The maximum number of closed positions, and of ended orders, that are read, newest first. The fill of an order is
 * looked for among them.
 */
const CLOSED_MAX = 200;

export function createObservedAccountReader(options: {
  readonly readings: LinkedAccountReader;
  readonly accounts: Pick<LinkedAccountStore, "find" | "records" | "recordChange">;
  readonly pairNames: () => Promise<PairFinder>;
  readonly clock: Clock;
}): ObservedAccountReader {
  const { readings, accounts, pairNames, clock } = options;
  /**
   * Reads with a request that begins after `sinceMs`, and also after the readings of processes whose clocks are ahead
   * of this one's.
   */
  const readSince = async (accountId: AccountId, sinceMs: UnixMs) => {
    const changedAtMs = await accounts.recordChange(accountId, sinceMs);
    return readings.after(accountId, changedAtMs ?? sinceMs);
  };
  return {
    async before(accountId) {
      const now = await readSince(accountId, unixMs(clock.now() - 1));
      if (now !== null) return { readings: now, isOfNow: true };
      const stored = (await accounts.find(accountId))?.readings ?? null;
      const last = stored === null ? null : (JSON.parse(stored) as LinkedReadings);
      return { readings: last, isOfNow: false };
    },
    async after(accountId, afterMs) {
      const now = await readSince(accountId, afterMs);
      if (now === null) return null;
      const [positions, orders, pairOf] = await Promise.all([
        accounts.records(accountId, "closedPosition", CLOSED_MAX),
        accounts.records(accountId, "closedOrder", CLOSED_MAX),
        pairNames(),
      ]);
      const closed = positions.map(({ body }) => JSON.parse(body) as LinkedPosition);
      const endedOrders = new Map(orders.map(({ id, atMs }) => [id, atMs]));
      return { readings: now, closed, endedOrders, pairOf };
    },
  };
}
