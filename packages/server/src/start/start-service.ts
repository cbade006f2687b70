import { join } from "node:path";
import {
  checkMasterKeys,
  checkNeverSealed,
  createSecretBox,
  createShardedKeys,
  loadOperatorToken,
  operatorTokenPath,
} from "@propgate/access";
import {
  type Clock,
  cleanUpAfter,
  createHousekeeping,
  type Housekeeping,
  type Log,
  loadOrCreateMasterKeys,
  type MasterKeys,
  missingKeysWarning,
  openLog,
  readMasterKeys,
  type Settings,
  secretSettings,
  splitDatabaseUrls,
  systemChance,
  systemClock,
  systemStopwatch,
  systemTimer,
} from "@propgate/base";
import type { PairId } from "@propgate/core";
import { openShards, type Shards, upgradeStates } from "@propgate/ledger";
import {
  adoptCatalogue,
  boardCandles,
  type Catalogue,
  calendarWarnings,
  createQuoteBoard,
  createQuoteStore,
  createSourceWarningLog,
  loadCatalogue,
  loadPrograms,
  type OpenedSource,
  type OpenedVenues,
  openPriceRecords,
  openPriceSource,
  openQuoteFlow,
  openVenues,
  type PriceRecords,
  type QuoteBoard,
  type QuoteFlow,
  type SourceWarning,
  storePrograms,
  timerTicker,
  unpricedPairWarnings,
} from "@propgate/market";
import type { EdgeLimits } from "../api/edge/limits.ts";
import { builtPagesFolder, type PageFiles, readPageFiles } from "../calls/pages/page-files.ts";
import { webhookAddresses } from "./compose-webhooks.ts";
import { type DataLife, openDataLife } from "./data-life.ts";
import { makeFirstAccountAndPeople } from "./first/first-start.ts";
import { openListeners } from "./listen.ts";
import { logSecretsOf } from "./log-secrets.ts";
import { openMetrics } from "./metrics/open-metrics.ts";
import type { VantaUpstream } from "./networks/compose-vanta.ts";
import { vantaSettings } from "./networks/vanta-settings.ts";
import { nodeFiguresOf } from "./nodes/added-figures.ts";
import type { composeNodeWork } from "./nodes/compose-node-work.ts";
import {
  busWarnings,
  checkBusSettings,
  type NodeBus,
  openNodeBus,
  type RunningPrices,
  startPrices,
} from "./nodes/node-bus.ts";
import { correctedTime, type NodeClock, openNodeClock } from "./nodes/node-clock.ts";
import { nodeConfiguration } from "./nodes/node-configuration.ts";
import { joinNodes, type NodeMembership, rolesOf } from "./nodes/node-membership.ts";
import { type NodeWork, WORK_ALONE } from "./nodes/node-work.ts";
import { checkOwnLines } from "./own-lines.ts";
import { checkBuiltInPrices, checkOwnTime, checkPriceOrigin } from "./price-origin.ts";
import type { RunningService, StartService, Tuning } from "./running-service.ts";
import { type ComposedService, composeService } from "./service.ts";
import { serviceJobs } from "./service-jobs.ts";
import { startFailureOf } from "./start-failure.ts";
import { stopService } from "./stop-service.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import { warningText } from "./warning-text.ts";

const MS_PER_SECOND = 1_000;
const PAGES_MISSING =
  "the pages are not built, so only the API is served: run `npm run pages` in the checkout";

/** Starts the service on this machine's time, with the prices and the database of the settings. */
export const startService: StartService = async (settings, tuning = {}) => {
  const catalogue = await loadCatalogue(settings.cataloguePath);
  const programs = await loadPrograms(settings.programsPath);
  const network = vantaSettings(settings);
  checkBusSettings(settings);
  checkBuiltInPrices(settings);
  const board = createQuoteBoard();
  // Prices are opened before the database, because a wrong price file or source must not leave a data folder behind.
  const venues = await openVenues({
    settings,
    instruments: catalogue.instruments,
    symbols: catalogue.symbols,
    clock: systemClock,
    timer: systemTimer,
    chance: systemChance,
    log: openLog(settings.logLevel, {
      secrets: secretSettings(settings),
      ...writerOf(tuning),
    }),
  });
  const openPrices = () =>
    openPriceSource(settings, {
      instruments: catalogue.instruments,
      simulated: catalogue.simulated,
      quotes: board.quotes,
      clock: systemClock,
      ticker: timerTicker,
    });
  const prices = await openPrices();
  try {
    const around = { ...tuning, ...prices, timer: systemTimer };
    const vanta =
      network === null
        ? null
        : (await import("./networks/open-vanta.ts")).openVanta(network, around);
    const loaded = { settings, tuning, catalogue, programs, board, prices, venues, vanta };
    return await startOnPrices({ ...loaded, openPrices });
  } catch (cause) {
    const sources = [prices.source, ...(venues?.sources ?? [])];
    throw await cleanUpAfter(cause, ...sources.map((source) => async () => source.stop()));
  }
};

function writerOf({ writeLog }: Tuning): { readonly write?: (line: string) => void } {
  return writeLog === undefined ? {} : { write: writeLog };
}

async function startOnPrices(loaded: Loaded): Promise<RunningService> {
  // Keys are read before the database is opened, so that a start with a wrong key leaves no data folder behind.
  const givenKeys = await readMasterKeys({
    configured: loaded.settings.masterKey,
    file: masterKeyFile(loaded.settings),
  });
  const databases = await openShards(loaded.settings, systemChance);
  try {
    return await startAmongNodes(databases, { ...loaded, givenKeys });
  } catch (cause) {
    throw await cleanUpAfter(startFailureOf(cause), () => databases.close());
  }
}

interface Loaded {
  readonly settings: Settings;
  readonly tuning: Tuning;
  readonly catalogue: Catalogue;
  readonly programs: Awaited<ReturnType<typeof loadPrograms>>;
  readonly board: QuoteBoard;
  /** Simulated or replayed prices. They are not used when there are venues. */
  readonly prices: OpenedSource;
  /** Opens `prices` again, after a stop. */
  readonly openPrices: () => Promise<OpenedSource>;
  /** The venues of live prices; null when prices are not live. */
  readonly venues: OpenedVenues | null;
  /** The connection to the validator; null when the service has none. */
  readonly vanta: VantaUpstream | null;
}

/** The input of a start after the node has joined. */
interface Entered extends Loaded {
  readonly masterKeys: MasterKeys;
  readonly operatorToken: string;
  readonly log: Log;
  readonly node: NodeMembership;
  readonly nodeClock: NodeClock;
  readonly housekeeping: Housekeeping;
  readonly dataLife: DataLife;
}

/**
 * Joins the other nodes of the databases, then starts the service. Joining fails while a node with another
 * configuration is alive. Before it joins, the start writes only the files of a new master key and operator token,
 * fingerprints of the master key, and the node's own row.
 */
async function startAmongNodes(
  databases: Shards,
  loaded: Loaded & { readonly givenKeys: MasterKeys | null },
): Promise<RunningService> {
  const { settings, catalogue } = loaded;
  const masterKeys = loaded.givenKeys ?? (await makeMasterKey(settings, databases));
  const { operatorToken: configured, dataDir } = settings;
  const operatorToken = await loadOperatorToken({ configured, dataDir, chance: systemChance });
  const { databaseUrl, databaseUrls } = settings;
  const log = openLog(settings.logLevel, {
    ...writerOf(loaded.tuning),
    secrets: logSecretsOf({
      databaseUrls: databaseUrls === null ? [databaseUrl] : splitDatabaseUrls(databaseUrls),
      masterKeys,
      operatorToken,
      ofVenues: secretSettings(settings),
      natsUrl: settings.natsUrl,
      networkUrls: [settings.networkUrl, settings.gatewayUrl].filter((url) => url !== null),
    }),
  });
  const [chance, timer] = [systemChance, systemTimer];
  const box = createSecretBox(masterKeys, chance);
  for (const database of databases.all) await checkMasterKeys({ database, masterKeys, box });
  const configuration = nodeConfiguration(catalogue);
  const nodeClock = await openNodeClock(databases.first, log);
  const node = await joinNodes({
    database: databases.first,
    configuration,
    roles: rolesOf(settings.role),
    hasBus: settings.natsUrl !== null,
    chance,
    timer,
  });
  const housekeeping = createHousekeeping({ clock: systemClock, timer, log });
  housekeeping.start([node.heartbeat, nodeClock.job]);
  try {
    await checkOwnLines(databases.all);
    await checkPriceOrigin(databases.first, settings);
    const now = loaded.prices.clock.now();
    await checkOwnTime(databases.all, settings, now);
    const instruments = await adoptCatalogue(databases, catalogue.instruments, now);
    const inForce = { ...catalogue, instruments };
    const dataLife = await openDataLife({
      databases: databases.all,
      clock: systemClock,
      log,
      confirms: settings.confirmRestore,
    });
    housekeeping.start([dataLife.job]);
    const secrets = { masterKeys, operatorToken };
    const common = { log, node, nodeClock, housekeeping, dataLife };
    const entered = { ...loaded, ...secrets, ...common, catalogue: inForce };
    return await startWithRecords(databases, entered);
  } catch (cause) {
    throw await cleanUpAfter(
      cause,
      () => housekeeping.stop(),
      () => node.leave(),
    );
  }
}

async function startWithRecords(databases: Shards, entered: Entered): Promise<RunningService> {
  const { settings, prices, log } = entered;
  const { clock } = prices;
  const records = await openPriceRecords({ settings, database: databases.first, clock, log });
  try {
    return await startOnBus(databases, { ...entered, records });
  } catch (cause) {
    throw await cleanUpAfter(cause, () => records.close());
  }
}

async function startOnBus(
  databases: Shards,
  entered: Entered & { readonly records: PriceRecords },
): Promise<RunningService> {
  const nodeBus = await openNodeBus({
    ...entered,
    database: databases.first,
    node: entered.node.nodeId,
    instruments: entered.catalogue.instruments,
    clock: entered.prices.clock,
  });
  try {
    return await startOn(databases, { ...entered, nodeBus });
  } catch (cause) {
    throw await cleanUpAfter(cause, async () => nodeBus?.close());
  }
}

function pricesOf({
  records: { tape, candles },
  board,
  nodeBus,
}: {
  readonly records: PriceRecords;
  readonly board: QuoteBoard;
  readonly nodeBus: NodeBus | null;
}) {
  return { tape, candles: candles ?? boardCandles(board), sharedBus: nodeBus?.bus };
}

async function startOn(
  databases: Shards,
  entered: Entered & { readonly records: PriceRecords; readonly nodeBus: NodeBus | null },
): Promise<RunningService> {
  const { settings, catalogue, masterKeys, operatorToken, log, node, housekeeping } = entered;
  const { board, nodeBus, nodeClock } = entered;
  let phase: "starting" | "running" | "stopping" = "starting";
  const { clock } = entered.prices;
  const machine = { clock, timer: systemTimer, chance: systemChance };
  await board.restore(createQuoteStore(databases.first), correctedTime(nodeClock, clock));
  await storePrograms(entered.programs, { database: databases.first, clock });
  await upgradeStates({ databases: databases.all, instruments: catalogue.instruments, log });
  const flow = await openQuoteFlow(databases, { ...entered, sharedBus: nodeBus?.bus ?? null }, log);
  const { intake, source, description, feed } = flow;
  const sealedKeys = await createShardedKeys(databases).countBySealVersion();
  const unopened = missingKeysWarning(masterKeys, sealedKeys);
  const pages = await readPageFiles(builtPagesFolder());
  const metrics = openMetrics(settings, systemStopwatch);
  const tracing = await openTracing(settings.otlpUrl);
  const notReady = () => (phase === "running" ? node.problem() : `the service is ${phase}`);
  const shared = await sharedWork(nodeBus, {
    ...entered,
    tape: entered.records.tape,
    databases,
    instruments: catalogue.instruments,
    clock,
    tracing,
    engine: () => service.engine,
  });
  const { partitions } = shared;
  const service: ComposedService = composeService({
    ...settings,
    webhooks: { ...webhookAddresses(settings), turn: shared.webhookTurn },
    catalogue,
    masterKeys,
    operatorToken,
    log,
    ...entered.tuning,
    databases,
    ...machine,
    networkTimeoutMs: settings.networkTimeoutSeconds * MS_PER_SECOND,
    board,
    ...pricesOf(entered),
    intake,
    ownerships: partitions?.ownerships,
    openForwarding: shared.openForwarding,
    hasOperatorListener: settings.operatorListen !== null,
    prices: shownPrices(flow, nodeBus),
    priceChoices: flow.priceChoices,
    figuresOfOthers: () => node.figuresOfOthers(),
    feed,
    vanta: entered.vanta,
    dataLife: entered.dataLife,
    pages,
    edge: edgeOf(settings),
    jobs: () => housekeeping.health(),
    notReady,
    clockProblem: () => entered.nodeClock.problem(),
    busProblem: () => makingPrices.problem(),
    busWarnings: () => entered.nodeBus?.bus.warnings() ?? [],
    observers: tracing?.observers(metrics?.observers) ?? metrics?.observers,
  });
  node.report(() => nodeFiguresOf(service.engine, partitions));
  const makingPrices = await startTrading({ ...entered, ...service, databases, flow });
  const { watchSource, sourceWarnings } = sourceWarningsOf(source, service, log);
  const clockWork = { ...entered, ...flow, ...service, databases, clock, watchSource };
  housekeeping.start(serviceJobs({ ...clockWork, hasPartitions: partitions !== null }));
  const jobs = () => housekeeping.health();
  const measured = { ...settings, ...entered, ...machine, service, databases, intake, partitions };
  const metricsApp = metrics?.appOf({ ...measured, notReady, jobs }) ?? null;
  const priceWarnings = [...sourceWarnings, ...warningsOfPairs(service, catalogue, clock)];
  const listeners = { ...service, metricsApp };
  const opened = await openListeners(listeners, settings, async ({ baseUrl }) => {
    // The node claims no account before its listeners are open. @rule D12.claims
    await partitions?.start(housekeeping);
    // The first key and links are shown only once, so a start that fails must not use them up.
    const place = { ...settings, ...machine, database: databases.first };
    const address = settings.publicUrl ?? baseUrl;
    const made = await makeFirstAccountAndPeople(service, { ...place, address });
    // The node is ready only when its start cannot fail any more.
    phase = "running";
    return made;
  });
  return {
    ...opened.addresses,
    brand: settings.brand,
    storage: storageOf(settings),
    prices: description,
    operatorTokenFile: settings.operatorToken === null ? operatorTokenPath(settings.dataDir) : null,
    ...opened.ended,
    examplePair: examplePair(board),
    warnings: warningsOf(pages, unopened, restoreWarning(entered.dataLife), priceWarnings),
    ended: entered.dataLife.ended,
    async stop() {
      phase = "stopping";
      const parts = { ...entered, source, service, metricsApp, tracing, makingPrices, partitions };
      await stopService({ ...parts, databases });
    },
  };
}

/** The source's warnings at the start, and the function that logs each later warning of the source and about prices. */
function sourceWarningsOf(
  source: QuoteFlow["source"],
  { prices }: Pick<ComposedService, "prices">,
  log: Log,
) {
  const sourceWarnings = source.warnings();
  const warnings = () => [...source.warnings(), ...prices.warnings()];
  return { sourceWarnings, watchSource: createSourceWarningLog({ warnings }, log, sourceWarnings) };
}

/** Starts the engine, carries out the due corporate actions, and then starts the prices with their jobs. */
async function startTrading(
  options: Omit<Parameters<typeof startPrices>[0], "instruments" | "market"> &
    Pick<ComposedService, "engine"> &
    Pick<Entered, "catalogue" | "housekeeping">,
): Promise<RunningPrices> {
  const { engine, catalogue, housekeeping } = options;
  await engine.restore();
  // Corporate actions come before prices, because the first price after a split has the new scale.
  await engine.carryOutActions();
  const makingPrices = await startPrices({ ...options, ...catalogue, market: engine.market });
  housekeeping.start(makingPrices.jobs);
  return makingPrices;
}

function shownPrices({ source, description }: QuoteFlow, nodeBus: NodeBus | null) {
  const warnings = () => [...source.warnings(), ...busWarnings(nodeBus)];
  return { name: source.name, description, warnings };
}

function storageOf({ databaseUrl, databaseUrls, dataDir }: Settings): string {
  if (databaseUrls !== null) {
    return `${splitDatabaseUrls(databaseUrls).length} databases of PROPGATE_DATABASE_URLS`;
  }
  return databaseUrl === null
    ? `embedded database in ${dataDir}`
    : "PostgreSQL of PROPGATE_DATABASE_URL";
}

function edgeOf(settings: Settings): Partial<EdgeLimits> {
  return {
    connectionsMax: settings.connectionsMax,
    requestTimeoutMs: settings.requestTimeoutSeconds * MS_PER_SECOND,
    keepAliveMs: settings.keepAliveSeconds * MS_PER_SECOND,
  };
}

function warningsOfPairs(
  { prices }: Pick<ComposedService, "prices">,
  { instruments }: Catalogue,
  clock: Clock,
): readonly SourceWarning[] {
  return [...unpricedPairWarnings(prices), ...calendarWarnings(instruments, clock.now())];
}

/** Composes the work among several nodes. Its code is loaded only where nodes share a bus. */
async function sharedWork(
  nodeBus: NodeBus | null,
  options: Omit<Parameters<typeof composeNodeWork>[0], "nodeBus">,
): Promise<NodeWork> {
  if (nodeBus === null) return WORK_ALONE;
  const module = await import("./nodes/compose-node-work.ts");
  return module.composeNodeWork({ ...options, nodeBus });
}

function masterKeyFile({ dataDir }: Settings): string {
  return join(dataDir, "master.key");
}

async function makeMasterKey(settings: Settings, databases: Shards): Promise<MasterKeys> {
  const file = masterKeyFile(settings);
  for (const database of databases.all) await checkNeverSealed(database, file);
  return loadOrCreateMasterKeys({ configured: null, file, chance: systemChance });
}

function warningsOf(
  pages: PageFiles | null,
  unopened: string | null,
  restore: string | null,
  prices: readonly SourceWarning[],
): readonly string[] {
  const own = [pages === null ? PAGES_MISSING : null, unopened, restore];
  return [...own.filter((warning) => warning !== null), ...prices.map(warningText)];
}

function restoreWarning(dataLife: DataLife): string | null {
  const mark = dataLife.unconfirmedRestore();
  if (mark === null) return null;
  const asOf = new Date(mark.asOfMs).toISOString();
  return `the data were restored as of ${asOf} and may only be read: confirm it with propgate operator restore confirm`;
}

/**
 * A pair for examples: BTCUSD if it has a price, because its market never closes, else any pair with a price; null when
 * no pair has a price.
 */
function examplePair({ quotes }: QuoteBoard): PairId | null {
  const pairs = [...quotes.keys()];
  return pairs.find((pair) => pair === "BTCUSD") ?? pairs[0] ?? null;
}
