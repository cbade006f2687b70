import type { Clock } from "../base/clock.ts";
import type { Job } from "../base/housekeeping.ts";
import type { Log } from "../base/log.ts";
import { createCalendarWatch } from "../catalogue/calendar-warnings.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { QuoteBoard } from "../prices/quote-board.ts";
import type { Database } from "../storage/databases/database.ts";
import type { StorageWatch } from "../storage/databases/storage-watch.ts";
import { createQuoteStore } from "../storage/stores/quote-store.ts";
import type { Engine } from "./engine.ts";

const EVERY_MS = 1_000;
/** Work that is later than this is logged. */
const LATE_MS = 60_000;

/** The jobs that the service repeats. A sandbox runs the same work when its clock is moved. */
export function serviceJobs(options: {
  readonly engine: Engine;
  readonly storage: Pick<StorageWatch, "probe">;
  readonly board: QuoteBoard;
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly log: Log;
  readonly watchSource: () => void;
}): readonly Job[] {
  const { engine, board, database, clock } = options;
  const quotes = createQuoteStore(database);
  const watchCalendar = createCalendarWatch(options.catalogue.instruments, options.log);
  const job = (name: string, run: () => Promise<void>): Job => ({ name, everyMs: EVERY_MS, run });
  return [
    job("storage probe", () => options.storage.probe()),
    job("market data warnings", async () => {
      watchCalendar(clock.now());
      options.watchSource();
    }),
    job("due work", async () => {
      const { accounts, latenessMs } = await engine.due.runUnblocked();
      if (latenessMs === null || latenessMs < LATE_MS) return;
      options.log.warn({ accounts, latenessMs }, "overdue work was caught up");
    }),
    // The embedded database belongs to one process.
    ...(database.kind === "postgres" ? [job("other nodes", () => engine.followOthers())] : []),
    job("market opening", () => engine.market.sweep()),
    job("newest quotes", () => board.save(quotes)),
    job("equity points", () => engine.equity.tick()),
    job("equity thinning", () => engine.equity.thinner.tick()),
  ];
}
