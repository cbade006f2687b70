import type { Chance, Clock, Timer } from "@propgate/base";
import {
  asOne,
  createAccountStore,
  createEventLines,
  createJournalDesk,
  createOrderLifeDesk,
  createOrderLineStore,
  createReceiptDesk,
  createReceiptStore,
  type EventDesk,
  type Firehose,
  type JournalDesk,
  type OrderLifeDesk,
  openEventDesk,
  openFirehose,
  perShard,
  type ReceiptDesk,
  type Shards,
  shardAt,
  shardedEventDesk,
  shardedJournalDesk,
  shardedOrderLives,
  shardedReceiptDesk,
} from "@propgate/ledger";
import type { Catalogue } from "@propgate/market";
import type { Engine } from "../engine.ts";

/** The desks of journals, events and receipts; each account is read and written in its own database. */
export interface AccountDesks {
  readonly journal: JournalDesk;
  readonly events: EventDesk;
  readonly firehose: Firehose;
  readonly orderLives: OrderLifeDesk;
  readonly receipts: ReceiptDesk;
}

export function composeDesks(options: {
  readonly databases: Shards;
  readonly engine: Pick<Engine, "parts">;
  readonly catalogue: Pick<Catalogue, "instruments">;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly chance: Chance;
  readonly networkTimeoutMs: number;
  readonly onFault: (cause: unknown) => void;
}): AccountDesks {
  const { databases, networkTimeoutMs: overdueAfterMs } = options;
  const { instruments } = options.catalogue;
  const { all: lane } = databases.lane;
  const journals = perShard(lane, (database) => createJournalDesk(database, instruments));
  const events = perShard(options.engine.parts, (part, number) =>
    openEventDesk({
      ...options,
      ...part,
      database: shardAt(lane, number),
      accounts: createAccountStore(part.database),
    }),
  );
  const receipts = perShard(databases.all, (database) =>
    createReceiptDesk({ ...options, store: createReceiptStore(database), overdueAfterMs }),
  );
  const lives = perShard(lane, (database) =>
    createOrderLifeDesk({
      lines: createEventLines(database),
      store: createOrderLineStore(database),
    }),
  );
  return {
    journal: asOne(journals, shardedJournalDesk),
    events: asOne(events, shardedEventDesk),
    firehose: openFirehose({ ...options, parts: options.engine.parts }),
    orderLives: asOne(lives, shardedOrderLives),
    receipts: asOne(receipts, shardedReceiptDesk),
  };
}
