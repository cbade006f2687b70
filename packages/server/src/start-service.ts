import { join } from "node:path";
import type { PairId } from "@propgate/core";
import { type Clock, systemClock, systemTimer } from "./clock.ts";
import type { Settings } from "./config.ts";
import { builtPages, readPageFiles } from "./dashboard/page-files.ts";
import { openFirstAccount } from "./first-account.ts";
import type { EdgeLimits } from "./http/edge/limits.ts";
import { upgradeStates } from "./journal/state-format.ts";
import { loadMasterKeys, type MasterKeys, missingVersions } from "./keys/master-key.ts";
import { listenerPort } from "./listener-port.ts";
import { type Log, openLog, secretsOf } from "./log.ts";
import { calendarWarnings, calendarWatch } from "./market/calendar-warnings.ts";
import { type Catalogue, loadCatalogue } from "./market/catalogue.ts";
import { keepPrograms } from "./market/program-desk.ts";
import { loadPrograms } from "./market/programs.ts";
import { loadOperatorToken, operatorTokenFile } from "./operator/operator-token.ts";
import { makeFirstPeople } from "./people/first-people.ts";
import { linkUrl } from "./people/one-time-links.ts";
import type { SourceWarning } from "./prices/port.ts";
import { createQuoteBoard, type QuoteBoard } from "./prices/quote-board.ts";
import { openPriceSource, type PriceSettings } from "./prices/registry.ts";
import { type Ticking, timerTicker } from "./prices/ticker.ts";
import { systemChance } from "./random.ts";
import type {
  FirstKey,
  FirstLink,
  RunningService,
  StartService,
  Tuning,
} from "./running-service.ts";
import { type ComposedService, composeService } from "./service.ts";
import type { Database } from "./storage/database.ts";
import { openServiceDatabase } from "./storage/service-database.ts";
import type { AccountEntry } from "./storage/stores/account-store.ts";
import { keyStore } from "./storage/stores/key-store.ts";
import { quoteStore } from "./storage/stores/quote-store.ts";

/** A price a fifth away from the one before has to be seen three times to be believed. */
const OUTLIERS = { mostMove: 0.2, confirmedBy: 3 };
const HOUSEKEEPING_MS = 1_000;
const MS_PER_SECOND = 1_000;
/** What time brought about later than this is told. */
const LATE_MS = 60_000;
const PAGES_MISSING =
  "the pages are not built, so there is only the API: `npm run pages` in a checkout builds them";

/** The whole service on this machine's time, with the prices and the database of the settings. */
export const startService: StartService = async (settings, tuning = {}) => {
  const catalogue = await loadCatalogue(settings.cataloguePath);
  const programs = await loadPrograms(settings.programsPath);
  const database = await openServiceDatabase(settings);
  try {
    return await startOn(database, { settings, tuning, catalogue, programs });
  } catch (cause) {
    await database.close();
    throw cause;
  }
};

interface Loaded {
  readonly settings: Settings;
  readonly tuning: Tuning;
  readonly catalogue: Catalogue;
  readonly programs: Awaited<ReturnType<typeof loadPrograms>>;
}

async function startOn(database: Database, loaded: Loaded): Promise<RunningService> {
  const { settings, catalogue } = loaded;
  const { masterKeys, operatorToken } = await loadSecrets(settings);
  const { databaseUrl } = settings;
  const log = openLog(settings.logLevel, {
    secrets: secretsOf({ databaseUrl, masterKeys, operatorToken }),
  });
  const board = createQuoteBoard({ outliers: OUTLIERS });
  const { source, clock } = await openPriceSource(priceSettings(settings), {
    instruments: catalogue.instruments,
    simulated: catalogue.simulated,
    quotes: board.quotes,
    clock: systemClock,
    ticker: timerTicker,
  });
  await board.restore(quoteStore(database), clock.now());
  await keepPrograms(loaded.programs, { database, clock });
  await upgradeStates({ database, instruments: catalogue.instruments, log });
  const unopened = missingVersions(masterKeys, await keyStore(database).sealedUnder());
  const pages = await readPageFiles(builtPages());
  const service = composeService({
    ...settings,
    ...loaded,
    ...loaded.tuning,
    database,
    clock,
    chance: systemChance,
    timer: systemTimer,
    networkTimeoutMs: settings.networkTimeoutSeconds * MS_PER_SECOND,
    board,
    masterKeys,
    operatorToken,
    prices: source,
    pages,
    edge: edgeOf(settings),
    log,
  });
  const { engine, app } = service;
  await engine.restore();
  const firstKey = await makeFirstAccount(service);
  await source.start(engine.market.publish);
  const housekeeping = keepHouse({ service, board, database, catalogue, clock, log });
  await app.listen({ host: settings.host, port: settings.port });
  const baseUrl = `http://${settings.host}:${listenerPort(app.server.address())}`;
  return {
    baseUrl,
    brand: settings.brand,
    storage:
      settings.databaseUrl === null
        ? `embedded database in ${settings.dataDir}`
        : "PostgreSQL of PROPGATE_DATABASE_URL",
    prices: settings.replay.length === 0 ? "simulated" : `replay of ${settings.replay.join(", ")}`,
    operatorTokenFile: settings.operatorToken === null ? operatorTokenFile(settings.dataDir) : null,
    firstKey,
    // Not before it listens: a start that fails must not use up what is shown once.
    firstLinks: await makeFirstLinks(service, settings.publicUrl ?? baseUrl),
    accountId: firstKey?.accountId ?? (await oldestAccount(service)),
    examplePair: examplePair(board),
    warnings: [
      ...(pages === null ? [PAGES_MISSING] : []),
      ...(unopened === null ? [] : [unopened]),
      ...[...source.warnings(), ...calendarWarnings(catalogue.instruments, clock.now())].map(told),
    ],
    async stop() {
      await source.stop();
      await housekeeping.stop();
      await app.close();
      await engine.market.settled();
      await engine.executor.idle();
      try {
        await board.save(quoteStore(database));
      } catch (cause) {
        log.error({ err: cause }, "the newest quotes could not be saved");
      } finally {
        await database.close();
      }
    },
  };
}

function edgeOf(settings: Settings): Partial<EdgeLimits> {
  return {
    connectionsMax: settings.connectionsMax,
    requestTimeoutMs: settings.requestTimeoutSeconds * MS_PER_SECOND,
    keepAliveMs: settings.keepAliveSeconds * MS_PER_SECOND,
  };
}

async function loadSecrets({ masterKey, operatorToken, dataDir }: Settings): Promise<{
  readonly masterKeys: MasterKeys;
  readonly operatorToken: string;
}> {
  const chance = systemChance;
  return {
    masterKeys: await loadMasterKeys({
      configured: masterKey,
      file: join(dataDir, "master.key"),
      chance,
    }),
    operatorToken: await loadOperatorToken({ configured: operatorToken, dataDir, chance }),
  };
}

function told({ source: from, reason, count, first }: SourceWarning): string {
  return [`${from}: ${count} ${reason}`, first === null ? "" : ` (first: ${first})`].join("");
}

function priceSettings(settings: Settings): PriceSettings {
  return settings.replay.length === 0
    ? { kind: "simulated", seed: settings.simulationSeed }
    : {
        kind: "replay",
        files: settings.replay,
        speed: settings.replaySpeed,
        rebase: settings.replayRebase,
        loop: settings.replayLoop,
      };
}

/** Once a second: days and calendars that ended, what other nodes left open, markets that opened, the newest quotes and what accounts are worth to the database. */
function keepHouse(need: {
  readonly service: ComposedService;
  readonly board: QuoteBoard;
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly log: Log;
}): Ticking {
  const { engine } = need.service;
  const quotes = quoteStore(need.database);
  const watchCalendar = calendarWatch(need.catalogue.instruments, need.log);
  return timerTicker.start(HOUSEKEEPING_MS, async () => {
    try {
      await need.service.storage.probe();
      watchCalendar(need.clock.now());
      const { accounts, latenessMs } = await engine.due.runDue();
      if (latenessMs !== null && latenessMs >= LATE_MS) {
        need.log.warn({ accounts, latenessMs }, "work that had been due before is made up");
      }
      // The embedded database belongs to one process.
      if (need.database.kind === "postgres") await engine.followOthers();
      await engine.market.sweep();
      await need.board.save(quotes);
      await engine.equity.tick();
      await engine.equity.thinner.tick();
    } catch (cause) {
      need.log.error({ err: cause }, "housekeeping failed and is tried again");
    }
  });
}

/** A service without any account makes one, so that there is something to trade with. */
async function makeFirstAccount(service: ComposedService): Promise<FirstKey | null> {
  if ((await oldestAccount(service)) !== null) return null;
  const { accounts, keyring } = service;
  const first = await openFirstAccount({ accounts, keys: keyring.desk, label: "first key" });
  // A firm whose programs do not sell this one opens its own.
  return "refused" in first ? null : first;
}

/** And one without anybody who may sign in makes its first people. */
async function makeFirstLinks(
  service: ComposedService,
  address: string,
): Promise<readonly FirstLink[]> {
  const first = await firstEntry(service);
  const people = await makeFirstPeople(service.people, first?.ownerId ?? null);
  return people.map(({ name, role, token }) => ({ name, role, url: linkUrl(address, token) }));
}

async function oldestAccount(service: ComposedService): Promise<string | null> {
  return (await firstEntry(service))?.accountId ?? null;
}

async function firstEntry({ engine }: ComposedService): Promise<AccountEntry | null> {
  const [first] = await engine.accountStore.list({ after: null, limit: 1 });
  return first ?? null;
}

/** A pair of a market that never closes where there is one. */
function examplePair({ quotes }: QuoteBoard): PairId | null {
  const pairs = [...quotes.keys()];
  return pairs.find((pair) => pair === "BTCUSD") ?? pairs[0] ?? null;
}
