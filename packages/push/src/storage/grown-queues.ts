import { accountId, ownerId } from "@propgate/core";
import { OLDEST_OPEN_TRANSACTION_SQL, type Queryable } from "@propgate/ledger";
import type { LaneQueue } from "./lane-store.ts";

/** Finds by an index of the database the queues that have grown, no matter which node wrote to them. */
export interface GrownQueues {
  /**
   * The queues with events or alerts that this transaction or a later one wrote, and the oldest transaction that may
   * still be open. When `transactionId` is null, the page has no queues, only the oldest transaction that may still be
   * open.
   */
  findSince(transactionId: bigint | null): Promise<GrownQueuesPage>;
}

/** The queues that have grown since a transaction, and the transaction from which the next call continues. */
export interface GrownQueuesPage {
  /** The transaction's id to pass to the next call. */
  readonly transactionId: bigint;
  readonly queues: readonly LaneQueue[];
}

interface GrownRow {
  readonly place: string;
  /** The account of a queue of events; null for alerts, and in the one row of a result without queues. */
  readonly account_id: string | null;
  /**
   * The owner of alerts, empty for the operator; null for an account, and in the one row of a result without queues.
   */
  readonly owner: string | null;
}

/**
 * The left join keeps one row when no queue has grown, so that the result still has the oldest transaction that may be
 * open.
 */
const GROWN = `
select now.place, grown.account_id, grown.owner from (select ${OLDEST_OPEN_TRANSACTION_SQL}) now left join (
  select distinct account_id, null as owner from journal where transaction_id >= $1::xid8
  union all
  select null, owner from alert_heads where transaction_id >= $1::xid8
) grown on true`;

export function createGrownQueues(database: Queryable): GrownQueues {
  return {
    async findSince(transactionId) {
      const from = transactionId === null ? null : String(transactionId);
      const rows = await database.query<GrownRow>(GROWN, [from]);
      return { transactionId: BigInt(rows[0]?.place ?? 0), queues: rows.flatMap(queueOf) };
    },
  };
}

function queueOf({ account_id: account, owner }: GrownRow): readonly LaneQueue[] {
  if (account !== null) return [{ accountId: accountId(account) }];
  if (owner === null) return [];
  return [{ accountId: null, ownerId: owner === "" ? null : ownerId(owner) }];
}
