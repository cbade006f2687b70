import { unixMs } from "@propgate/core";
import { pino } from "pino";
import type { Clock, Stopwatch, Timer } from "../../../packages/base/src/clock.ts";
import { createHousekeeping } from "../../../packages/base/src/housekeeping.ts";
import { parseMasterKeys } from "../../../packages/base/src/keys/master-key.ts";
import type { Log } from "../../../packages/base/src/log.ts";
import { createSeededChance } from "../../../packages/base/src/random.ts";
import type { Transport } from "../../../packages/base/src/transport/transport.ts";
import { createSharedBus, type SharedBus } from "../../../packages/cluster/src/bus/shared-bus.ts";
import { openForwarding } from "../../../packages/cluster/src/forwarding/open-forwarding.ts";
import type { Database } from "../../../packages/ledger/src/storage/databases/database.ts";
import { createLeaseStore } from "../../../packages/ledger/src/storage/leases/lease-store.ts";
import type { QuotePosition } from "../../../packages/ledger/src/storage/rows/quote-position.ts";
import { perShard } from "../../../packages/ledger/src/storage/shards/per-shard.ts";
import type { Shards } from "../../../packages/ledger/src/storage/shards/shards.ts";
import { createRestoreStore } from "../../../packages/ledger/src/storage/stores/restore-store.ts";
import { upgradeStates } from "../../../packages/ledger/src/trading/journal/state-format.ts";
import type { Catalogue } from "../../../packages/market/src/catalogue/catalogue.ts";
import { adoptCatalogue } from "../../../packages/market/src/catalogue/catalogue-in-force.ts";
import { storePrograms } from "../../../packages/market/src/catalogue/program-desk.ts";
import type { ProgramFile } from "../../../packages/market/src/catalogue/programs.ts";
import { boardCandles } from "../../../packages/market/src/prices/candles/memory-candles.ts";
import type { PriceChoices } from "../../../packages/market/src/prices/composition/price-choices.ts";
import type { PriceSource } from "../../../packages/market/src/prices/port.ts";
import {
  createQuoteBoard,
  type QuoteBoard,
} from "../../../packages/market/src/prices/quote-board.ts";
import { openQuoteFlow } from "../../../packages/market/src/prices/quote-flow.ts";
import { openFeedEpochs } from "../../../packages/market/src/prices/quotes/epoch.ts";
import type { NumberedQuote } from "../../../packages/market/src/prices/quotes/numbered-quote.ts";
import { createQuoteStore } from "../../../packages/market/src/storage/quote-store.ts";
import { type DataLife, openDataLife } from "../../../packages/server/src/start/data-life.ts";
import { nodeFiguresOf } from "../../../packages/server/src/start/nodes/added-figures.ts";
import { createFeedNode } from "../../../packages/server/src/start/nodes/feed-node.ts";
import { FEED_LEASE } from "../../../packages/server/src/start/nodes/lease-names.ts";
import {
  correctedTime,
  createNodeClock,
  type NodeClock,
  pauseWhileWrong,
  RIGHT_CLOCK,
} from "../../../packages/server/src/start/nodes/node-clock.ts";
import { nodeConfiguration } from "../../../packages/server/src/start/nodes/node-configuration.ts";
import { joinNodes, rolesOf } from "../../../packages/server/src/start/nodes/node-membership.ts";
import { openNodePartitions } from "../../../packages/server/src/start/nodes/node-partitions.ts";
import {
  type ComposedService,
  composeService,
} from "../../../packages/server/src/start/service.ts";
import { createNodeStore } from "../../../packages/server/src/storage/node-store.ts";
import {
  NETWORK_TIMEOUT_MS,
  OPERATOR_TOKEN,
  TEST_MASTER_KEY,
} from "../../../packages/server/src/testing/harness.ts";
import type { SourcedQuote } from "../price-sources.ts";
import type { WallClock } from "../time/wall-clock.ts";
import { openSimulatedVenues } from "./simulated-venues.ts";

/** The service of a node that has started, with the parts that the run uses. */
export interface RunningService {
  readonly service: ComposedService;
  readonly board: QuoteBoard;
  readonly database: Database;
  readonly choices: PriceChoices;
  readonly nodeClock: NodeClock;
  /** Offers a quote to its source. The source drops it while this node is not the feed. */
  offer(quote: SourcedQuote): void;
  /** The reason why the node is not ready; null when it is. */
  problem(): string | null;
  /** The position in the sequence of quotes up to which the node has all quotes. */
  readonly position: QuotePosition;
  /** The number of partitions of each database that the node owns. */
  owned(): readonly number[];
}

/** The environment in which a process of the service starts in a run. */
export interface NodeEnvironment {
  readonly databases: Shards;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly steadyClock: Stopwatch;
  /** The time of the run, without the errors of clocks. */
  readonly worldMs: () => number;
  /** True when the run may make clocks wrong. */
  readonly hasWrongClocks: boolean;
  /** Called when the node finds that its clock is wrong. */
  readonly onClockWrong: () => void;
  readonly timer: Timer;
  /** The id of the node's process. */
  readonly id: string;
  /** The seed of the random numbers of this life of the node. */
  readonly seed: string;
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
  readonly onFault: (what: string, cause: unknown) => void;
  /** Called when the process must end because its database was restored; undefined in a run without restores. */
  readonly onEnded: (() => void) | undefined;
  /** Called for each quote that the node gets, in order. */
  readonly onQuote: (quote: NumberedQuote) => void;
}

/** The same pause between two ticks of live prices as in the service. */
const LIVE_PRICES_EVERY_MS = 250;
/** A price source that sends nothing. The service requires a source, but does not use it when it has venues. */
const NO_SOURCE: PriceSource = {
  name: "none",
  start: async () => undefined,
  stop: async () => undefined,
  warnings: () => [],
};
const NO_PRICES = { source: NO_SOURCE, description: "none" };
const NO_RECORDS = { lastEpoch: 0, recordFrom: () => undefined };
/** The id of the installation in a run without restores, and while the database has none. */
const INSTALLATION = "simulation";
const SEAL_KEY = new Uint8Array(32);

/** Starts the service as `start-service.ts` does, with the run's clock, timers, database and messages. */
export async function composeNode(around: NodeEnvironment): Promise<RunningService> {
  const { databases, clock, timer } = around;
  const database = databases.first;
  const log = errorLog(around.onFault);
  const chance = createSeededChance(around.seed);
  const membership = await joinNodes({
    database,
    configuration: nodeConfiguration(around.catalogue),
    roles: rolesOf("all"),
    hasBus: true,
    chance: { ...chance, uuid: () => around.id },
    timer,
  });
  const node = membership.nodeId;
  const housekeeping = createHousekeeping({ clock, timer, log });
  const nodeClock = await openNodeClock(database, around);
  housekeeping.start([membership.heartbeat]);
  if (around.hasWrongClocks) housekeeping.start([nodeClock.job]);
  const instruments = await adoptCatalogue(databases, around.catalogue.instruments, clock.now());
  const catalogue = { ...around.catalogue, instruments };
  const dataLife = around.onEnded === undefined ? undefined : await openLife(around, log);
  if (dataLife !== undefined) housekeeping.start([dataLife.job]);
  const board = createQuoteBoard();
  await board.restore(createQuoteStore(database), correctedTime(nodeClock, clock));
  await storePrograms(around.programs, { database, clock });
  await upgradeStates({ databases: databases.all, instruments, log });
  const leases = createLeaseStore(database);
  const installation = dataLife === undefined ? INSTALLATION : await lifeOf(database);
  const bus = createSharedBus({
    ...around,
    installation,
    node,
    instruments,
    sealKeys: [SEAL_KEY],
    feedEpoch: () => leases.epochOf(FEED_LEASE),
    log,
  });
  const { venues, offer } = openSimulatedVenues(instruments, around.wallClock);
  const flow = await openQuoteFlow(
    databases,
    {
      sharedBus: bus,
      catalogue,
      board,
      prices: { ...NO_PRICES, clock },
      venues,
      records: NO_RECORDS,
    },
    log,
  );
  const { intake, feed: liveFeed, gapHalts, priceChoices: choices } = flow;
  if (liveFeed === null) throw new Error("prices of venues have a live feed");
  const partitions = openNodePartitions({
    ...around,
    nodeBus: { bus, node },
    nodeClock,
    isCandidate: true,
    membership,
    instruments,
    board,
    tape: null,
    engine: () => service.engine,
    log,
  });
  const service: ComposedService = composeService({
    ownerships: partitions.ownerships,
    dataLife,
    clockProblem: () => nodeClock.problem(),
    openForwarding: (within) =>
      openForwarding({
        ...around,
        ...within,
        installation,
        node,
        sealKeys: [SEAL_KEY],
        // Another seed, so that the ids of forwarded commands do not change the other draws of this life.
        chance: createSeededChance(`${around.seed}:forwarding`),
        leases: perShard(databases.all, createLeaseStore),
        timeoutMs: NETWORK_TIMEOUT_MS,
        log,
      }),
    databases,
    clock,
    board,
    candles: boardCandles(board),
    sharedBus: bus,
    intake,
    priceChoices: choices,
    feed: liveFeed,
    catalogue,
    log,
    chance,
    masterKeys: parseMasterKeys(TEST_MASTER_KEY),
    operatorToken: OPERATOR_TOKEN,
    brand: "Service",
    networkName: "Propgate",
    // With a maximum, the opening of an account holds a connection while other statements run. In a run all nodes share
    // one connection.
    accountsPerOwner: null,
    timer,
    networkTimeoutMs: NETWORK_TIMEOUT_MS,
    prices: { name: "simulation", warnings: () => [] },
    // A refusal that is held back would wait by the clock of this machine, not by the run's clock.
    edge: { refusalsHeldMax: 0 },
  });
  const { engine } = service;
  membership.report(() => nodeFiguresOf(engine, partitions));
  await engine.restore();
  await engine.carryOutActions();
  bus.subscribe((quote) => {
    around.onQuote(quote);
    engine.market.push(quote);
  });
  const feed = await startFeed({
    ...around,
    ...engine,
    catalogue,
    databases,
    node,
    nodeClock,
    board,
    bus,
    intake,
    prices: liveFeed,
    log,
  });
  housekeeping.start(feed.jobs);
  const work = [
    { name: "live prices", everyMs: LIVE_PRICES_EVERY_MS, run: async () => liveFeed.tick() },
    {
      name: "corporate actions",
      everyMs: 1_000,
      async run() {
        await engine.carryOutActions();
        await gapHalts.liftExplained();
      },
    },
  ];
  housekeeping.start(work.map((job) => pauseWhileWrong(nodeClock, job)));
  await partitions.start(housekeeping);
  await service.app.ready();
  return {
    service,
    board,
    database,
    choices,
    nodeClock,
    offer,
    problem() {
      const ofClock = nodeClock.problem();
      if (ofClock !== null) return ofClock;
      if (partitions.figures().some(({ takingOver }) => takingOver > 0))
        return "it takes partitions over";
      return feed.isHalted ? "prices are about to be used again" : bus.problem();
    },
    get position() {
      return bus.reached;
    },
    owned: () => partitions.figures().map(({ owned }) => owned),
  };
}

/**
 * Opens the clock that compares the node's time with the database's. When the run jumps ahead by hours, neither the
 * steady clock nor the database's clock advances, so the comparison leaves these hours out.
 */
async function openNodeClock(database: Database, around: NodeEnvironment): Promise<NodeClock> {
  if (!around.hasWrongClocks) return RIGHT_CLOCK;
  const { clock, steadyClock, worldMs } = around;
  const store = createNodeStore(database);
  const nodeClock = createNodeClock({
    databaseNow: () => store.now(),
    clock: { now: () => unixMs(clock.now() - worldMs() + steadyClock.nowMs()) },
    steadyClock,
    log: errorLog(around.onClockWrong),
  });
  await nodeClock.job.run();
  return nodeClock;
}

async function lifeOf(database: Database): Promise<string> {
  return (await createRestoreStore(database).incarnation()) ?? INSTALLATION;
}

/** Opens the check for restored data. The start after a restore confirms the restore. */
async function openLife(around: NodeEnvironment, log: Log): Promise<DataLife> {
  const { clock, onEnded } = around;
  const life = await openDataLife({
    databases: around.databases.all,
    clock,
    log,
    confirms: true,
  });
  void life.ended.then(() => onEnded?.());
  return life;
}

async function startFeed(
  options: Omit<
    Parameters<typeof createFeedNode>[0],
    "isCandidate" | "leases" | "epochs" | "instruments"
  > &
    Pick<NodeEnvironment, "catalogue"> & {
      readonly databases: Shards;
      readonly bus: SharedBus;
    },
) {
  const { databases } = options;
  const feed = createFeedNode({
    ...options,
    instruments: options.catalogue.instruments,
    isCandidate: true,
    leases: createLeaseStore(databases.first),
    epochs: await openFeedEpochs(databases.all, { lastOnTape: 0, bus: options.bus }),
  });
  await feed.start();
  return feed;
}

/** Pino's number for `error`. */
const ERROR_LEVEL = 50;

/** A log that writes no lines and reports every error with its cause. */
function errorLog(report: (what: string, cause: unknown) => void): Log {
  return pino({
    level: "error",
    base: null,
    hooks: {
      logMethod([fields, text]: readonly unknown[], _write, level) {
        // The line of an operator's call has the level `info` and reaches this hook too.
        if (level < ERROR_LEVEL) return;
        const cause =
          typeof fields === "object" && fields !== null && "err" in fields ? fields.err : fields;
        report(String(text), cause);
      },
    },
  });
}
