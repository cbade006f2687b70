import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { performancePages } from "../tools/reference/performance-page.ts";
import { equityAtScale, memoryAtScale } from "./at-scale.ts";
import { startBenchService } from "./bench-service.ts";
import { startChild } from "./child.ts";
import { hostile } from "./hostile.ts";
import { liveFeed } from "./live-feed.ts";
import { type LoadResult, runLoad } from "./load.ts";
import { bursts } from "./performance/bursts.ts";
import { growth } from "./performance/growth.ts";
import { type BurstCost, type RequestCost, writeRaw } from "./performance/record.ts";
import { requestCosts } from "./performance/request-costs.ts";
import { pushedQuotes } from "./pushed-quotes.ts";
import { quoteCost } from "./quote-cost.ts";
import { slowOrders } from "./slow-orders.ts";
import { type Row, ratioTable, whole } from "./tables.ts";
import { tapeCost } from "./tape-cost.ts";

const CONNECTIONS = 128;
const POSITIONS = "/api/v1/trading/positions";
const ORDERS = "/api/v1/trading/orders";
const ROUNDS = 3;

async function reads(): Promise<Row> {
  const service = await startBenchService({ accounts: 200, keysPerAccount: 20, batchMax: 0 });
  const [first] = service.keys;
  if (first === undefined) throw new Error("no keys");
  const bare = await startChild("bare-server.ts", [first.secret, '{"success":true,"data":[]}']);
  const load = { connections: CONNECTIONS, method: "GET", target: POSITIONS, body: "" } as const;
  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const signed = await runLoad({
        ...load,
        host: service.host,
        port: service.port,
        keys: service.keys,
        requests: 30_000,
      });
      const plain = await runLoad({
        ...load,
        host: "127.0.0.1",
        port: Number(bare.line),
        keys: [first],
        requests: 30_000,
      });
      onlyAnswered(signed);
      onlyAnswered(plain);
      // The first round warms up both.
      if (round > 0) {
        ours.push(signed);
        theirs.push(plain);
      }
    }
  } finally {
    await bare.stop();
    await service.stop();
  }
  return {
    what: `signed GET positions, nonce durable (${service.store})`,
    one: `${perSecond(ours)}/s, p99 ${Math.round(median(ours.map((run) => run.p99Ms)))} ms`,
    other: `bare node:http that checks the HMAC: ${perSecond(theirs)}/s`,
    ratio: rate(ours) / rate(theirs),
    bar: "≥ 0.5",
  };
}

async function orders(): Promise<Row> {
  const batched = await orderRate(0, 12_000);
  const single = await orderRate(1, 2_000);
  return {
    what: `signed MARKET order, durable (${batched.store})`,
    one: `${perSecond(batched.runs)}/s in micro-batches, p99 ${Math.round(median(batched.runs.map((run) => run.p99Ms)))} ms`,
    other: `one transaction per request: ${perSecond(single.runs)}/s`,
    ratio: rate(batched.runs) / rate(single.runs),
    bar: "≥ 5",
  };
}

async function orderRate(batchMax: number, requests: number) {
  const service = await startBenchService({ accounts: 400, keysPerAccount: 1, batchMax });
  const runs: LoadResult[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const run = await runLoad({
        host: service.host,
        port: service.port,
        connections: CONNECTIONS,
        method: "POST",
        target: ORDERS,
        body: JSON.stringify({
          trade: {
            execution_type: "MARKET",
            trade_pair: "BTCUSD",
            order_type: "LONG",
            value: 100,
          },
        }),
        keys: service.keys,
        requests,
      });
      onlyAnswered(run);
      if (round > 0) runs.push(run);
    }
  } finally {
    await service.stop();
  }
  return { store: service.store, runs };
}

function quotes(): Row {
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    few.push(quoteCost(100).nanosecondsPerQuote);
    many.push(quoteCost(100_000).nanosecondsPerQuote);
  }
  return {
    what: "a quote on a pair with 100,000 pending orders, none triggered",
    one: `${Math.round(median(many))} ns`,
    other: `with 100: ${Math.round(median(few))} ns`,
    ratio: median(many) / median(few),
    bar: "≤ 2",
  };
}

/** A load with rejected requests measures nothing. */
function onlyAnswered({ statuses }: LoadResult): void {
  const others = Object.keys(statuses).filter((status) => status !== "200");
  if (others.length > 0)
    throw new Error(`some requests were not answered with 200: ${JSON.stringify(statuses)}`);
}

function rate(runs: readonly LoadResult[]): number {
  return median(runs.map((run) => run.perSecond));
}

function perSecond(runs: readonly LoadResult[]): string {
  return whole(rate(runs));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The minutes after `--minutes`; null without it. */
function minutes(): number | null {
  const place = process.argv.indexOf("--minutes");
  return place === -1 ? null : Number(process.argv[place + 1]);
}

/** The options that run one part each. */
const PARTS = ["--scale", "--feed", "--validator", "--requests", "--bursts", "--growth"] as const;

/** The embedded store beside PostgreSQL in the same run. */
function embeddedRows(costs: readonly RequestCost[]): readonly Row[] {
  return (["read", "order"] as const).map((kind) => {
    const of = (store: string) => costs.find((cost) => cost.kind === kind && cost.store === store);
    const [embedded, postgres] = [of("embedded"), of("PostgreSQL")];
    if (embedded === undefined || postgres === undefined) throw new Error("a store is missing");
    return {
      what: `signed ${kind === "read" ? "GET positions" : "MARKET order"}, embedded store`,
      one: requestFigures(embedded),
      other: `PostgreSQL: ${requestFigures(postgres)}`,
      ratio: embedded.perSecond / postgres.perSecond,
      bar: "≥ 0.5",
    };
  });
}

/** The greatest age of the board during each burst. */
function burstRows(costs: readonly BurstCost[]): readonly Row[] {
  return costs.map(({ what, accounts, boardBehindMs, ...cost }) => ({
    what: `${whole(accounts)} accounts: ${what}`,
    one: `board ${whole(boardBehindMs)} ms behind, ${whole(cost.settled)} settled in ${cost.seconds.toFixed(1)} s, node ${cost.nodeCpuSeconds.toFixed(1)} s, WAL ${cost.walMegabytesPerSecond.toFixed(2)} MB/s`,
    other: "1,000 ms",
    ratio: boardBehindMs / 1_000,
    bar: "≤ 1",
  }));
}

function requestFigures(cost: RequestCost): string {
  const { perSecond, nodeMicroseconds, databaseMicroseconds, walBytes, keptBytes } = cost;
  const { openLoop } = cost;
  return [
    `${whole(perSecond)}/s`,
    `node ${whole(nodeMicroseconds)} µs`,
    ...(databaseMicroseconds === null ? [] : [`database ${whole(databaseMicroseconds)} µs`]),
    ...(walBytes === null ? [] : [`WAL ${whole(walBytes)} B`]),
    ...(keptBytes === null ? [] : [`kept ${whole(keptBytes)} B`]),
    `at ${whole(openLoop.perSecond)}/s p50 ${openLoop.p50Ms.toFixed(1)} p99 ${openLoop.p99Ms.toFixed(1)} p99.9 ${openLoop.p999Ms.toFixed(1)} ms`,
  ].join(", ");
}

/** A part that did not run keeps its last results. */
const keep: typeof writeRaw = (part, run) => {
  if (run.results.length > 0) writeRaw(part, run);
};

function hasWord(word: string): boolean {
  return process.argv.includes(word);
}

/**
 * `npm run bench`. With `--write` the results go to results.md when all parts ran, and the raw results of
 * each part to `bench/raw`, from which `docs/reference/performance.md` is drawn. `--scale`, `--validator`,
 * `--feed`, `--requests`, `--bursts` and `--growth` each do only their runs: at scale, beside slow orders of
 * linked accounts, beside a live feed, the cost and latency of requests, bursts of work, costs by size.
 * `--most-nonces` adds a run with 10^8 nonces. `--feed --minutes 10` lasts ten minutes. `--quick`
 * makes the parts with raw results short; their figures only show that each row works.
 */
async function run(): Promise<void> {
  const only = PARTS.find(hasWord) ?? null;
  const includes = (part: (typeof PARTS)[number]): boolean => only === null || only === part;
  const isQuick = hasWord("--quick");
  const isWritten = hasWord("--write");
  const scale = includes("--scale") ? [await equityAtScale(), await memoryAtScale()] : [];
  const served =
    only === null
      ? [
          quotes(),
          await pushedQuotes(),
          await tapeCost(),
          await reads(),
          await orders(),
          ...(await hostile()),
        ]
      : [];
  const requests = includes("--requests") ? await requestCosts(isQuick) : [];
  const burst = includes("--bursts") ? await bursts(isQuick) : [];
  const points = includes("--growth") ? await growth(isQuick, hasWord("--most-nonces")) : [];
  const slow = includes("--validator") ? await slowOrders() : [];
  const feed = includes("--feed") ? [await liveFeed(minutes())] : [];
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const text = [
    "# Results",
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores, ${gigabytes} GB; service, PostgreSQL and load generator share them.`,
    ratioTable([
      ...served,
      ...(requests.length > 0 ? embeddedRows(requests) : []),
      ...burstRows(burst),
      ...slow,
      ...feed.flatMap(({ rows }) => rows),
      ...scale.map(({ row }) => row),
    ]),
    ...[...feed, ...scale].flatMap(({ title, about, text }) => [`## ${title}`, about, text]),
  ].join("\n\n");
  process.stdout.write(`${text}\n`);
  for (const { curve, size, value } of points) {
    process.stdout.write(`${curve} ${whole(size)}: ${value.toFixed(1)}\n`);
  }
  if (!isWritten) return;
  if (only === null && !isQuick) {
    writeFileSync(new URL("results.md", import.meta.url), `${text}\n`);
  }
  keep("requests", { isQuick, results: requests });
  keep("bursts", { isQuick, results: burst });
  keep("growth", { isQuick, results: points });
  for (const { path, content } of performancePages()) {
    writeFileSync(new URL(`../${path}`, import.meta.url), content);
  }
}

await run();
