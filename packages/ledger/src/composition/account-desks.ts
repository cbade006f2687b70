import type { Chance, Clock, Timer } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import type { Database } from "../storage/databases/database.ts";
import { type PerShard, perShard, shardAt } from "../storage/shards/per-shard.ts";
import type { Shards } from "../storage/shards/shards.ts";
import { createAccountStore } from "../storage/stores/account-store.ts";
import type { EventDesk } from "../trading/events/event-desk.ts";
import type { Firehose } from "../trading/events/firehose.ts";
import { openEventDesk } from "../trading/events/open-event-desk.ts";
import { openFirehose } from "../trading/events/open-firehose.ts";
import type { Executor } from "../trading/executor-port.ts";
import type { JournalDesk } from "../trading/journal/journal-desk.ts";
import type { OrderLifeDesk } from "../trading/order-lives/order-life-desk.ts";
import type { ReceiptDesk } from "../trading/receipts/receipt-desk.ts";
import { shardedEventDesk } from "../trading/shards/sharded-event-desk.ts";
import { shardedJournalDesk } from "../trading/shards/sharded-journal-desk.ts";
import { shardedOrderLives } from "../trading/shards/sharded-order-lives.ts";
import { shardedReceiptDesk } from "../trading/shards/sharded-receipt-desk.ts";

/** The desks of journals, events and receipts; each account is read and written in its own database. */
export interface AccountDesks {
  readonly journal: JournalDesk;
  readonly events: EventDesk;
  readonly firehose: Firehose;
  readonly orderLives: OrderLifeDesk;
  readonly receipts: ReceiptDesk;
}

export function openAccountDesks(options: {
  readonly databases: Shards;
  /** The databases with the executors of their accounts. */
  readonly parts: PerShard<{
    readonly database: Database;
    readonly executor: Pick<Executor, "onCommit">;
  }>;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly chance: Chance;
  /** The timeout of a call to the network. */
  readonly overdueAfterMs: number;
  readonly onFault: (cause: unknown) => void;
}): AccountDesks {
  const { databases, parts, instruments, clock, timer, chance, overdueAfterMs, onFault } = options;
  const { all: lane } = databases.lane;
  const events = perShard(parts, ({ database, executor }, number) =>
    openEventDesk({
      database: shardAt(lane, number),
      executor,
      accounts: createAccountStore(database),
      timer,
      onFault,
    }),
  );
  return {
    journal: shardedJournalDesk(lane, instruments),
    events: shardedEventDesk(events),
    firehose: openFirehose({ parts, timer, chance, onFault }),
    orderLives: shardedOrderLives(lane),
    receipts: shardedReceiptDesk(databases.all, { clock, timer, overdueAfterMs, onFault }),
  };
}
