import type { Clock } from "../base/clock.ts";
import type { Job } from "../base/housekeeping.ts";
import type { Log } from "../base/log.ts";
import { createCalendarWatch } from "../catalogue/calendar-warnings.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { LiveFeed } from "../prices/composition/live-feed.ts";
import type { PriceChoices } from "../prices/composition/price-choices.ts";
import type { QuoteBoard } from "../prices/quote-board.ts";
import type { Database } from "../storage/databases/database.ts";
import type { StorageWatch } from "../storage/databases/storage-watch.ts";
import { createQuoteStore } from "../storage/stores/quote-store.ts";
import type { Engine } from "./engine.ts";
import type { GapHalts } from "./gap-halts.ts";
import type { OpenedVenues } from "./live-prices.ts";
import type { ComposedVanta } from "./networks/compose-vanta.ts";
import type { PriceRecords } from "./price-records.ts";
import { collectorOf } from "./venue-funding.ts";

const EVERY_MS = 1_000;
/** A source that fell silent is noticed this much later. */
const FEED_EVERY_MS = 250;
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
  readonly gapHalts: GapHalts;
  readonly records: Pick<PriceRecords, "jobs">;
  /** Null without a validator. */
  readonly vanta: Pick<ComposedVanta, "jobs"> | null;
  readonly priceChoices: Pick<PriceChoices, "refresh">;
  /** Null when prices are not live. */
  readonly feed: Pick<LiveFeed, "tick"> | null;
  /** True when another node decides the accounts that this one does not. */
  readonly hasPartitions?: boolean;
  /** The venues of live prices; null when prices are not live. */
  readonly venues: Pick<OpenedVenues, "funding"> | null;
}): readonly Job[] {
  const { engine, board, database, clock, feed } = options;
  const quotes = createQuoteStore(database);
  const fundingCollector = collectorOf(options.venues, { rates: engine.funding, clock });
  const watchCalendar = createCalendarWatch(options.catalogue.instruments, options.log);
  const job = (name: string, run: () => Promise<void>): Job => ({ name, everyMs: EVERY_MS, run });
  return [
    job("storage probe", () => options.storage.probe()),
    job("market data warnings", async () => {
      watchCalendar(clock.now());
      options.watchSource();
    }),
    // Before due work, which would find the same accounts one by one.
    job("corporate actions", async () => {
      const accounts = await engine.carryOutActions();
      await options.gapHalts.liftExplained();
      if (accounts > 0) options.log.info({ accounts }, "corporate actions were carried out");
    }),
    job("due work", async () => {
      const { accounts, latenessMs } = await engine.due.runUnblocked();
      if (latenessMs === null || latenessMs < LATE_MS) return;
      options.log.warn({ accounts, latenessMs }, "overdue work was caught up");
    }),
    // The embedded database belongs to one process.
    ...(database.kind === "postgres"
      ? [
          // A process that was stopped while this one started may have committed once more.
          ...(options.hasPartitions === true
            ? []
            : [job("other nodes", () => engine.followOthers())]),
          job("price choices", () => options.priceChoices.refresh()),
        ]
      : []),
    ...(feed === null
      ? []
      : [{ name: "live prices", everyMs: FEED_EVERY_MS, run: async () => feed.tick() }]),
    ...(fundingCollector === null ? [] : [job("funding rates", () => fundingCollector.tick())]),
    job("market opening", () => engine.market.sweep()),
    job("newest quotes", () => board.save(quotes)),
    job("equity points", () => engine.equity.tick()),
    job("equity thinning", () => engine.equity.thinner.tick()),
    job("old nonces", () => engine.nonces.tick()),
    ...options.records.jobs,
    ...(options.vanta?.jobs ?? []),
  ];
}
