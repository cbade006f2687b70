import { Counter, collectDefaultMetrics, Gauge, Registry } from "@prometheus-io/client";
import { type Clock, type JobHealth, serviceRelease, type Timer } from "@propgate/base";
import type { OwnedPartitions } from "@propgate/cluster";
import { PARTITIONS, type Shards } from "@propgate/ledger";
import type { QuoteBoard, QuoteIntake } from "@propgate/market";
import type { Engine } from "../engine.ts";
import type { NodeBus } from "../nodes/node-bus.ts";
import type { NodeClock } from "../nodes/node-clock.ts";
import type { NodePartitions } from "../nodes/node-partitions.ts";
import type { ComposedService } from "../service.ts";
import type { BatchTally } from "./batch-tally.ts";
import { METRICS, type MetricRow } from "./metric-table.ts";
import type { Sample } from "./request-tally.ts";
import type { ServiceTallies } from "./service-tallies.ts";
import { readStoredFigures, type StoredFigures } from "./stored-figures.ts";
import { TalliedHistogram, type TallySeries } from "./tallied-histogram.ts";

/** The parts of a service that a scrape reads. */
export interface MeasuredService {
  readonly service: Pick<ComposedService, "app" | "engine" | "prices" | "storage">;
  readonly tallies: ServiceTallies;
  readonly databases: Shards;
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  readonly clock: Clock;
  readonly nodeClock: Pick<NodeClock, "aheadMs">;
  readonly timer: Timer;
  readonly jobs: () => readonly JobHealth[];
  /** The partitions of this node; null when the databases have no other nodes. */
  readonly partitions: Pick<NodePartitions, "figures"> | null;
  /** The bus that connects the nodes; null when the databases have no other nodes. */
  readonly nodeBus: Pick<NodeBus, "bus"> | null;
  /** The reason why the process must not get requests; null when it may. */
  readonly notReady: () => string | null;
}

/** A text in the format of Prometheus, and its content type. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

const MS_PER_SECOND = 1_000;
const EVERY_PARTITION: OwnedPartitions = {
  owned: PARTITIONS,
  takingOver: 0,
  oldestRenewalMs: null,
  refusals: 0,
};

/** Creates the service's metrics. Each call of the returned function is a scrape; concurrent scrapes share one. */
export function createServiceMetrics(measured: MeasuredService): () => Promise<MetricsText> {
  const registry = new Registry();
  let stored: readonly (StoredFigures | null)[] = [];
  let connections = 0;
  addTallies(registry, measured);
  addPrices(registry, measured);
  addShare(registry, measured);
  addState(registry, measured, { stored: () => stored, connections: () => connections });
  collectDefaultMetrics({ register: registry });
  const { timer, service } = measured;

  const scrape = async (): Promise<MetricsText> => {
    stored = await Promise.all(
      service.engine.shards.map((shard) => readStoredFigures({ shard, timer })),
    );
    connections = await openConnections(service.app);
    return { type: registry.contentType, text: await registry.metrics() };
  };
  let underWay: Promise<MetricsText> | null = null;
  return () => {
    underWay ??= scrape().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

function addTallies(
  registry: Registry,
  { tallies, service, intake, databases }: MeasuredService,
): void {
  const { requests } = tallies;
  const counter = createCounterAdder(registry);
  const histogram = (row: MetricRow, series: () => readonly TallySeries[]): TalliedHistogram =>
    new TalliedHistogram(row, registry, series);
  const alone = (row: MetricRow, tally: BatchTally["sizes"]): TalliedHistogram =>
    histogram(row, () => [{ labels: {}, tally }]);
  counter(METRICS.requests, () => requests.requests());
  histogram(METRICS.requestSeconds, () => requests.durations());
  histogram(METRICS.partSeconds, () => requests.parts());
  counter(METRICS.rejections, () => requests.rejections());
  alone(METRICS.admissionRequests, tallies.admissions.sizes);
  alone(METRICS.admissionSeconds, tallies.admissions.seconds);
  alone(METRICS.commitCommands, tallies.commits.sizes);
  alone(METRICS.commitSeconds, tallies.commits.seconds);
  counter(METRICS.journalLines, () => singleSample(tallies.journalLines()));
  counter(METRICS.faults, () => singleSample(tallies.faults()));
  counter(METRICS.quotesAccepted, () => singleSample(intake.acceptedCount()));
  counter(METRICS.quotesRejected, () => rejectedQuotes(intake));
  counter(METRICS.databaseWaits, () =>
    perDatabase(databases.all, (database) => database.connections().waits),
  );
  addForwarding(registry, service.engine);
  createGaugeAdder(registry)(METRICS.settlements, () =>
    singleSample(service.engine.market.unsettledCount()),
  );
}

/** Adds the metrics of forwarded commands. They have no samples in a process without other nodes. */
function addForwarding(registry: Registry, { forwarded }: Pick<Engine, "forwarded">): void {
  const counter = createCounterAdder(registry);
  counter(METRICS.commandsForwarded, () =>
    [...(forwarded?.().forwarded ?? [])].map(([result, value]) => ({ labels: { result }, value })),
  );
  createGaugeAdder(registry)(METRICS.commandsWaiting, () => sampleIfKnown(forwarded?.().waiting));
  counter(METRICS.lateAnswers, () => sampleIfKnown(forwarded?.().lateAnswers));
  counter(METRICS.passingDropped, () =>
    [...(forwarded?.().dropped ?? [])].map(([kind, value]) => ({ labels: { kind }, value })),
  );
}

function rejectedQuotes(intake: Pick<QuoteIntake, "rejectedQuotes">): readonly Sample[] {
  return intake.rejectedQuotes().flatMap(({ source, pair, counts }) =>
    Object.entries(counts)
      .filter(([, value]) => value > 0)
      .map(([reason, value]) => ({ labels: { source, pair: pair ?? "other", reason }, value })),
  );
}

function addPrices(registry: Registry, { board, service, clock }: MeasuredService): void {
  const gauge = createGaugeAdder(registry);
  const { engine, prices } = service;
  gauge(METRICS.quoteAge, () => {
    const now = clock.now();
    return [...board.quotes.values()].map(({ pair, atMs }) => ({
      labels: { pair },
      value: (now - atMs) / MS_PER_SECOND,
    }));
  });
  gauge(METRICS.pricesMissing, () => singleSample(prices.missingPricesText() === null ? 0 : 1));
  gauge(METRICS.quotesWaiting, () => singleSample(engine.market.lag().waiting));
  gauge(METRICS.boardLag, () => singleSample(engine.market.lag().oldestMs / MS_PER_SECOND));
}

/** Adds the metrics of this node's share of the accounts. Without other nodes, the node has every partition. */
function addShare(registry: Registry, { service, partitions, nodeBus }: MeasuredService): void {
  const [gauge, counter] = [createGaugeAdder(registry), createCounterAdder(registry)];
  const { shards } = service.engine;
  const read = (value: (figures: OwnedPartitions) => number): readonly Sample[] =>
    perDatabase(partitions?.figures() ?? shards.map(() => EVERY_PARTITION), value);
  gauge(METRICS.watchedAccounts, () => singleSample(service.engine.market.watchedCount()));
  gauge(METRICS.partitionsOwned, () => read(({ owned }) => owned));
  gauge(METRICS.partitionsTakenOver, () => read(({ takingOver }) => takingOver));
  gauge(METRICS.partitionRenewalAge, () =>
    read(({ oldestRenewalMs }) => (oldestRenewalMs ?? 0) / MS_PER_SECOND),
  );
  counter(METRICS.epochRefusals, () => read(({ refusals }) => refusals));
  counter(METRICS.busDropped, () =>
    [...(nodeBus?.bus.dropped() ?? [])].map(([kind, value]) => ({ labels: { kind }, value })),
  );
}

function addState(
  registry: Registry,
  measured: MeasuredService,
  read: {
    /** The figures of each database; null for one that did not answer. */
    readonly stored: () => readonly (StoredFigures | null)[];
    readonly connections: () => number;
  },
): void {
  const { service, jobs, notReady, nodeClock } = measured;
  const gauge = createGaugeAdder(registry);
  gauge(METRICS.clockAhead, () => singleSample((nodeClock.aheadMs() ?? 0) / MS_PER_SECOND));
  gauge(METRICS.buildInfo, () => [{ labels: { version: serviceRelease() }, value: 1 }]);
  gauge(METRICS.ready, () => singleSample(isReady(service, notReady) ? 1 : 0));
  gauge(METRICS.storageFault, () =>
    perDatabase(service.storage, (watch) => (watch.fault() === null ? 0 : 1)),
  );
  gauge(METRICS.connections, () => singleSample(read.connections()));
  gauge(METRICS.jobFailures, () =>
    jobs().map(({ name, failures }) => ({ labels: { job_name: name }, value: failures })),
  );
  addDatabases(gauge, measured, read.stored);
}

function addDatabases(
  gauge: ReturnType<typeof createGaugeAdder>,
  { databases, clock }: MeasuredService,
  stored: () => readonly (StoredFigures | null)[],
): void {
  const { all } = databases;
  gauge(METRICS.databaseConnections, () =>
    all.flatMap((one, number) => {
      const { inUse, idle } = one.connections();
      const database = String(number);
      return [
        { labels: { database, state: "used" }, value: inUse },
        { labels: { database, state: "idle" }, value: idle },
      ];
    }),
  );
  gauge(METRICS.databaseWaiting, () => perDatabase(all, (one) => one.connections().waiting));
  gauge(METRICS.databaseUp, () => perDatabase(stored(), (figures) => (figures === null ? 0 : 1)));
  gauge(METRICS.tableRows, () =>
    stored().flatMap((figures, number) =>
      [...(figures?.tableRows ?? [])].map(([table, value]) => ({
        labels: { database: String(number), table },
        value,
      })),
    ),
  );
  gauge(METRICS.dueAccounts, () => perDatabase(stored(), (figures) => figures?.due.waiting));
  gauge(METRICS.dueLag, () =>
    perDatabase(stored(), (figures) => {
      if (figures === null) return undefined;
      const { oldestDueAtMs } = figures.due;
      return oldestDueAtMs === null ? 0 : (clock.now() - oldestDueAtMs) / MS_PER_SECOND;
    }),
  );
  gauge(METRICS.awaitedAccounts, () =>
    stored().flatMap((figures, number) =>
      (figures?.due.awaited ?? []).map(({ pair, reason, accounts }) => ({
        labels: { database: String(number), pair, reason },
        value: accounts,
      })),
    ),
  );
}

/** A sample for each database; none for a database whose value is unknown. */
function perDatabase<Part>(
  parts: readonly Part[],
  read: (part: Part) => number | undefined,
): readonly Sample[] {
  return parts.flatMap((part, number) => {
    const value = read(part);
    return value === undefined ? [] : [{ labels: { database: String(number) }, value }];
  });
}

function isReady(
  { storage }: Pick<ComposedService, "storage">,
  notReady: MeasuredService["notReady"],
): boolean {
  return storage[0].fault() === null && notReady() === null;
}

function singleSample(value: number): readonly Sample[] {
  return [{ labels: {}, value }];
}

function sampleIfKnown(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : singleSample(value);
}

/** Returns a function that adds a gauge, whose samples are read when it is scraped. */
function createGaugeAdder(registry: Registry) {
  return ({ name, about, labels }: MetricRow, read: () => readonly Sample[]): Gauge<string> =>
    new Gauge<string>({
      name,
      help: about,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        if (labels.length === 0) this.remove();
        for (const sample of read()) this.set(sample.labels, sample.value);
      },
    });
}

/** Returns a function that adds a counter, whose samples are read when it is scraped. */
function createCounterAdder(registry: Registry) {
  return ({ name, about, labels }: MetricRow, read: () => readonly Sample[]): Counter<string> =>
    new Counter<string>({
      name,
      help: about,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const sample of read()) this.inc(sample.labels, sample.value);
      },
    });
}

function openConnections({ server }: ComposedService["app"]): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((cause, count) => resolve(cause === null ? count : 0));
  });
}
