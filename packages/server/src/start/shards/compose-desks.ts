import type { Clock, Timer } from "../../base/clock.ts";
import type { Chance } from "../../base/random.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { createEventLines } from "../../storage/journal/event-lines.ts";
import { createOrderLineStore } from "../../storage/journal/order-lines.ts";
import { asOne, perShard } from "../../storage/shards/per-shard.ts";
import type { Shards } from "../../storage/shards/shards.ts";
import { createAccountStore } from "../../storage/stores/account-store.ts";
import { createReceiptStore } from "../../storage/stores/receipt-store.ts";
import type { EventDesk } from "../../trading/events/event-desk.ts";
import type { Firehose } from "../../trading/events/firehose.ts";
import { openEventDesk } from "../../trading/events/open-event-desk.ts";
import { openFirehose } from "../../trading/events/open-firehose.ts";
import { createJournalDesk, type JournalDesk } from "../../trading/journal/journal-desk.ts";
import {
  createOrderLifeDesk,
  type OrderLifeDesk,
} from "../../trading/order-lives/order-life-desk.ts";
import { createReceiptDesk, type ReceiptDesk } from "../../trading/receipts/receipt-desk.ts";
import { shardedEventDesk } from "../../trading/shards/sharded-event-desk.ts";
import { shardedJournalDesk } from "../../trading/shards/sharded-journal-desk.ts";
import { shardedOrderLives } from "../../trading/shards/sharded-order-lives.ts";
import { shardedReceiptDesk } from "../../trading/shards/sharded-receipt-desk.ts";
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
  const journals = perShard(databases.all, (database) => createJournalDesk(database, instruments));
  const events = perShard(options.engine.parts, (part) =>
    openEventDesk({ ...options, ...part, accounts: createAccountStore(part.database) }),
  );
  const receipts = perShard(databases.all, (database) =>
    createReceiptDesk({ ...options, store: createReceiptStore(database), overdueAfterMs }),
  );
  const lives = perShard(databases.all, (database) =>
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
