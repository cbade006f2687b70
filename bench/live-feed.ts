/**
 * Measures signed load beside a live feed of 5,000 quotes a second over 200 pairs. The same reads and orders run with
 * the feed and without it, in turn, in one run.
 */
import { type BenchService, startBenchService } from "./bench-service.ts";
import { measureIntakeNanoseconds } from "./intake-cost.ts";
import { type LoadResult, runLoad } from "./load.ts";
import { expectAllAnswered, marketOrder, READ_POSITIONS, type RequestForm } from "./requests.ts";
import { markdownTable, median, type Row, wholeNumberText } from "./result-tables.ts";

/** The measurements of the feed's process. `lateness` and `lagMaxMs` cover the time since the last report. */
export interface FeedReport {
  /** The number of quotes that the feed has accepted since the service started. */
  readonly accepted: number;
  readonly processorMs: number;
  /** `lateness[ms]` is the number of quotes that the board showed `ms` milliseconds after their receipt. */
  readonly lateness: readonly number[];
  /** The greatest age of a quote that waited for the board, in milliseconds. */
  readonly lagMaxMs: number;
  /** The number of quotes that newer ones have replaced before they came to the board, since the service started. */
  readonly mergedAway: number;
  /** Heap and external memory after a collection of garbage. */
  readonly memoryBytes: number;
  readonly rssBytes: number;
}

const CONNECTIONS = 64;
const ACCOUNTS = 100;
/** Enough keys that none of them exceeds its budget of reads. */
const KEYS_PER_ACCOUNT = 20;
/** The number of accounts with a trailing stop, which the quotes of the feed move again and again. */
const TRAILING_ACCOUNTS = 50;
const IDLE_MS = 3_000;
const SETTLE_MS = 300;
const READS = 6_000;
const ORDERS = 1_500;
const SHORT_ROUNDS = 4;
const QUOTES_MAX_NS = 20_000;

interface Load extends RequestForm {
  readonly what: string;
  readonly requests: number;
}

const LOADS: readonly Load[] = [
  { ...READ_POSITIONS, what: "signed GET positions", requests: READS },
  { ...marketOrder("BTCUSD", { value: 10 }), what: "signed MARKET orders", requests: ORDERS },
];

/** The report on the live feed: its rows, and a section for the page of results. */
export interface LiveFeedReport {
  readonly rows: readonly Row[];
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/**
 * Measures reads and orders with and without the feed. They alternate for `minutes` minutes, or for a small fixed
 * number of rounds when `minutes` is null.
 */
export async function measureLiveFeed(minutes: number | null): Promise<LiveFeedReport> {
  const service = await startBenchService({
    accounts: ACCOUNTS,
    keysPerAccount: KEYS_PER_ACCOUNT,
    batchMax: 0,
    program: "feed-process.ts",
  });
  try {
    await placeTrailingStops(service);
    const before = await idleCost(service);
    const rounds = await runRounds(service, minutes);
    const after = await reportOf(service);
    return describe({ service, before, rounds, after });
  } finally {
    await service.stop();
  }
}

interface Idle {
  readonly microsecondsPerQuote: number;
  readonly memoryBytes: number;
  readonly rssBytes: number;
}

/** The processor time of a quote while the service has no other work, and the memory of the service at that time. */
async function idleCost(service: BenchService): Promise<Idle> {
  // The first quotes move the trailing stops for the first time, so this run is not measured.
  await measureIdle(service, "on");
  const without = await measureIdle(service, "off");
  const { quotes, processorMs, report } = await measureIdle(service, "on");
  const microsecondsPerQuote = ((processorMs - without.processorMs) * 1_000) / quotes;
  return { ...report, microsecondsPerQuote };
}

async function measureIdle(service: BenchService, feed: "on" | "off") {
  await switchFeed(service, feed);
  const before = await reportOf(service);
  await waitMs(IDLE_MS);
  const report = await reportOf(service);
  return {
    report,
    quotes: report.accepted - before.accepted,
    processorMs: report.processorMs - before.processorMs,
  };
}

interface Round {
  readonly load: string;
  readonly isOn: boolean;
  readonly result: LoadResult;
  readonly report: FeedReport;
  /** The processor time of the service's process during the load. */
  readonly processorMs: number;
  readonly quotes: number;
  readonly requests: number;
}

/** The rounds of each load, without the feed and with it. The first round warms up and is left out. */
async function runRounds(service: BenchService, minutes: number | null): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  const untilMs = performance.now() + (minutes ?? 0) * 60_000;
  for (let turn = 0; turn <= SHORT_ROUNDS || performance.now() < untilMs; turn += 1) {
    // The order changes in each turn, so that a slow phase of the machine affects both.
    const order = turn % 2 === 0 ? [false, true] : [true, false];
    for (const load of LOADS) {
      for (const isOn of order) {
        const round = await measureLoad(service, load, isOn);
        if (turn > 0) rounds.push(round);
      }
    }
  }
  await switchFeed(service, "off");
  return rounds;
}

async function measureLoad(
  service: BenchService,
  { what, ...load }: (typeof LOADS)[number],
  isOn: boolean,
): Promise<Round> {
  await switchFeed(service, isOn ? "on" : "off");
  await waitMs(SETTLE_MS);
  const before = await reportOf(service);
  const { host, port, keys } = service;
  const result = await runLoad({ ...load, host, port, keys, connections: CONNECTIONS });
  const others = Object.keys(result.statuses).filter((status) => status !== "200");
  if (others.length > 0) throw new Error(`${what}: ${JSON.stringify(result.statuses)}`);
  const report = await reportOf(service);
  return {
    isOn,
    result,
    report,
    load: what,
    requests: load.requests,
    processorMs: report.processorMs - before.processorMs,
    quotes: report.accepted - before.accepted,
  };
}

function describe(measured: {
  readonly service: BenchService;
  readonly before: Idle;
  readonly rounds: readonly Round[];
  readonly after: FeedReport;
}): LiveFeedReport {
  const { service, before, rounds, after } = measured;
  const fed = rounds.filter(({ isOn }) => isOn);
  const lateness = sum(fed.map(({ report }) => report.lateness));
  const worstMs = Math.max(lateness.length - 1, ...fed.map(({ report }) => report.lagMaxMs));
  const intakeNs = Math.min(measureIntakeNanoseconds(), measureIntakeNanoseconds());
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return {
    rows: [
      ...LOADS.map(({ what }) => loadRow({ what, store: service.store, rounds })),
      {
        what: "the oldest quote that the board did not show, beside signed load",
        one: `${wholeNumberText(worstMs)} ms at worst, p99 ${wholeNumberText(percentile(lateness, 0.99))} ms`,
        other: "1,000 ms",
        ratio: worstMs / 1_000,
        bar: "≤ 1",
      },
      {
        what: "a quote judged and numbered",
        one: `${wholeNumberText(intakeNs)} ns`,
        other: `${wholeNumberText(QUOTES_MAX_NS)} ns, a core at 50,000 quotes a second`,
        ratio: intakeNs / QUOTES_MAX_NS,
        bar: "≤ 0.1",
      },
    ],
    title: "Live feed",
    about: ABOUT,
    text: markdownTable(
      ["what", "value"],
      [
        ["quotes", after.accepted],
        ["processor time of a quote, without load", `${before.microsecondsPerQuote.toFixed(1)} µs`],
        ...LOADS.map(({ what }) => [
          `processor time of a quote beside ${what}`,
          `${quoteBeside(rounds.filter(({ load }) => load === what)).toFixed(1)} µs`,
        ]),
        ["quotes merged away", after.mergedAway],
        ["memory before the load", megabytes(before.memoryBytes)],
        ["memory after it", megabytes(after.memoryBytes)],
        ["resident before", megabytes(before.rssBytes)],
        ["resident after", megabytes(after.rssBytes)],
      ],
    ),
  };
}

/**
 * The processor time that the rounds with the feed used more than the rounds without it, per quote of the feed, in
 * microseconds.
 */
function quoteBeside(rounds: readonly Round[]): number {
  const total = (isOn: boolean, of: (round: Round) => number): number =>
    rounds.filter((round) => round.isOn === isOn).reduce((all, round) => all + of(round), 0);
  const cost = ({ processorMs }: Round) => processorMs;
  return ((total(true, cost) - total(false, cost)) * 1_000) / total(true, ({ quotes }) => quotes);
}

const ABOUT = `5,000 quotes a second over 200 pairs, in the process of the service, with its tape and its candles.
${TRAILING_ACCOUNTS} accounts have trailing stops, which follow the prices. Reads and orders run with the feed and without it in turn.
Processor time includes the making of the quotes and their settlements. Garbage is collected before memory is read.`;

function loadRow(of: {
  readonly what: string;
  readonly store: string;
  readonly rounds: readonly Round[];
}): Row {
  const rate = (isOn: boolean): number =>
    median(
      of.rounds
        .filter((round) => round.load === of.what && round.isOn === isOn)
        .map(({ result }) => result.perSecond),
    );
  const [fed, alone] = [rate(true), rate(false)];
  return {
    what: `${of.what} beside 5,000 quotes a second (${of.store})`,
    one: `${wholeNumberText(fed)}/s`,
    other: `without quotes: ${wholeNumberText(alone)}/s`,
    ratio: fed / alone,
    bar: "≥ 0.9",
  };
}

async function placeTrailingStops(service: BenchService): Promise<void> {
  for (let index = 0; index < TRAILING_ACCOUNTS; index += 1) {
    const key = service.keys[index * KEYS_PER_ACCOUNT];
    if (key === undefined) throw new Error("too few keys");
    const pair = `P${String(index + 1).padStart(2, "0")}USD`;
    const load = { requests: 1, connections: 1, keys: [key] };
    const trailing = { value: 1_000, trailing_stop: { trailing_percent: 0.02 } };
    const result = await runLoad({ ...service, ...load, ...marketOrder(pair, trailing) });
    expectAllAnswered(result, { ...load, what: pair });
  }
}

async function switchFeed(service: BenchService, feed: "on" | "off"): Promise<void> {
  await fetch(`${service.control}/${feed}`);
}

async function reportOf(service: BenchService): Promise<FeedReport> {
  const response = await fetch(`${service.control}/report`);
  return JSON.parse(await response.text());
}

function sum(counts: readonly (readonly number[])[]): readonly number[] {
  const total: number[] = [];
  for (const each of counts) {
    for (const [ms, count] of each.entries()) total[ms] = (total[ms] ?? 0) + count;
  }
  return Array.from(total, (count) => count ?? 0);
}

/**
 * The number of milliseconds within which this share of the quotes was on the board. `counts[ms]` is the number of
 * quotes that took `ms` milliseconds.
 */
function percentile(counts: readonly number[], share: number): number {
  const all = counts.reduce((total, count) => total + count, 0);
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= all * share;
  });
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
