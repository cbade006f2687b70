/**
 * Runs the service in its own process, with a live feed that another process switches over HTTP:
 * `/on`, `/off` and `/report`. Apart from its prices it is the service that `startService` runs, tape
 * and candles included. Prints the service's address and that of the switch.
 */
import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Instruments, type PairId, pairId, price } from "@propgate/core";
import { loadMasterKeys } from "../packages/server/src/access/keys/master-key.ts";
import { systemClock, systemTimer } from "../packages/server/src/base/clock.ts";
import { readSettings } from "../packages/server/src/base/config.ts";
import { createHousekeeping } from "../packages/server/src/base/housekeeping.ts";
import { listenerPort } from "../packages/server/src/base/listener-port.ts";
import { openLog } from "../packages/server/src/base/log.ts";
import { systemChance } from "../packages/server/src/base/random.ts";
import { keepPrograms } from "../packages/server/src/catalogue/program-desk.ts";
import { loadPrograms } from "../packages/server/src/catalogue/programs.ts";
import { boardCandles } from "../packages/server/src/prices/candles/memory-candles.ts";
import { createPriceChoices } from "../packages/server/src/prices/composition/price-choices.ts";
import { createNormals } from "../packages/server/src/prices/normals.ts";
import { createQuoteBoard } from "../packages/server/src/prices/quote-board.ts";
import { createLocalBus } from "../packages/server/src/prices/quotes/quote-bus.ts";
import { createQuoteIntake } from "../packages/server/src/prices/quotes/quote-intake.ts";
import { createGapHalts } from "../packages/server/src/start/gap-halts.ts";
import { openPriceRecords } from "../packages/server/src/start/price-records.ts";
import { composeService } from "../packages/server/src/start/service.ts";
import { serviceJobs } from "../packages/server/src/start/service-jobs.ts";
import { openDatabase } from "../packages/server/src/storage/databases/open-database.ts";
import { createPriceChoiceStore } from "../packages/server/src/storage/stores/prices/price-choice-store.ts";
import { madeInstrument } from "../packages/server/src/testing/made-instrument.ts";
import type { FeedReport } from "./live-feed.ts";

const PAIRS = 200;
const QUOTES_PER_SECOND = 5_000;
const PERIOD_MS = 10;
/** A step is up to this share of the price: an ordinary day at 25 quotes a second. */
const NOISE = 0.00002;
const SPREAD = 0.0001;
const SECRET_BYTES = 32;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const reading = readSettings();
if (!reading.ok) throw new Error(reading.problems.join("; "));
const { settings } = reading;
const chance = systemChance;
const [clock, timer] = [systemClock, systemTimer];
const log = openLog("error");

const pairs: readonly PairId[] = Array.from({ length: PAIRS }, (_, index) =>
  pairId(index === 0 ? "BTCUSD" : `P${String(index).padStart(2, "0")}USD`),
);
const instruments: Instruments = new Map(
  pairs.map((pair) => [pair, madeInstrument(pair, { quote: "USD" })]),
);

const database = await openDatabase(settings);
const board = createQuoteBoard();
const bus = createLocalBus();
const records = await openPriceRecords({ settings, database, clock, log });
records.follow(bus);
const intake = createQuoteIntake({
  epoch: 1,
  instruments,
  outliers: { moveMax: 0.2, confirmedBy: 3 },
  bus,
  known: board.quotes,
});
await keepPrograms(await loadPrograms(null), { database, clock });
const catalogue = { instruments, simulated: [], symbols: new Map() };
const { engine, app, storage } = composeService({
  ...settings,
  database,
  clock,
  chance,
  timer,
  board,
  candles: records.candles ?? boardCandles(board),
  intake,
  catalogue,
  log,
  masterKeys: await loadMasterKeys({
    configured: Buffer.from(chance.bytes(SECRET_BYTES)).toString("base64"),
    file: "",
    chance,
  }),
  operatorToken: settings.operatorToken ?? "",
  networkTimeoutMs: settings.networkTimeoutSeconds * 1_000,
  prices: { name: "bench", warnings: () => [] },
});
await engine.restore();
bus.subscribe((quote) => engine.market.push(quote));

/** How long each quote took from its receipt to the board, by millisecond. */
let lateness: number[] = [];
board.onQuote(({ atMs }) => {
  const ms = Math.max(0, clock.now() - atMs);
  lateness[ms] = (lateness[ms] ?? 0) + 1;
});

const draws = createNormals("feed");
const prices = pairs.map((_, index) => 100 + index);
let accepted = 0;
let isOn = false;
let dueMs = 0;
let lagMaxMs = 0;

function quoteNext(index: number): void {
  const pair = pairs[index];
  const last = prices[index];
  if (pair === undefined || last === undefined) return;
  const bid = last * (1 + NOISE * (2 * draws.uniform() - 1));
  prices[index] = bid;
  const verdict = intake.offer(
    {
      source: "bench",
      pair,
      bid: price(bid),
      ask: price(bid * (1 + SPREAD)),
      madeAtMs: null,
      receivedAtMs: clock.now(),
    },
    "feed",
  );
  if (verdict === "accepted") accepted += 1;
}

for (let index = 0; index < PAIRS; index += 1) quoteNext(index);

// Quotes come in groups, as from sockets; a late group is sent whole, because a venue does not wait.
setInterval(() => {
  const now = performance.now();
  if (isOn) {
    lagMaxMs = Math.max(lagMaxMs, engine.market.lag().oldestMs);
    const count = Math.floor(((now - dueMs) * QUOTES_PER_SECOND) / 1_000);
    for (let each = 0; each < count; each += 1) quoteNext(Math.floor(draws.uniform() * PAIRS));
    dueMs += (count * 1_000) / QUOTES_PER_SECOND;
  } else dueMs = now;
}, PERIOD_MS);

function report(): FeedReport {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const answer = {
    accepted,
    processorMs: (user + system) / 1_000,
    lateness: [...lateness].map((count) => count ?? 0),
    lagMaxMs,
    mergedAway: engine.market.lag().mergedAway,
    memoryBytes: heapUsed + external,
    rssBytes: rss,
  };
  lateness = [];
  lagMaxMs = 0;
  return answer;
}

const control = createServer((request, response) => {
  if (request.url === "/on") isOn = true;
  if (request.url === "/off") isOn = false;
  response.end(request.url === "/report" ? JSON.stringify(report()) : "{}");
});
await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));

const priceChoices = createPriceChoices({ store: createPriceChoiceStore(database), clock });
await priceChoices.refresh();
const housekeeping = createHousekeeping({ clock, timer, log });
housekeeping.start(
  serviceJobs({
    engine,
    storage,
    board,
    database,
    catalogue,
    clock,
    log,
    records,
    feed: null,
    priceChoices,
    gapHalts: createGapHalts({ instruments, board, choices: priceChoices, log }),
    venues: null,
    vanta: null,
    watchSource: () => undefined,
  }),
);
await app.listen({ host: "127.0.0.1", port: settings.port });
const addresses = [app.server, control].map(
  (server) => `http://127.0.0.1:${listenerPort(server.address())}`,
);
process.stdout.write(`${addresses.join(" ")}\n`);
