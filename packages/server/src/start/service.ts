/**
 * The composition root. `composeService` composes the whole service on a database, a clock and chance. The service on
 * the machine's time (`start-service.ts`) and the sandbox (`start-sandbox.ts`) differ only in what they pass in.
 */

import { createHmac } from "node:crypto";
import {
  createKeyWatch,
  createOperatorTokens,
  createPeopleDesk,
  type PasswordCost,
  type PeopleDesk,
  type SecretBox,
} from "@propgate/access";
import type { Chance, Clock, JobHealth, Log, MasterKeys, Timer } from "@propgate/base";
import { openApiDocument, operatorOpenApiDocument } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import {
  ClockIsWrong,
  type CommitObserver,
  DatabaseClockIsWrong,
  type DatabaseWatch,
  DataReadOnly,
  isOutage,
  type NotCarriedOut,
  type PerShard,
  perShard,
  type Shards,
  shardAt,
  shardOf,
  type TradingNetwork,
  watchDatabases,
  withTimeouts,
} from "@propgate/ledger";
import {
  type CandleReader,
  type Catalogue,
  createProgramDesk,
  type LiveFeed,
  openPriceDesk,
  type PriceChoices,
  type PriceDesk,
  type QuoteBoard,
  type QuoteIntake,
  type SourceWarning,
} from "@propgate/market";
import {
  createEventStreams,
  createStreamSlots,
  type EventStreamsOptions,
  openFirehose,
} from "@propgate/push";
import {
  createExpensiveReads,
  createPayoutCursorCodec,
  type NetworkReadings,
} from "@propgate/wire";
import type { FastifyInstance } from "fastify";
import { openApp, openBareApp, type ServerOptions } from "../api/app.ts";
import type { EdgeLimits } from "../api/edge/limits.ts";
import type { RequestObserver } from "../api/request-observer.ts";
import { accountSnapshot, createAccountReads } from "../api/routes/account-reads.ts";
import { createAccountDesk } from "../calls/operator/account-desk.ts";
import { addOperatorInterface, type CarryOutWrite } from "../calls/operator/operator-interface.ts";
import { operatorRoutes } from "../calls/operator/operator-routes.ts";
import type {
  AccountDesk,
  AccountReadDesk,
  OperatorServices,
} from "../calls/operator/operator-services.ts";
import {
  createRepeatedWrites,
  type RepeatedWrites,
} from "../calls/operator/repeats/repeated-writes.ts";
import { addDashboardInterface } from "../calls/pages/dashboard-interface.ts";
import {
  addPageFiles,
  createMissingPageAnswer,
  type PageFiles,
} from "../calls/pages/page-files.ts";
import { createAdmissionStore } from "../storage/admission-store.ts";
import type { NodeFigures } from "../storage/node-figures.ts";
import { type AccountPages, composeAccountPages } from "./compose-account-pages.ts";
import { composeWebhooks, type WebhookOptions, type Webhooks } from "./compose-webhooks.ts";
import type { DataLife } from "./data-life.ts";
import { createEngine, type Engine, type EngineOptions } from "./engine.ts";
import { createKeyring, type Keyring } from "./keyring.ts";
import { composeNetworks } from "./networks/compose-networks.ts";
import type { ComposedVanta, VantaUpstream } from "./networks/compose-vanta.ts";
import { sumHolders } from "./nodes/added-figures.ts";
import { createClockCheck, createReadiness, type WatchedClock } from "./nodes/readiness.ts";
import { composeOperatorServices } from "./operator-services.ts";

/** Everything from which a service is composed. A start and a sandbox pass in different values. */
export interface ServiceOptions extends WatchedClock {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly timer: Timer;
  readonly board: QuoteBoard;
  /** Reads candles of the prices. */
  readonly candles: CandleReader;
  readonly tape?: EngineOptions["tape"];
  readonly sharedBus?: EngineOptions["sharedBus"];
  readonly intake: QuoteIntake;
  /** For each database, the accounts that this node decides among several nodes; absent when it decides all. */
  readonly ownerships?: EngineOptions["ownerships"];
  /** Opens the forwarding of commands on accounts that another node decides, to that node. */
  readonly openForwarding?: EngineOptions["openForwarding"];
  readonly catalogue: Catalogue;
  readonly masterKeys: MasterKeys;
  readonly operatorToken: string;
  /** True when the operator's interface has its own listener. */
  readonly hasOperatorListener?: boolean;
  readonly brand: string;
  readonly networkName: string;
  /** The public address of the pages. Without it, a request's `Host` is their address. */
  readonly publicUrl?: string | null;
  /** The cost of a password check; absent for the cost of production. */
  readonly passwordWork?: PasswordCost;
  readonly accountsPerOwner: number | null;
  /** The name of the price source, its description for people, and its warnings. */
  readonly prices: {
    readonly name: string;
    readonly description?: string;
    warnings(): readonly SourceWarning[];
  };
  /**
   * The operator's choices of prices, if the caller has loaded them. When absent, the service begins without the
   * choices of earlier starts.
   */
  readonly priceChoices?: PriceChoices;
  /** The figures of the other nodes; absent when there are none. */
  readonly figuresOfOthers?: () => readonly NodeFigures[];
  /** The feed of live venues. Without it, prices are simulated, replayed or given by hand. */
  readonly feed?: LiveFeed | null;
  /** The maximum of commands, or of requests to admit, in one transaction; absent for the parts' own maximums. */
  readonly batchMax?: number;
  /** How long the network may take for one call. */
  readonly networkTimeoutMs: number;
  /** The validator of linked accounts. Without it, linked accounts cannot be read. */
  readonly vanta?: VantaUpstream | null;
  /**
   * The addresses to which webhooks may be sent, and the node that delivers them; absent for public addresses only, and
   * for a node that always delivers.
   */
  readonly webhooks?: WebhookOptions | undefined;
  /** Wraps the own network; a sandbox adds its faults and its waits in this way. */
  readonly wrapNetwork?: (network: TradingNetwork) => TradingNetwork;
  /** Wraps the writes of the operator's interface; a sandbox loses their answers in this way. */
  readonly wrapWrite?: CarryOutWrite;
  /** Wraps the box that opens the secrets of API keys; a sandbox adds its faults in this way. */
  readonly wrapSecrets?: (box: SecretBox) => SecretBox;
  /** Limits of the listeners that differ from the edge's defaults. */
  readonly edge?: Partial<EdgeLimits>;
  /** The seconds in the header `Strict-Transport-Security`; absent for no such header. */
  readonly hstsMaxAgeSeconds?: number;
  /** The files of the pages, for owners and operators. Without them, no page is served. */
  readonly pages?: PageFiles | null;
  /** The proxies whose `X-Forwarded-For` is trusted; absent for none. */
  readonly trustedProxies?: readonly string[];
  /** The reason why the process must not get requests, other than its database; null when there is none. */
  readonly notReady?: () => string | null;
  /** The reason why the prices here are behind those of the other nodes; absent in a process without other nodes. */
  readonly busProblem?: () => string | null;
  /** Warnings about pairs whose quotes arrive by the bus and are all dropped; absent without a bus. */
  readonly busWarnings?: () => readonly SourceWarning[];
  /** The life of the data, which shows whether a restore waits for its confirmation. Absent in a sandbox. */
  readonly dataLife?: Pick<DataLife, "unconfirmedRestore" | "isReadOnly" | "confirm"> | undefined;
  /** The state of the service's jobs; absent for none. */
  readonly jobs?: () => readonly JobHealth[];
  /** Observes the service for metrics and traces; absent when there are neither. */
  readonly observers?: ServiceObservers | undefined;
  readonly log: Log;
}

/** Observes a running service: its requests, its commits and its faults. */
export interface ServiceObservers {
  readonly requests: RequestObserver;
  readonly commits: CommitObserver;
  /** Called for each error of the service itself, also for those that a failing database causes. */
  fault(): void;
}

/** A composed service, whose listeners are not open yet. */
export interface ComposedService {
  /** Carries out the operator's writes that clients may repeat, each of them once. */
  readonly repeats: Pick<RepeatedWrites, "jobs">;
  readonly engine: Engine;
  readonly keyring: Keyring;
  readonly accounts: AccountDesk;
  readonly prices: PriceDesk;
  readonly people: PeopleDesk;
  /** For each database, the watch that finds its failures. */
  readonly storage: PerShard<DatabaseWatch>;
  readonly webhooks: Webhooks;
  /** The part for linked accounts; null when the service has no validator. */
  readonly vanta: Pick<ComposedVanta, "jobs" | "links" | "stop"> | null;
  readonly app: FastifyInstance;
  /** The operator's own listener; null when `app` has the operator's interface. */
  readonly operatorApp: FastifyInstance | null;
  /** Composes the calls of an account's pages from the sessions and the audit. */
  readonly accountPages: AccountPages;
}

/** While one admission commits, the next one collects requests. Two concurrent ones were measured to be slower. */
const ADMISSIONS_CONCURRENT_MAX = 1;

/** Composes the service. It opens no listener and starts no job. */
export function composeService(options: ServiceOptions): ComposedService {
  const { clock, chance, log, timer, candles } = options;
  const { storage, databases } = watchDatabases(options);
  const database = databases.first;
  const { instruments } = options.catalogue;
  const onFault = faultListener(options);
  const { engine, keyring, people } = composeCore(options, { databases, storage, onFault });
  const prices = priceDeskOf(options, { database, market: engine.market });
  const programs = createProgramDesk({ database, clock });
  const limits = { timer, timeoutMs: options.networkTimeoutMs };
  const network = withTimeouts(options.wrapNetwork?.(engine.network) ?? engine.network, limits);
  const vanta = vantaOf(options, { engine, onFault });
  const around = { barredBy: barredBy(options, storage), network, instruments, chance, vanta };
  const composed = composeNetworks({ ...engine, ...around });
  const accounts = createAccountDesk({
    programs,
    chance,
    accounts: engine.accounts,
    states: engine.cache,
    limits: engine.limits,
    readings: composed.readings,
    links: composed.links,
  });
  const payoutCursors = createPayoutCursorCodec(cursorSecret(options.masterKeys));
  const { events, orderLives, receipts } = engine.desks;
  const listener = listenerOf(options, onFault);
  const { slots, ...streams } = composeStreams(options, { events, onFault });
  const { networks } = composed;
  const served = { networks, instruments, embedded: network, events, orderLives, receipts };
  const read = { ...served, ...streams, candles, cursors: payoutCursors };
  const app = openApp({
    ...listener,
    observer: options.observers?.requests,
    keys: keyring.cache,
    evidenceKeys: keyring.evidence,
    keyWatch: createKeyWatch({ keys: keyring.cache, clock, timer, onFault }),
    admissionStores: perShard(databases.all, createAdmissionStore),
    admissionsConcurrentMax: ADMISSIONS_CONCURRENT_MAX,
    ...(options.batchMax === undefined ? {} : { admissionBatchMax: options.batchMax }),
    ...(options.pages == null ? {} : { answerUnknown: createMissingPageAnswer(options.pages) }),
    ...read,
    openapi: () => openApiOf(options, vanta !== null),
    ...createReadiness({ ...options, storage, prices }),
  });
  const operatorApp = options.hasOperatorListener === true ? openBareApp(listener) : null;
  const apps = [app, operatorApp].filter((one) => one !== null);
  const isAtFault = isAtFaultIn(storage);
  const sent = { databases, instruments, engine, programs, keyring, apps, isAtFault, onFault };
  const webhooks = composeWebhooks(options, sent);
  const outside = { vanta, app, operatorApp, webhooks };
  const parts = { engine, keyring, accounts, prices, people, storage, ...outside };
  const tokens = createOperatorTokens({ database, clock, chance, log });
  const reading = { ...read, clock, chance };
  const reads = readDeskOf({ engine, reading, ...composed });
  const repeats = createRepeatedWrites({ ...options, database, box: keyring.box });
  const firehose = openFirehose({ shards: engine.shards, timer, chance, onFault });
  const ofOperator = { databases, programs, tokens, reads, firehose, repeats, ...streams };
  const services = composeOperatorServices(options, { ...parts, ...composed, ...ofOperator });
  addOperatorInterface(operatorApp ?? app, {
    services,
    clock,
    chance,
    tokens,
    repeats,
    timer,
    log,
    token: options.operatorToken,
    openapi: () => operatorOpenApiDocument({ brand: options.brand, hasLinked: vanta !== null }),
    audit: people.audit,
    wrapWrite: options.wrapWrite,
    isClockWrong: createClockCheck(options),
  });
  const accountPages = composeAccountPages({
    journalLines: engine.journalLines,
    clock,
    accounts: engine.accountStore,
    ...composed,
    instruments,
    candles,
    journal: engine.desks.journal,
    onFault,
    timer,
    keys: keyring.desk,
    evidence: keyring.evidence,
    expensiveReads: streams.expensiveReads,
    slots,
    webhooksOf: webhooks.deskOfOwner,
    lists: services.lists,
    cursors: payoutCursors,
  });
  addPages(options, { app, people, accountPages, services, repeats });
  return { ...parts, accountPages, repeats };
}

function priceDeskOf(
  options: ServiceOptions,
  { database, market }: { readonly database: Shards["first"]; readonly market: Engine["market"] },
): PriceDesk {
  return openPriceDesk({
    ...options,
    choices: options.priceChoices,
    database,
    instruments: options.catalogue.instruments,
    market,
    holders: () => sumHolders(market.holders(), options.figuresOfOthers?.() ?? []),
  });
}

function readDeskOf(options: {
  readonly engine: Pick<Engine, "accountStore" | "journalLines">;
  readonly reading: Parameters<typeof createAccountReads>[0];
  readonly readings: NetworkReadings;
}): AccountReadDesk {
  const { engine, reading, readings } = options;
  return {
    find: (id) => engine.accountStore.find(id),
    handlers: createAccountReads(reading),
    snapshot: accountSnapshot(reading),
    async head(id) {
      const line = await engine.journalLines.head(id);
      return line === undefined ? null : { sequence: line.seq, hash: line.hash };
    },
    equityPoints: (account) => readings[account.network].equityPoints(account),
  };
}

function vantaOf(
  { vanta: upstream = null, clock, timer, chance, log }: ServiceOptions,
  { engine, onFault }: { readonly engine: Engine; readonly onFault: (cause: unknown) => void },
): ComposedVanta | null {
  if (upstream === null) return null;
  const { linkedAccounts, upstreamOrders, equity, newAccountId, limits } = engine;
  return upstream.compose({
    linkedAccounts,
    upstreamOrders,
    equity,
    newAccountId,
    limits,
    clock,
    timer,
    chance,
    log,
    onFault,
  });
}

function openApiOf({ brand, networkName }: ServiceOptions, hasLinked: boolean) {
  return openApiDocument({ brand, networkName, baseUrl: null, hasLinked });
}

/** Composes the event streams of keys, and the parts of them that other reads and the pages use too. */
function composeStreams(
  { board, catalogue, clock, timer }: ServiceOptions,
  { events, onFault }: Pick<EventStreamsOptions, "events" | "onFault">,
) {
  const [expensiveReads, slots] = [createExpensiveReads(timer), createStreamSlots()];
  const { quotes } = board;
  const { instruments } = catalogue;
  const around = { clock, timer, quotes, instruments, onFault };
  const eventStreams = createEventStreams({ ...around, events, reads: expensiveReads, slots });
  return { eventStreams, expensiveReads, slots };
}

/**
 * Makes the function that returns the reason why no command on an account may be carried out: the data may only be
 * read, or the clock of this node or of the account's database is wrong. Null when commands may be.
 * @rule D13.readOnly D12.oneClock D13.databaseClock
 */
function barredBy(
  options: ServiceOptions,
  storage: ComposedService["storage"],
): (account: AccountId) => NotCarriedOut | null {
  const isClockWrong = createClockCheck(options);
  return (account) => {
    if (options.dataLife?.isReadOnly() === true) return new DataReadOnly();
    if (isClockWrong()) return new ClockIsWrong();
    return shardOf(storage, account).isClockWrong() ? new DatabaseClockIsWrong() : null;
  };
}

/** Returns a function that is true while the database with the given number fails. */
function isAtFaultIn(storage: ComposedService["storage"]): (database: number) => boolean {
  return (number) => shardAt(storage, number).fault() !== null;
}

function faultListener({ log, observers }: ServiceOptions) {
  return (cause: unknown, requestId?: string): void => {
    observers?.fault();
    if (isOutage(cause)) return;
    log.error({ err: cause, requestId }, "fault");
  };
}

function composeCore(
  options: ServiceOptions,
  parts: Pick<ComposedService, "storage"> & {
    readonly databases: Shards;
    readonly onFault: (cause: unknown) => void;
  },
): Pick<ComposedService, "engine" | "keyring" | "people"> {
  const { clock, chance, masterKeys, log } = options;
  const { databases, storage, onFault } = parts;
  return {
    engine: createEngine({
      databases,
      clock,
      chance,
      instruments: options.catalogue.instruments,
      board: options.board,
      intake: options.intake,
      source: options.prices.name,
      accountsPerOwner: options.accountsPerOwner,
      tape: options.tape,
      timer: options.timer,
      networkTimeoutMs: options.networkTimeoutMs,
      sharedBus: options.sharedBus,
      ownerships: options.ownerships,
      isClockWrong: createClockCheck(options),
      barredBy: barredBy(options, storage),
      isAtFault: isAtFaultIn(storage),
      openForwarding: options.openForwarding,
      ...(options.batchMax === undefined ? {} : { batchMax: options.batchMax }),
      onFault,
      commits: options.observers?.commits,
    }),
    keyring: createKeyring({
      databases,
      clock,
      chance,
      masterKeys,
      ...(options.wrapSecrets === undefined ? {} : { wrapSecrets: options.wrapSecrets }),
    }),
    people: createPeopleDesk({
      database: databases.first,
      clock,
      chance,
      log,
      masterKeys,
      ...(options.passwordWork === undefined ? {} : { passwordCost: options.passwordWork }),
    }),
  };
}

function listenerOf(options: ServiceOptions, onFault: ServerOptions["onFault"]): ServerOptions {
  const { brand, networkName, clock, chance } = options;
  return {
    brand,
    networkName,
    clock,
    chance,
    onFault,
    ...(options.edge === undefined ? {} : { edge: options.edge }),
    hstsMaxAgeSeconds: options.hstsMaxAgeSeconds ?? 0,
    trustedProxies: options.trustedProxies ?? [],
  };
}

/** Adds the pages: their files and their calls. */
function addPages(
  options: ServiceOptions,
  parts: Pick<ComposedService, "app" | "people" | "accountPages"> & {
    readonly services: OperatorServices;
    readonly repeats: RepeatedWrites;
  },
): void {
  const { app, people, services, repeats } = parts;
  const { clock, chance, brand, networkName, publicUrl = null, pages = null, log } = options;
  const routes = [
    ...parts.accountPages({ audit: people.audit, sessions: people.sessions }),
    ...operatorRoutes({ services, clock, chance }),
  ];
  addDashboardInterface(app, {
    people,
    keys: services.keys,
    clock,
    publicUrl,
    brand,
    networkName,
    routes,
    repeats,
    isClockWrong: createClockCheck(options),
    log,
  });
  if (pages !== null) addPageFiles(app, pages);
}

/** The key of cursors is derived, so that a cursor does not reveal the key that seals secrets. */
function cursorSecret({ current }: MasterKeys): Uint8Array {
  return createHmac("sha256", current.key).update("payout cursors").digest();
}
