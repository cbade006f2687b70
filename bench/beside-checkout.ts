/**
 * Compares the service of this checkout with that of another one, whose folder is the argument: the processor time of
 * one request, for the same reads and orders. Each round starts both services, one after the other.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startBenchService } from "./bench-service.ts";
import { runLoad } from "./load.ts";
import { expectAllAnswered, READ_POSITIONS, SMALL_ORDER } from "./requests.ts";
import { type Row, ratioTable } from "./result-tables.ts";

/**
 * An even number, so that each checkout comes second equally often: the service that starts second in a round is
 * slower.
 */
const ROUNDS = 4;
const CONNECTIONS = 64;
const LOADS = [
  { ...READ_POSITIONS, what: "signed GET positions", requests: 15_000 },
  { ...SMALL_ORDER, what: "signed MARKET order", requests: 6_000 },
];
const MICROSECONDS_PER_MS = 1_000;

/** Measures the processor time of one request for each load, with the service of a checkout, in microseconds. */
async function costs(checkout: string): Promise<readonly number[]> {
  const program = pathToFileURL(join(checkout, "bench/service-process.ts")).href;
  const service = await startBenchService({
    accounts: 400,
    keysPerAccount: 2,
    batchMax: 0,
    program,
  });
  try {
    const found: number[] = [];
    for (const { what, requests, ...load } of LOADS) {
      const { host, port, keys } = service;
      const plan = { ...load, host, port, keys, connections: CONNECTIONS };
      await runLoad({ ...plan, requests: requests / 5 });
      const before = service.cpuMs();
      expectAllAnswered(await runLoad({ ...plan, requests }), { requests, what });
      found.push(((service.cpuMs() - before) * MICROSECONDS_PER_MS) / requests);
    }
    return found;
  } finally {
    await service.stop();
  }
}

const former = resolve(process.argv[2] ?? "");
const runs: { readonly ours: readonly number[]; readonly theirs: readonly number[] }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const first = await costs(round % 2 === 0 ? former : process.cwd());
  const second = await costs(round % 2 === 0 ? process.cwd() : former);
  runs.push(round % 2 === 0 ? { ours: second, theirs: first } : { ours: first, theirs: second });
  process.stderr.write(`${JSON.stringify(runs.at(-1))}\n`);
}
const rows: readonly Row[] = LOADS.map(({ what }, index) => {
  const ours = mean(runs.map((run) => run.ours[index] ?? 0));
  const theirs = mean(runs.map((run) => run.theirs[index] ?? 0));
  return {
    what: `processor time of a ${what}`,
    one: `${Math.round(ours)} µs`,
    other: `before: ${Math.round(theirs)} µs`,
    ratio: ours / theirs,
    bar: "≤ 1.1",
  };
});
process.stdout.write(`${ratioTable(rows)}\n`);

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}
