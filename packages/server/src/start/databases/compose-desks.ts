import type { Clock, Timer } from "../../base/clock.ts";
import type { Chance } from "../../base/random.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { DatabaseGroup } from "../../storage/databases/database-group.ts";
import { asOne, eachPart } from "../../storage/databases/per-database.ts";
import { createEventLines } from "../../storage/journal/event-lines.ts";
import { createOrderLineStore } from "../../storage/journal/order-lines.ts";
import { createAccountStore } from "../../storage/stores/account-store.ts";
import { createReceiptStore } from "../../storage/stores/receipt-store.ts";
import type { EventDesk } from "../../trading/events/event-desk.ts";
import type { Firehose } from "../../trading/events/firehose.ts";
import { openEventDesk } from "../../trading/events/open-event-desk.ts";
import { openFirehose } from "../../trading/events/open-firehose.ts";
import { eventDeskOfAll } from "../../trading/group/event-desk-of-all.ts";
import { journalDeskOfAll } from "../../trading/group/journal-desk-of-all.ts";
import { orderLivesOfAll } from "../../trading/group/order-lives-of-all.ts";
import { receiptDeskOfAll } from "../../trading/group/receipt-desk-of-all.ts";
import { createJournalDesk, type JournalDesk } from "../../trading/journal/journal-desk.ts";
import {
  createOrderLifeDesk,
  type OrderLifeDesk,
} from "../../trading/order-lives/order-life-desk.ts";
import { createReceiptDesk, type ReceiptDesk } from "../../trading/receipts/receipt-desk.ts";
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
  readonly databases: DatabaseGroup;
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
  const journals = eachPart(databases.all, (database) => createJournalDesk(database, instruments));
  const events = eachPart(options.engine.parts, (part) =>
    openEventDesk({ ...options, ...part, accounts: createAccountStore(part.database) }),
  );
  const receipts = eachPart(databases.all, (database) =>
    createReceiptDesk({ ...options, store: createReceiptStore(database), overdueAfterMs }),
  );
  const lives = eachPart(databases.all, (database) =>
    createOrderLifeDesk({
      lines: createEventLines(database),
      store: createOrderLineStore(database),
    }),
  );
  return {
    journal: asOne(journals, journalDeskOfAll),
    events: asOne(events, eventDeskOfAll),
    firehose: openFirehose({ ...options, parts: options.engine.parts }),
    orderLives: asOne(lives, orderLivesOfAll),
    receipts: asOne(receipts, receiptDeskOfAll),
  };
}
