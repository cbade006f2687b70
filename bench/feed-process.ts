/**
 * Runs the service in its own process, with a feed of prices that another process controls over HTTP. `/on` starts the
 * usual quotes and `/off` stops all, `/report` answers a `FeedReport`. `/quotes` gives each pair one fresh quote,
 * `/highs` raises the first pair ten times a second, and `/fall` takes 2.8 % off every pair in two seconds. `/day`
 * moves the clock by a day and quotes each pair; `/away` moves it by three days without a quote. Apart from its prices,
 * the service is the one that `startService` runs, tape and candles included. The process prints the address of the
 * service and the address of the HTTP server that controls the feed.
 */
import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Instruments, type PairId, pairId, price, unixMs } from "@propgate/core";
import { type Clock, systemClock, systemTimer } from "../packages/base/src/clock.ts";
import { readSettings } from "../packages/base/src/config.ts";
import { createHousekeeping } from "../packages/base/src/housekeeping.ts";
import { loadOrCreateMasterKeys } from "../packages/base/src/keys/master-key.ts";
import { listenerPort } from "../packages/base/src/listener-port.ts";
import { openLog } from "../packages/base/src/log.ts";
import { systemChance } from "../packages/base/src/random.ts";
import { openDatabase } from "../packages/ledger/src/storage/databases/open-database.ts";
import { createShards } from "../packages/ledger/src/storage/shards/shards.ts";
import { storePrograms } from "../packages/market/src/catalogue/program-desk.ts";
import { loadPrograms } from "../packages/market/src/catalogue/programs.ts";
import { boardCandles } from "../packages/market/src/prices/candles/memory-candles.ts";
import { createGapHalts } from "../packages/market/src/prices/composition/gap-halts.ts";
import { createPriceChoices } from "../packages/market/src/prices/composition/price-choices.ts";
import { openPriceRecords } from "../packages/market/src/prices/price-records.ts";
import { createPseudoRandom } from "../packages/market/src/prices/pseudo-random.ts";
import { createQuoteBoard } from "../packages/market/src/prices/quote-board.ts";
import { createLocalBus } from "../packages/market/src/prices/quotes/quote-bus.ts";
import { createQuoteIntake } from "../packages/market/src/prices/quotes/quote-intake.ts";
import { createPriceChoiceStore } from "../packages/market/src/storage/price-choice-store.ts";
import { RIGHT_CLOCK } from "../packages/server/src/start/nodes/node-clock.ts";
import { composeService } from "../packages/server/src/start/service.ts";
import { serviceJobs } from "../packages/server/src/start/service-jobs.ts";
import { madeInstrument } from "../packages/server/src/testing/made-instrument.ts";
import type { FeedReport } from "./live-feed.ts";

const PAIRS = 200;
const QUOTES_PER_SECOND = 5_000;
const PERIOD_MS = 10;
/**
 * The maximum move of a quote as a share of the price. With 25 quotes a second for each pair this is an ordinary day.
 */
const NOISE = 0.00002;
const SPREAD = 0.0001;
/** A fixed key, so that a service that starts again on the same tables can open the keys of its accounts. */
const MASTER_KEY = Buffer.alloc(32, "propgate-bench");
/** The epoch of the feed, which must be greater at each start on the same tables. */
const EPOCH = Math.floor(systemClock.now() / 1_000);
/**
 * `/highs` gives the first pair a new high once per `HIGHS_PERIOD_MS`. Each is higher than the last price by the share
 * `HIGH_STEP`.
 */
const HIGHS_PERIOD_MS = 100;
const HIGH_STEP = 0.0001;
const FALL_SHARE = 0.028;
const FALL_MS = 2_000;
const DAY_MS = 86_400_000;
const AWAY_MS = 3 * DAY_MS;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const reading = readSettings();
if (!reading.ok) throw new Error(reading.problems.join("; "));
const { settings } = reading;
const chance = systemChance;
const timer = systemTimer;
let aheadMs = 0;
const clock: Clock = { now: () => unixMs(systemClock.now() + aheadMs) };
const log = openLog("error");

const pairs: readonly PairId[] = Array.from({ length: PAIRS }, (_, index) =>
  pairId(index === 0 ? "BTCUSD" : `P${String(index).padStart(2, "0")}USD`),
);
const instruments: Instruments = new Map(
  // The leverage of forex allows positions so large that a fall of a few percent ends the account.
  pairs.map((pair) => [
    pair,
    madeInstrument(pair, { quote: "USD", assetClass: pair === "BTCUSD" ? "crypto" : "forex" }),
  ]),
);

const database = await openDatabase(settings);
const databases = createShards([database]);
const board = createQuoteBoard();
const bus = createLocalBus();
const records = await openPriceRecords({ settings, database, clock, log });
records.recordFrom(bus);
const intake = createQuoteIntake({
  epoch: EPOCH,
  instruments,
  outliers: { moveMax: 0.2, confirmedBy: 3 },
  bus,
  known: board.quotes,
});
await storePrograms(await loadPrograms(null), { database, clock });
const catalogue = { instruments, simulated: [], symbols: new Map() };
const { engine, app, storage } = composeService({
  ...settings,
  databases,
  clock,
  chance,
  timer,
  board,
  candles: records.candles ?? boardCandles(board),
  intake,
  catalogue,
  log,
  masterKeys: await loadOrCreateMasterKeys({
    configured: MASTER_KEY.toString("base64"),
    file: "",
    chance,
  }),
  operatorToken: settings.operatorToken ?? "",
  networkTimeoutMs: settings.networkTimeoutSeconds * 1_000,
  prices: { name: "bench", warnings: () => [] },
});
await engine.restore();
bus.subscribe((quote) => engine.market.push(quote));

/** `lateness[ms]` is the number of quotes that the board showed `ms` milliseconds after their receipt. */
let lateness: number[] = [];
board.onQuote(({ atMs }) => {
  const ms = Math.max(0, clock.now() - atMs);
  lateness[ms] = (lateness[ms] ?? 0) + 1;
});

const draws = createPseudoRandom("feed");
const prices = pairs.map((_, index) => 100 + index);
let accepted = 0;
let move: Move | null = null;
let lagMaxMs = 0;

function quoteNext(index: number): void {
  const last = prices[index];
  if (last !== undefined) quoteAt(index, last * (1 + NOISE * (2 * draws.uniform() - 1)));
}

function quoteAt(index: number, bid: number): void {
  const pair = pairs[index];
  if (pair === undefined) return;
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

function quoteAll(): void {
  for (let index = 0; index < PAIRS; index += 1) quoteNext(index);
}

quoteAll();

type Move = (now: number) => void;

/**
 * Makes a move that sends, at each call, all quotes that have become due since the last call. A late call therefore
 * sends more quotes, because a venue does not wait either.
 */
function eachDue(quotesPerSecond: number, quote: (now: number) => void): Move {
  let dueMs = performance.now();
  return (now) => {
    for (; dueMs <= now; dueMs += 1_000 / quotesPerSecond) quote(dueMs);
  };
}

function anyPair(): number {
  return Math.floor(draws.uniform() * PAIRS);
}

function fall(): Move {
  const from = [...prices];
  const startedMs = performance.now();
  return eachDue(QUOTES_PER_SECOND, (now) => {
    const index = anyPair();
    const share = Math.min(1, (now - startedMs) / FALL_MS);
    quoteAt(index, (from[index] ?? 0) * (1 - FALL_SHARE * share));
  });
}

const MOVES: Readonly<Record<string, () => Move | null>> = {
  "/on": () => eachDue(QUOTES_PER_SECOND, () => quoteNext(anyPair())),
  "/off": () => null,
  "/highs": () =>
    eachDue(1_000 / HIGHS_PERIOD_MS, () => quoteAt(0, (prices[0] ?? 0) * (1 + HIGH_STEP))),
  "/fall": fall,
};

// Quotes are sent in groups, because they also arrive in groups from sockets.
setInterval(() => {
  if (move === null) return;
  lagMaxMs = Math.max(lagMaxMs, engine.market.lag().oldestMs);
  move(performance.now());
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
  const begin = MOVES[request.url ?? ""];
  if (begin !== undefined) move = begin();
  if (request.url === "/day") aheadMs += DAY_MS;
  if (request.url === "/away") aheadMs += AWAY_MS;
  if (request.url === "/day" || request.url === "/quotes") quoteAll();
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
    databases,
    catalogue,
    clock,
    nodeClock: RIGHT_CLOCK,
    log,
    records,
    feed: null,
    priceChoices,
    gapHalts: createGapHalts({ instruments, board, choices: priceChoices, log }),
    venues: null,
    vanta: null,
    webhooks: { jobs: [] },
    repeats: { jobs: [] },
    watchSource: () => undefined,
  }),
);
await app.listen({ host: "127.0.0.1", port: settings.port });
const addresses = [app.server, control].map(
  (server) => `http://127.0.0.1:${listenerPort(server.address())}`,
);
process.stdout.write(`${addresses.join(" ")}\n`);
