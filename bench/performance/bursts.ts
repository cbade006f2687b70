import { type BenchService, type ServiceAddress, startBenchService } from "../bench-service.ts";
import type { FeedReport } from "../live-feed.ts";
import { runLoad } from "../load.ts";
import { expectAllAnswered, marketOrder } from "../requests.ts";
import { type DatabaseMeter, openDatabaseMeter } from "./database-meter.ts";
import { copyAccounts } from "./many-accounts.ts";
import type { BurstCost } from "./record.ts";

interface Sizes {
  readonly trailingStops: number;
  readonly steadySeconds: number;
  readonly accounts: number;
}

const FULL: Sizes = { trailingStops: 5_000, steadySeconds: 60, accounts: 100_000 };
const QUICK: Sizes = { trailingStops: 100, steadySeconds: 5, accounts: 1_000 };
const ACCOUNTS_MADE = 20;
const POSITIONS = 3;
/** One account in ten has positions so large that a fall of 2.8 % eliminates it. */
const LARGE_EVERY = 10;
const LARGE_VALUE = 90_000;
const SMALL_VALUE = 1_000;
const MEGABYTE = 1_000_000;
const POLL_MS = 100;
/** Long enough for the service to try the due work of every account. */
const WITHOUT_PRICES_MS = 20_000;
const DONE_WITHIN_MS = 120_000;
const CONNECTIONS = 32;

/** Runs four bursts, each on a service of its own with a controlled feed (`feed-process.ts`) and PostgreSQL. */
export async function measureBursts(isQuick: boolean): Promise<readonly BurstCost[]> {
  const sizes = isQuick ? QUICK : FULL;
  return [
    await trailingStops(sizes),
    await midnight(sizes),
    await outage(sizes),
    await fallEndsTenth(sizes),
  ];
}

/** Trailing stops of all accounts are on one pair, which gets ten new highs a second. This burst settles no account. */
async function trailingStops({ trailingStops: accounts, steadySeconds }: Sizes) {
  const service = await startBenchService({
    accounts,
    keysPerAccount: 1,
    batchMax: 0,
    program: "feed-process.ts",
    prepare: (address) =>
      placeOrders(address, address.keys, "BTCUSD", {
        value: 1_000,
        trailing_stop: { trailing_percent: 0.2 },
      }),
  });
  return measured(service, {
    what: "trailing stops, ten new highs a second",
    accounts,
    run: async () => {
      await fetch(`${service.control}/highs`);
      await waitMs(steadySeconds * 1_000);
      return 0;
    },
  });
}

/** The clock passes the end of the day, so every account has due work. */
async function midnight({ accounts }: Sizes): Promise<BurstCost> {
  const service = await startManyAccounts(accounts);
  return measured(service, {
    what: "the end of a day",
    accounts,
    run: async (meter) => {
      const due = `select count(*) from accounts where due_at_ms <= ${Date.now() + 86_400_000}`;
      const before = await meter.count(due);
      await fetch(`${service.control}/day`);
      await fetch(`${service.control}/on`);
      await until(async () => (await meter.count(due)) === 0);
      return before;
    },
  });
}

/**
 * Three midnights pass without a price: no account is judged until the first quotes arrive, and then each is judged for
 * all three midnights. @rule D13.judges
 */
async function outage({ accounts }: Sizes): Promise<BurstCost> {
  const service = await startManyAccounts(accounts);
  const due = `select count(*) from accounts where due_at_ms <= ${Date.now() + 3 * 86_400_000}`;
  return measured(service, {
    what: "the first prices after three days without any",
    accounts,
    begin: async (meter) => {
      const before = await meter.count(due);
      await fetch(`${service.control}/away`);
      await waitMs(WITHOUT_PRICES_MS);
      const after = await meter.count(due);
      if (after !== before)
        throw new Error(`${before - after} accounts were judged without a price`);
    },
    run: async (meter) => {
      const before = await meter.count(due);
      await fetch(`${service.control}/on`);
      await until(async () => (await meter.count(due)) === 0);
      return before;
    },
  });
}

/** Every pair falls by 2.8 % in two seconds, which eliminates the accounts with large positions. */
async function fallEndsTenth({ accounts }: Sizes): Promise<BurstCost> {
  const service = await startManyAccounts(accounts);
  return measured(service, {
    what: "a fall of 2.8 % in two seconds, a tenth of the accounts ends",
    accounts,
    run: async (meter) => {
      const ended = "select count(*) from accounts where status = 'eliminated'";
      await fetch(`${service.control}/fall`);
      await until(async () => (await meter.count(ended)) >= accounts / LARGE_EVERY);
      return meter.count(ended);
    },
  });
}

/** Starts a service with that many accounts, each with three positions. They are copies of a few that traded. */
function startManyAccounts(accounts: number): Promise<BenchService> {
  return startBenchService({
    accounts: ACCOUNTS_MADE,
    keysPerAccount: 1,
    batchMax: 0,
    program: "feed-process.ts",
    prepare: async (address) => {
      const isLarge = (index: number): boolean => index % LARGE_EVERY === 0;
      for (let position = 1; position <= POSITIONS; position += 1) {
        const pair = `P0${position}USD`;
        const large = address.keys.filter((_, index) => isLarge(index));
        const small = address.keys.filter((_, index) => !isLarge(index));
        await placeOrders(address, large, pair, { value: LARGE_VALUE });
        await placeOrders(address, small, pair, { value: SMALL_VALUE });
      }
    },
    fill: (databaseUrl) => copyAccounts(databaseUrl, accounts),
  });
}

interface Burst {
  readonly what: string;
  readonly accounts: number;
  /** Prepares the burst; this part is not measured. */
  begin?(meter: DatabaseMeter): Promise<void>;
  /** Runs the burst to its end and resolves with the number of accounts that it settled. */
  run(meter: DatabaseMeter): Promise<number>;
}

async function measured(service: BenchService, burst: Burst): Promise<BurstCost> {
  const { databaseUrl, control } = service;
  if (databaseUrl === null) throw new Error("the bursts need PostgreSQL");
  const meter = await openDatabaseMeter(databaseUrl);
  try {
    await burst.begin?.(meter);
    await reportOf(control);
    const before = await meter.read();
    const cpuMs = service.cpuMs();
    const startedMs = performance.now();
    const settled = await burst.run(meter);
    const seconds = (performance.now() - startedMs) / 1_000;
    const nodeCpuSeconds = (service.cpuMs() - cpuMs) / 1_000;
    const after = await meter.read();
    const { lagMaxMs, lateness } = await reportOf(control);
    const feedCpuSeconds = settled === 0 ? null : await cpuSecondsOf(service, seconds);
    return {
      what: burst.what,
      accounts: burst.accounts,
      seconds,
      settled,
      boardBehindMs: Math.max(lagMaxMs, lateness.length - 1),
      walMegabytesPerSecond: (after.walBytes - before.walBytes) / seconds / MEGABYTE,
      nodeCpuSeconds,
      feedCpuSeconds,
    };
  } finally {
    await meter.close();
    await service.stop();
  }
}

/** The processor time in seconds that the service's process uses in the next `seconds` seconds. */
async function cpuSecondsOf(service: BenchService, seconds: number): Promise<number> {
  const before = service.cpuMs();
  await waitMs(seconds * 1_000);
  return (service.cpuMs() - before) / 1_000;
}

async function reportOf(control: string): Promise<FeedReport> {
  return JSON.parse(await (await fetch(`${control}/report`)).text());
}

async function placeOrders(
  { host, port, control }: ServiceAddress,
  keys: ServiceAddress["keys"],
  pair: string,
  order: Readonly<Record<string, unknown>>,
): Promise<void> {
  // The accounts may have been made so slowly that the last quotes are stale, so each pair gets a fresh one.
  await fetch(`${control}/quotes`);
  const requests = keys.length;
  const result = await runLoad({
    ...marketOrder(pair, order),
    host,
    port,
    keys,
    connections: Math.min(CONNECTIONS, requests),
    requests,
  });
  expectAllAnswered(result, { requests, what: `orders of ${pair}` });
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + DONE_WITHIN_MS;
  while (!(await isDone())) {
    if (performance.now() > endMs) throw new Error("the burst did not end");
    await waitMs(POLL_MS);
  }
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
