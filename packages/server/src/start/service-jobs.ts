import type { Clock, Job, Log } from "@propgate/base";
import {
  embeddedMaintenanceJobs,
  type LedgerShard,
  type PerShard,
  type Shards,
  type StorageWatch,
} from "@propgate/ledger";
import {
  type Catalogue,
  createCalendarWarningLog,
  createQuoteStore,
  createVenueFundingCollector,
  type GapHalts,
  type LiveFeed,
  type OpenedVenues,
  type PriceChoices,
  type PriceRecords,
  type QuoteBoard,
} from "@propgate/market";
import type { RepeatedWrites } from "../calls/operator/repeats/repeated-writes.ts";
import type { Webhooks } from "./compose-webhooks.ts";
import type { Engine } from "./engine.ts";
import { jobName } from "./job-name.ts";
import type { ComposedVanta } from "./networks/compose-vanta.ts";
import { type NodeClock, pauseWhileWrong } from "./nodes/node-clock.ts";

const EVERY_MS = 1_000;
const INDEX_EVERY_MS = 5_000;
const FINAL_EVERY_MS = 60_000;
/** The interval of the feed's tick. A source that falls silent is noticed up to this much late. */
const FEED_EVERY_MS = 250;
/** Due work that is done at least this long after it was due is logged. */
const LATE_MS = 60_000;

/** The jobs that the service repeats. A sandbox has few of them, and does its due work when its clock is moved. */
export function serviceJobs(options: {
  readonly engine: Engine;
  /** For each database, the watch that tries it and finds its failures. */
  readonly storage: PerShard<Pick<StorageWatch, "probe">>;
  readonly board: QuoteBoard;
  readonly databases: Shards;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly nodeClock: Pick<NodeClock, "problem">;
  readonly log: Log;
  readonly watchSource: () => void;
  readonly gapHalts: GapHalts;
  readonly records: Pick<PriceRecords, "jobs">;
  /** The part for linked accounts; null when the service has no validator. */
  readonly vanta: Pick<ComposedVanta, "jobs"> | null;
  readonly webhooks: Pick<Webhooks, "jobs">;
  readonly repeats: Pick<RepeatedWrites, "jobs">;
  readonly priceChoices: Pick<PriceChoices, "refresh">;
  /** The feed of live venues; null when prices are not live. */
  readonly feed: Pick<LiveFeed, "tick"> | null;
  /** True when other nodes decide the accounts that this one does not. */
  readonly hasPartitions?: boolean;
  /** The venues of live prices; null when prices are not live. */
  readonly venues: Pick<OpenedVenues, "funding"> | null;
}): readonly Job[] {
  const { engine, board, databases, clock, feed } = options;
  const quotes = createQuoteStore(databases.first);
  const fundingCollector = createVenueFundingCollector(options.venues, {
    rates: engine.funding,
    clock,
  });
  const watchCalendar = createCalendarWarningLog(options.catalogue.instruments, options.log);
  const probes = options.storage.map((watch, number) =>
    jobOf(jobName("storage probe", number), () => watch.probe()),
  );
  const work: readonly Job[] = [
    ...embeddedMaintenanceJobs(databases.first),
    jobOf("market data warnings", async () => {
      watchCalendar(clock.now());
      options.watchSource();
    }),
    // Corporate actions come before due work. Their job finds all their accounts together, while due work would find
    // the same accounts one by one.
    jobOf("corporate actions", async () => {
      const accounts = await engine.carryOutActions();
      await options.gapHalts.liftExplained();
      if (accounts > 0) options.log.info({ accounts }, "corporate actions were carried out");
    }),
    { name: "final funding rates", everyMs: FINAL_EVERY_MS, run: () => engine.readFinalFunding() },
    ...engine.shards.flatMap((part, number) => jobsOfPart(part, { ...options, number })),
    // Other processes may change the choices, but not in an embedded database, which belongs to this process.
    ...(databases.first.kind === "postgres"
      ? [jobOf("price choices", () => options.priceChoices.refresh())]
      : []),
    ...(feed === null
      ? []
      : [{ name: "live prices", everyMs: FEED_EVERY_MS, run: async () => feed.tick() }]),
    ...(fundingCollector === null ? [] : [jobOf("funding rates", () => fundingCollector.tick())]),
    // Follows the changes of accounts, so that no read of the index after a long pause has to read many journal lines.
    { name: "account index", everyMs: INDEX_EVERY_MS, run: () => engine.index.follow() },
    jobOf("market opening", () => engine.market.sweep()),
    jobOf("newest quotes", () => board.save(quotes)),
    ...options.records.jobs,
    ...options.webhooks.jobs,
    ...options.repeats.jobs,
    ...(options.vanta?.jobs ?? []),
  ];
  return [...probes, ...work.map((job) => pauseWhileWrong(options.nodeClock, job))];
}

/**
 * The jobs of one database. Each database has jobs of its own, so that a failing database does not delay the jobs of
 * the others.
 */
function jobsOfPart(
  part: LedgerShard,
  options: { readonly number: number; readonly hasPartitions?: boolean; readonly log: Log },
): readonly Job[] {
  const { number, hasPartitions = false } = options;
  const job = (name: string, run: () => Promise<void>): Job => jobOf(jobName(name, number), run);
  return [
    job("due work", async () => {
      const { accounts, latenessMs } = await part.due.runUnblocked();
      if (latenessMs === null || latenessMs < LATE_MS) return;
      options.log.warn({ accounts, latenessMs }, "overdue work was caught up");
    }),
    // A process that was stopped while this one started may have committed after this process read the database.
    ...(part.database.kind === "postgres" && !hasPartitions
      ? [job("other nodes", () => part.followOthers())]
      : []),
    job("equity points", () => part.equity.tick()),
    job("equity thinning", () => part.equity.thinner.tick()),
    job("old nonces", () => part.nonces.tick()),
  ];
}

function jobOf(name: string, run: () => Promise<void>): Job {
  return { name, everyMs: EVERY_MS, run };
}
