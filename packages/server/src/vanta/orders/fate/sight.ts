import type { AccountId, PairNames, UnixMs } from "@propgate/core";
import type { LinkedAccountStore } from "../../../storage/rows/linked-account.ts";
import type { LinkedPosition, LinkedReadings } from "../../dashboard/linked-readings.ts";
import type { AccountSight } from "./found-order.ts";

/** The readings of linked accounts that orders need. */
export interface OrderReadings {
  /** As a client would get them now; null when they cannot be had. */
  recent(accountId: AccountId): Promise<LinkedReadings | null>;
  /** The whole account, from a request that began after that moment; null when it cannot be had now. */
  after(accountId: AccountId, afterMs: UnixMs): Promise<LinkedReadings | null>;
}

/** Reads an account to find what became of its orders. */
export interface SightReader {
  /** As it was read last, at any age, when it cannot be read now; null when it was never read. */
  before(accountId: AccountId): Promise<LinkedReadings | null>;
  after(accountId: AccountId, afterMs: UnixMs): Promise<AccountSight | null>;
}

/** Positions close one after the other; an order's fill is among the newest. */
const CLOSED_MAX = 200;

export function createSightReader(options: {
  readonly readings: OrderReadings;
  readonly accounts: Pick<LinkedAccountStore, "find" | "records" | "noteChange">;
  readonly pairNames: () => Promise<PairNames>;
}): SightReader {
  const { readings, accounts, pairNames } = options;
  return {
    async before(accountId) {
      const recent = await readings.recent(accountId);
      if (recent !== null) return recent;
      const stored = (await accounts.find(accountId))?.readings ?? null;
      return stored === null ? null : (JSON.parse(stored) as LinkedReadings);
    },
    async after(accountId, afterMs) {
      // Another process may have read before that moment with a faster clock.
      const changedAtMs = await accounts.noteChange(accountId, afterMs);
      const now = await readings.after(accountId, changedAtMs ?? afterMs);
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
