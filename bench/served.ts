import { startBenchService } from "./bench-service.ts";
import { startChildProgram } from "./child.ts";
import { measureHostileClients } from "./hostile.ts";
import { type LoadResult, runLoad } from "./load.ts";
import { measurePushedQuotes } from "./pushed-quotes.ts";
import { measureQuoteCost } from "./quote-cost.ts";
import { expectAllAnswered, READ_POSITIONS, SMALL_ORDER } from "./requests.ts";
import { median, type Row, wholeNumberText } from "./result-tables.ts";
import { measureSealCost } from "./seal-cost.ts";
import { measureTapeCost } from "./tape-cost.ts";
import { measureWatchCost } from "./watch-cost.ts";

const CONNECTIONS = 128;
const ROUNDS = 3;

/**
 * Measures the rows of the part `served`: quotes, watched accounts, seals, pushed quotes, the tape, reads, orders, and
 * reads during attacks. Each is compared with another measurement or with a required value.
 */
export async function measureServed(): Promise<readonly Row[]> {
  return [
    quotesRow(),
    measureWatchCost(),
    measureSealCost(),
    await measurePushedQuotes(),
    await measureTapeCost(),
    await readsRow(),
    await ordersRow(),
    ...(await measureHostileClients()),
  ];
}

async function readsRow(): Promise<Row> {
  const service = await startBenchService({ accounts: 200, keysPerAccount: 20, batchMax: 0 });
  const [first] = service.keys;
  if (first === undefined) throw new Error("no keys");
  const bare = await startChildProgram("bare-server.ts", [
    first.secret,
    '{"success":true,"data":[]}',
  ]);
  const load = { ...READ_POSITIONS, connections: CONNECTIONS, requests: 30_000 };
  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const signed = await runLoad({
        ...load,
        host: service.host,
        port: service.port,
        keys: service.keys,
      });
      const plain = await runLoad({
        ...load,
        host: "127.0.0.1",
        port: Number(bare.line),
        keys: [first],
      });
      expectAllAnswered(signed, { ...load, what: "signed reads" });
      expectAllAnswered(plain, { ...load, what: "reads of the bare server" });
      // The first round warms up both servers, so its figures are not used.
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

async function ordersRow(): Promise<Row> {
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
        ...SMALL_ORDER,
        keys: service.keys,
        requests,
      });
      expectAllAnswered(run, { requests, what: "orders" });
      if (round > 0) runs.push(run);
    }
  } finally {
    await service.stop();
  }
  return { store: service.store, runs };
}

function quotesRow(): Row {
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    few.push(measureQuoteCost(100).nanosecondsPerQuote);
    many.push(measureQuoteCost(100_000).nanosecondsPerQuote);
  }
  return {
    what: "a quote on a pair with 100,000 pending orders, none triggered",
    one: `${Math.round(median(many))} ns`,
    other: `with 100: ${Math.round(median(few))} ns`,
    ratio: median(many) / median(few),
    bar: "≤ 2",
  };
}

function rate(runs: readonly LoadResult[]): number {
  return median(runs.map((run) => run.perSecond));
}

function perSecond(runs: readonly LoadResult[]): string {
  return wholeNumberText(rate(runs));
}
