import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@propgate/sdk";
import { testNatsUrl } from "../packages/server/src/testing/test-nats.ts";
import { type BenchService, startBenchService } from "./bench-service.ts";
import { type ChildProgram, startChildProgram } from "./child.ts";
import type { LoadKey } from "./load.ts";
import { type MeteredService, measureRound } from "./performance/request-costs.ts";
import { median, type Row, wholeNumberText } from "./result-tables.ts";

interface Sizes {
  readonly streams: number;
  /** The number of accounts without a stream, which trade while the streams are open. */
  readonly traders: number;
  readonly orders: number;
  readonly rounds: number;
}

const FULL: Sizes = { streams: 2_000, traders: 200, orders: 12_000, rounds: 3 };
const QUICK: Sizes = { streams: 40, traders: 20, orders: 400, rounds: 1 };
/** The number of keys of an account. In accounts with a stream, one key holds it and the others trade. */
const KEYS = 6;
const READERS = 20;
const ORDERS_OF_READER = 10;
const ORDER_EVERY_MS = 200;

/**
 * Measures the cost of orders while streams are open, and the time from the decision of an event until its readers have
 * it.
 */
export async function measureStreams(isQuick: boolean): Promise<readonly Row[]> {
  return [...(await costs(isQuick ? QUICK : FULL)), ...(await latencies())];
}

async function costs(sizes: Sizes): Promise<readonly Row[]> {
  const accounts = sizes.streams + sizes.traders;
  const service = await startBenchService({ accounts, keysPerAccount: KEYS, batchMax: 0 });
  const folder = await mkdtemp(join(tmpdir(), "propgate-bench-"));
  const held = join(folder, "keys.json");
  try {
    const streamed = service.keys.slice(0, sizes.streams * KEYS);
    const holders = streamed.filter((_, index) => index % KEYS === 0);
    const traders = {
      other: service.keys.slice(sizes.streams * KEYS),
      same: streamed.filter((_, index) => index % KEYS > 0),
    };
    await writeFile(held, JSON.stringify(holders), { mode: 0o600 });
    const rounds: { readonly none: number; readonly other: number; readonly same: number }[] = [];
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const none = await orderCpuMicroseconds(service, traders.other, sizes.orders);
      const child = await startChildProgram("stream-holder.ts", [service.baseUrl, held]);
      const other = await orderCpuMicroseconds(service, traders.other, sizes.orders);
      const same = await orderCpuMicroseconds(service, traders.same, sizes.orders);
      await child.stop();
      // The first round warms up and is left out.
      if (round > 0) rounds.push({ none, other, same });
    }
    const without = median(rounds.map(({ none }) => none));
    const row = (what: string, costs: readonly number[], bar: string): Row => ({
      what: `processor time of an order ${what}`,
      one: `${wholeNumberText(median(costs))} µs`,
      other: `without streams: ${wholeNumberText(without)} µs`,
      ratio: median(costs) / without,
      bar,
    });
    const count = wholeNumberText(sizes.streams);
    return [
      row(
        `beside ${count} open streams`,
        rounds.map(({ other }) => other),
        "≤ 1.05",
      ),
      row(
        `of an account with a stream, one of ${count}`,
        rounds.map(({ same }) => same),
        "—",
      ),
    ];
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The processor time of one order in the service's process, in microseconds. */
async function orderCpuMicroseconds(
  service: BenchService,
  keys: readonly LoadKey[],
  requests: number,
): Promise<number> {
  const bench: MeteredService = { service: { ...service, keys }, meter: null };
  return (await measureRound(bench, "order", requests)).nodeMicroseconds;
}

/**
 * The times until an event is read on each of two nodes. The node that shows an event first counts as the one that
 * decided it.
 */
async function latencies(): Promise<readonly Row[]> {
  const natsUrl = await testNatsUrl();
  if (natsUrl === null) return [];
  const shared = {
    PROPGATE_NATS_URL: natsUrl,
    PROPGATE_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const service = await startBenchService({
    accounts: READERS,
    keysPerAccount: 2,
    batchMax: 0,
    settings: shared,
  });
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-bench-"));
  let second: ChildProgram | null = null;
  try {
    second = await startChildProgram("service-process.ts", ["0"], {
      ...shared,
      PROPGATE_PORT: "0",
      PROPGATE_DATA_DIR: dataDir,
      PROPGATE_DATABASE_URL: service.databaseUrl ?? "",
    });
    const seen = await seenOn([service.baseUrl, second.line], service.keys);
    const [first, other] = [
      seen.map((one) => Math.min(...one)),
      seen.map((one) => Math.max(...one)),
    ];
    return [
      latencyRow("the node that decided it", first, 20),
      latencyRow("another node", other, 1_100),
    ];
  } finally {
    await second?.stop();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function latencyRow(where: string, latencies: readonly number[], barMs: number): Row {
  const ms = median(latencies);
  return {
    what: `from an event's decision to a reader on ${where}, p50 of ${latencies.length}`,
    one: `${wholeNumberText(ms)} ms`,
    other: `allowed: ${wholeNumberText(barMs)} ms`,
    ratio: barMs / ms,
    bar: `≤ ${wholeNumberText(barMs)} ms`,
  };
}

/**
 * For each event, the milliseconds from its decision until a stream on each node showed it. Events that not every node
 * showed are left out.
 */
async function seenOn(
  origins: readonly string[],
  keys: readonly LoadKey[],
): Promise<readonly (readonly number[])[]> {
  const stop = new AbortController();
  const seen = new Map<string, number[]>();
  const holders = keys.filter((_, index) => index % 2 === 0);
  const traders = keys.filter((_, index) => index % 2 > 0);
  const readings = origins.flatMap((baseUrl) =>
    holders.map((key) => {
      const { promise: live, resolve: becomesLive } = Promise.withResolvers<void>();
      const read = async (): Promise<void> => {
        let isLive = false;
        const onMark = (): void => {
          isLive = true;
          becomesLive();
        };
        const options = { signal: stop.signal, onMark };
        for await (const event of createClient({ ...key, baseUrl }).events({}, options)) {
          if (!isLive) continue;
          const place = `${key.keyId} ${event.sequence}`;
          seen.set(place, [...(seen.get(place) ?? []), Date.now() - event.atMs]);
        }
      };
      return { live, reading: read() };
    }),
  );
  await Promise.all(readings.map(({ live }) => live));
  const [baseUrl = ""] = origins;
  await Promise.all(traders.map((key) => trade(createClient({ ...key, baseUrl }))));
  stop.abort();
  await Promise.all(readings.map(({ reading }) => reading));
  return [...seen.values()].filter((times) => times.length === origins.length);
}

async function trade(client: ReturnType<typeof createClient>): Promise<void> {
  const order = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;
  for (let placed = 0; placed < ORDERS_OF_READER; placed += 1) {
    await client.placeOrder({ trade: { ...order, value: 100 } });
    await new Promise((resolve) => setTimeout(resolve, ORDER_EVERY_MS));
  }
  // A node reads the events that another node decided once a second, so the last events need a little more time.
  await new Promise((resolve) => setTimeout(resolve, 3 * 1_000));
}
