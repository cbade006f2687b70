import { type BenchService, type StoreKind, startBenchService } from "../bench-service.ts";
import { type LoadResult, runLoad } from "../load.ts";
import { runOpenLoop } from "../open-loop.ts";
import { expectAllAnswered, READ_POSITIONS, type RequestForm, SMALL_ORDER } from "../requests.ts";
import { median } from "../result-tables.ts";
import { type DatabaseMeter, type DatabaseReading, openDatabaseMeter } from "./database-meter.ts";
import type { RequestCost, RequestKind } from "./record.ts";

interface Sizes {
  readonly accounts: number;
  readonly keysPerAccount: number;
  readonly requests: Readonly<Record<RequestKind, number>>;
  readonly rounds: number;
  readonly openLoopSeconds: number;
}

const FULL: Sizes = {
  accounts: 400,
  keysPerAccount: 10,
  requests: { read: 30_000, order: 12_000 },
  rounds: 3,
  openLoopSeconds: 20,
};
const QUICK: Sizes = {
  accounts: 40,
  keysPerAccount: 10,
  requests: { read: 2_000, order: 400 },
  rounds: 1,
  openLoopSeconds: 2,
};
const CONNECTIONS = 128;
const OPEN_CONNECTIONS_MAX = 512;
const MICROSECONDS_PER_MS = 1_000;
const STORES = ["PostgreSQL", "embedded"] as const satisfies readonly StoreKind[];

const REQUESTS: Readonly<Record<RequestKind, RequestForm>> = {
  read: READ_POSITIONS,
  order: SMALL_ORDER,
};

/** The cost of one request, as measured in one round. A figure is null where it cannot be read. */
export interface RoundCost {
  readonly load: LoadResult;
  readonly nodeMicroseconds: number;
  readonly databaseMicroseconds: number | null;
  readonly walBytes: number | null;
  readonly keptBytes: number | null;
  readonly nonceBytes: number | null;
}

/**
 * Measures signed reads and orders on both stores. The stores take turns, so that a slow phase of the machine affects
 * both. After the rounds of reads, and again after those of orders, each store gets a load at a constant rate, which is
 * half of the greatest rate that a round reached.
 */
export async function measureRequestCosts(isQuick: boolean): Promise<readonly RequestCost[]> {
  const sizes = isQuick ? QUICK : FULL;
  const benches: MeteredService[] = [];
  try {
    for (const store of STORES) benches.push(await startMeteredService(store, sizes));
    const costs: RequestCost[] = [];
    for (const kind of ["read", "order"] as const) {
      for (const [{ service }, found] of await runRounds(benches, kind, sizes)) {
        costs.push({
          kind,
          store: service.store,
          ...medians(found),
          openLoop: await atHalfRate(service, kind, found, sizes.openLoopSeconds),
        });
      }
    }
    return costs;
  } finally {
    for (const { service, meter } of benches) {
      await meter?.close();
      await service.stop();
    }
  }
}

/** The rounds of each store. The first round warms up and is left out. */
async function runRounds(
  benches: readonly MeteredService[],
  kind: RequestKind,
  sizes: Sizes,
): Promise<ReadonlyMap<MeteredService, readonly RoundCost[]>> {
  const rounds = new Map(benches.map((bench): [MeteredService, RoundCost[]] => [bench, []]));
  for (let turn = 0; turn <= sizes.rounds; turn += 1) {
    for (const [bench, found] of rounds) {
      const round = await measureRound(bench, kind, sizes.requests[kind]);
      if (turn > 0) found.push(round);
    }
  }
  return rounds;
}

/**
 * A service, and the meter of its database. The meter is null on the embedded store, which only the service can open.
 */
export interface MeteredService {
  readonly service: BenchService;
  readonly meter: DatabaseMeter | null;
}

async function startMeteredService(store: StoreKind, sizes: Sizes): Promise<MeteredService> {
  const { accounts, keysPerAccount } = sizes;
  const service = await startBenchService({ accounts, keysPerAccount, batchMax: 0, store });
  const { databaseUrl } = service;
  return { service, meter: databaseUrl === null ? null : await openDatabaseMeter(databaseUrl) };
}

/** One round of a closed loop: the load, and the processor time and bytes of one request. */
export async function measureRound(
  { service, meter }: MeteredService,
  kind: RequestKind,
  requests: number,
): Promise<RoundCost> {
  const { host, port, keys } = service;
  const before = (await meter?.read()) ?? null;
  const cpuMs = service.cpuMs();
  const load = await runLoad({
    ...REQUESTS[kind],
    host,
    port,
    keys,
    requests,
    connections: CONNECTIONS,
  });
  expectAllAnswered(load, { requests, what: kind });
  const nodeMs = service.cpuMs() - cpuMs;
  const after = (await meter?.read()) ?? null;
  const each = (of: keyof DatabaseReading): number | null =>
    before === null || after === null || Number.isNaN(after[of] - before[of])
      ? null
      : (after[of] - before[of]) / requests;
  const databaseMs = each("cpuMs");
  return {
    load,
    nodeMicroseconds: (nodeMs * MICROSECONDS_PER_MS) / requests,
    databaseMicroseconds: databaseMs === null ? null : databaseMs * MICROSECONDS_PER_MS,
    walBytes: each("walBytes"),
    keptBytes: each("keptBytes"),
    nonceBytes: each("nonceBytes"),
  };
}

async function atHalfRate(
  { host, port, keys }: BenchService,
  kind: RequestKind,
  rounds: readonly RoundCost[],
  seconds: number,
): Promise<RequestCost["openLoop"]> {
  const perSecond = Math.max(...rounds.map(({ load }) => load.perSecond)) / 2;
  const requests = Math.round(perSecond * seconds);
  const result = await runOpenLoop({
    ...REQUESTS[kind],
    host,
    port,
    keys,
    requests,
    perSecond,
    connectionsMax: OPEN_CONNECTIONS_MAX,
  });
  expectAllAnswered(result, { requests, what: kind });
  return result;
}

function medians(rounds: readonly RoundCost[]) {
  const of = (value: (round: RoundCost) => number): number => median(rounds.map(value));
  const read = (value: (round: RoundCost) => number | null): number | null => {
    const found = rounds.map(value).filter((one) => one !== null);
    return found.length === 0 ? null : median(found);
  };
  return {
    perSecond: of(({ load }) => load.perSecond),
    p50Ms: of(({ load }) => load.p50Ms),
    p99Ms: of(({ load }) => load.p99Ms),
    nodeMicroseconds: of((round) => round.nodeMicroseconds),
    databaseMicroseconds: read((round) => round.databaseMicroseconds),
    walBytes: read((round) => round.walBytes),
    keptBytes: read((round) => round.keptBytes),
    nonceBytes: meanOf(rounds.map((round) => round.nonceBytes)),
  };
}

/**
 * The mean, or null when no value is known. The bytes of nonces use the mean and not the median: index pages of nonces
 * split in waves, so the rounds differ much.
 */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
