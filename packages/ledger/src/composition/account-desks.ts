import { perShard, shardAt } from "../storage/shards/per-shard.ts";
import { createAccountStore } from "../storage/stores/account-store.ts";
import type { EventDesk } from "../trading/events/event-desk.ts";
import { openEventDesk } from "../trading/events/open-event-desk.ts";
import type { JournalDesk } from "../trading/journal/journal-desk.ts";
import type { OrderLifeDesk } from "../trading/order-lives/order-life-desk.ts";
import type { ReceiptDesk } from "../trading/receipts/receipt-desk.ts";
import { createShardedEventDesk } from "../trading/shards/sharded-event-desk.ts";
import { createShardedJournalDesk } from "../trading/shards/sharded-journal-desk.ts";
import { createShardedOrderLives } from "../trading/shards/sharded-order-lives.ts";
import { createShardedReceiptDesk } from "../trading/shards/sharded-receipt-desk.ts";
import type { LedgerOptions } from "./open-ledger.ts";

/** The desks that read and write the histories of accounts. Each account is read and written in its own database. */
export interface AccountDesks {
  readonly journal: JournalDesk;
  readonly events: EventDesk;
  readonly orderLives: OrderLifeDesk;
  readonly receipts: ReceiptDesk;
}

export function openAccountDesks(options: LedgerOptions): AccountDesks {
  const { databases, instruments, clock, timer, networkTimeoutMs, onFault } = options;
  const { shards } = options.deciders;
  const longReads = databases.longReads.all;
  const events = perShard(shards, ({ database, executor }, number) =>
    openEventDesk({
      database: shardAt(longReads, number),
      executor,
      accounts: createAccountStore(database),
      timer,
      onFault,
    }),
  );
  const receipts = { clock, timer, overdueAfterMs: networkTimeoutMs, onFault };
  return {
    journal: createShardedJournalDesk(longReads, instruments),
    events: createShardedEventDesk(events),
    orderLives: createShardedOrderLives(longReads),
    receipts: createShardedReceiptDesk(databases.all, receipts),
  };
}
