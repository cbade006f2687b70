/**
 * The composition root: the only file that puts the parts together. `composeService` makes the whole
 * service on a database, a clock and chance; what differs between the service that runs on live time
 * and prices (`start-service.ts`) and the sandbox (`start-sandbox.ts`) is what they hand in.
 */
import { createHmac } from "node:crypto";
import { openApiDocument } from "@propgate/contract";
import type { FastifyInstance } from "fastify";
import { takeBackup } from "./backup/take-backup.ts";
import type { Clock, Timer } from "./clock.ts";
import { type AccountPages, composeAccountPages } from "./dashboard/compose-account-pages.ts";
import { addDashboardInterface } from "./dashboard/dashboard-interface.ts";
import { addPageFiles, type PageFiles } from "./dashboard/page-files.ts";
import { createEngine, type Engine } from "./engine.ts";
import { openApp } from "./http/app.ts";
import { cursors } from "./http/cursor.ts";
import type { EdgeLimits } from "./http/edge/limits.ts";
import { type JournalDesk, journalDesk } from "./journal/journal-desk.ts";
import { createKeyring, type Keyring } from "./keyring.ts";
import type { MasterKeys } from "./keys/master-key.ts";
import type { SecretBox } from "./keys/seal-secret.ts";
import { listenerPort } from "./listener-port.ts";
import type { Log } from "./log.ts";
import { calendarWarnings } from "./market/calendar-warnings.ts";
import type { Catalogue } from "./market/catalogue.ts";
import { createProgramDesk, type ProgramDesk } from "./market/program-desk.ts";
import type { TradingNetwork } from "./network/port.ts";
import { withTimeouts } from "./network/timed-network.ts";
import { createAccountDesk } from "./operator/account-desk.ts";
import { addOperatorInterface } from "./operator/operator-interface.ts";
import { operatorRoutes } from "./operator/operator-routes.ts";
import type { AccountDesk, OperatorWorld, ServiceHealth } from "./operator/operator-world.ts";
import { linkUrl } from "./people/one-time-links.ts";
import type { PasswordWork } from "./people/password.ts";
import { createPeopleDesk, type PeopleDesk } from "./people/people-desk.ts";
import type { SourceWarning } from "./prices/port.ts";
import type { QuoteBoard } from "./prices/quote-board.ts";
import type { Chance } from "./random.ts";
import { receiptDesk } from "./receipts/receipt-desk.ts";
import type { Database } from "./storage/database.ts";
import { admissionStore } from "./storage/stores/admission-store.ts";
import { receiptStore } from "./storage/stores/receipt-store.ts";
import { searchStore } from "./storage/stores/search-store.ts";
import { type StorageWatch, watchStorage } from "./storage-watch.ts";

export interface ServiceNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly timer: Timer;
  readonly board: QuoteBoard;
  readonly catalogue: Catalogue;
  readonly masterKeys: MasterKeys;
  readonly operatorToken: string;
  readonly brand: string;
  readonly networkName: string;
  /** What a browser shows for the pages; null, as without it: what it asked for. */
  readonly publicUrl?: string | null;
  /** What the check of a password costs; as much as it should unless given. */
  readonly passwordWork?: PasswordWork;
  readonly accountsPerOwner: number;
  /** Where prices come from, and what could not be used of it. */
  readonly prices: { readonly name: string; warnings(): readonly SourceWarning[] };
  /** Commands and requests of one transaction; the parts' own limits unless given. */
  readonly batchMax?: number;
  /** How long the network may take for one call. */
  readonly networkTimeoutMs: number;
  /** Something to stand in front of the network. */
  readonly wrapNetwork?: (network: TradingNetwork) => TradingNetwork;
  /** Something to stand in front of the opening of key secrets. */
  readonly wrapSecrets?: (box: SecretBox) => SecretBox;
  /** What one client may take of the service; the edge's own limits unless given. */
  readonly edge?: Partial<EdgeLimits>;
  /** Seconds for which a browser shall come by TLS only; none unless given. */
  readonly hstsMaxAgeSeconds?: number;
  /** The owner's pages and the operator's console; null: none are served. */
  readonly pages?: PageFiles | null;
  /** Proxies that are believed when they say whom a call comes from; none unless given. */
  readonly trustedProxies?: readonly string[];
  readonly log: Log;
}

export interface ComposedService {
  readonly engine: Engine;
  readonly keyring: Keyring;
  readonly accounts: AccountDesk;
  readonly people: PeopleDesk;
  readonly storage: StorageWatch;
  readonly app: FastifyInstance;
  /** The calls of an account's pages, for whoever knows who is signed in. */
  readonly accountPages: AccountPages;
}

/** While one commits the next gathers; a second one beside it was measured to be slower. */
const ADMISSIONS_AT_ONCE = 1;

export function composeService(need: ServiceNeeds): ComposedService {
  const { clock, chance, board, catalogue, log } = need;
  const storage = watchStorage(need);
  const { database } = storage;
  const { instruments } = catalogue;
  const onFault = (cause: unknown, requestId?: string): void =>
    log.error({ err: cause, requestId }, "fault");
  const engine = createEngine({
    database,
    clock,
    chance,
    instruments,
    board,
    accountsPerOwner: need.accountsPerOwner,
    ...(need.batchMax === undefined ? {} : { batchMax: need.batchMax }),
    onFault,
  });
  const keyring = createKeyring({
    ...{ database, clock, chance, masterKeys: need.masterKeys },
    ...(need.wrapSecrets === undefined ? {} : { wrapSecrets: need.wrapSecrets }),
  });
  const programs = createProgramDesk({ database, clock });
  const accounts = createAccountDesk({
    ...{ programs, chance },
    accounts: engine.accounts,
    states: engine.cache,
  });
  const network = withTimeouts(need.wrapNetwork?.(engine.network) ?? engine.network, {
    timer: need.timer,
    timeoutMs: need.networkTimeoutMs,
  });
  const payoutCursors = cursors(cursorSecret(need.masterKeys));
  const journal = journalDesk(database, instruments);
  const app = openApp({
    brand: need.brand,
    networkName: need.networkName,
    clock,
    chance,
    keys: keyring.cache,
    admissionStore: admissionStore(database),
    admissionsAtOnce: ADMISSIONS_AT_ONCE,
    ...(need.batchMax === undefined ? {} : { admissionBatchMax: need.batchMax }),
    ...(need.edge === undefined ? {} : { edge: need.edge }),
    hstsMaxAgeSeconds: need.hstsMaxAgeSeconds ?? 0,
    trustedProxies: need.trustedProxies ?? [],
    network,
    instruments,
    cursors: payoutCursors,
    receipts: receiptDesk({
      store: receiptStore(database),
      clock,
      overdueAfterMs: need.networkTimeoutMs,
    }),
    openapi: JSON.stringify(
      openApiDocument({ brand: need.brand, networkName: need.networkName, baseUrl: null }),
    ),
    health: () => ({
      isWell: storage.fault() === null,
      about: {
        storage: database.kind,
        prices: { source: need.prices.name, pairs: board.quotes.size },
      },
    }),
    onFault,
  });
  const people = createPeopleDesk({
    ...{ database, clock, chance, log },
    ...(need.passwordWork === undefined ? {} : { passwordWork: need.passwordWork }),
  });
  const parts = { engine, keyring, accounts, people, storage, app };
  const world = operatorWorld(need, { ...parts, database, programs, journal });
  const { operatorToken: token } = need;
  addOperatorInterface(app, { world, clock, chance, token, audit: people.audit, log });
  const accountPages = composeAccountPages({
    ...{ database, clock, engine, network, instruments, journal, onFault },
    ...{ timer: need.timer, keys: keyring.desk, cursors: payoutCursors },
  });
  addPages(need, { app, people, accountPages, world });
  return { ...parts, accountPages };
}

/** The pages: their files, and the calls of who is signed in. */
function addPages(
  need: ServiceNeeds,
  parts: Pick<ComposedService, "app" | "people" | "accountPages"> & {
    readonly world: OperatorWorld;
  },
): void {
  const { app, people, world } = parts;
  const { clock, chance, brand, networkName, publicUrl = null, pages = null, log } = need;
  const routes = [
    ...parts.accountPages({
      audit: people.audit,
      isStillAllowed: ({ person, sessionId }) =>
        people.sessions.isAlive(person.personId, sessionId),
    }),
    ...operatorRoutes({ world, clock, chance }),
  ];
  addDashboardInterface(app, { people, clock, publicUrl, brand, networkName, routes, log });
  if (pages !== null) addPageFiles(app, pages);
}

/** What the operator reaches of it all. */
function operatorWorld(
  need: ServiceNeeds,
  parts: Omit<ComposedService, "accountPages"> & {
    /** As the service watches it. */
    readonly database: Database;
    readonly programs: ProgramDesk;
    readonly journal: JournalDesk;
  },
): OperatorWorld {
  const { clock, publicUrl = null } = need;
  const { database, storage, engine, people, app } = parts;
  return {
    accounts: parts.accounts,
    programs: parts.programs,
    payouts: engine.payouts,
    keys: parts.keyring.desk,
    people: {
      ...people,
      linkUrl: (token) => linkUrl(publicUrl ?? listeningAt(app), token),
    },
    journal: parts.journal,
    market: { instruments: need.catalogue.instruments, quotes: need.board.quotes },
    search: searchStore(database),
    backup: () => takeBackup({ database, nowMs: clock.now() }),
    health: async () => {
      // First, for asking is what shows that it fails.
      const clockWork = await engine.due.lag().catch(() => null);
      return { ...healthOf(need), storageFault: storage.fault(), clockWork };
    },
  };
}

/** Where a browser on this machine finds it. */
function listeningAt({ server }: FastifyInstance): string {
  return `http://127.0.0.1:${listenerPort(server.address())}`;
}

function healthOf({
  clock,
  database,
  board,
  prices,
  catalogue,
}: ServiceNeeds): Omit<ServiceHealth, "storageFault" | "clockWork"> {
  const nowMs = clock.now();
  let newest: ServiceHealth["prices"]["newestQuoteAtMs"] = null;
  for (const { atMs } of board.quotes.values()) {
    if (newest === null || atMs > newest) newest = atMs;
  }
  return {
    nowMs,
    storage: database.kind,
    prices: {
      source: prices.name,
      pairs: board.quotes.size,
      newestQuoteAtMs: newest,
      warnings: [...prices.warnings(), ...calendarWarnings(catalogue.instruments, nowMs)],
    },
  };
}

/** Of its own, so that no cursor says anything about the key that seals secrets. */
function cursorSecret({ current }: MasterKeys): Uint8Array {
  return createHmac("sha256", current.key).update("payout cursors").digest();
}
