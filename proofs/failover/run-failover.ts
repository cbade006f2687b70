import { chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSeededChance } from "../../packages/base/src/random.ts";
import { openPostgres } from "../../packages/ledger/src/storage/databases/postgres-database.ts";
import { canHaveSmallDisk, openSmallDisk } from "../faults/small-disk.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { openBusCluster } from "./bus-cluster.ts";
import { countAnswers } from "./client-answers.ts";
import { type ClientLoad, startClientLoad } from "./client-load.ts";
import { databaseUrlAtPort, openDatabasePair } from "./database-pair.ts";
import { FAILURES, type Failure, type FailureContext } from "./failures.ts";
import { type FailoverInspection, inspectFailover } from "./inspect-failover.ts";
import type { NeededPrograms } from "./needed-programs.ts";
import { type Outage, outageOf, type TimedFailure } from "./outages.ts";
import { openServiceGroup } from "./service-group.ts";

export interface FailoverPlan {
  readonly programs: NeededPrograms;
  /** How often each kind of failure happens. */
  readonly times: number;
  /** True for the names of the kinds of failure that the run includes. */
  readonly includes: (name: string) => boolean;
  readonly traders: number;
  readonly stopMs: number;
  readonly holdMs: number;
  /** The maximum time for which the run waits, after a failure, for a success of every client. */
  readonly recoverMaxMs: number;
  /** How long a client looks for the fate of one order before it places the next; null for the SDK's own time. */
  readonly settleMs: number | null;
  /** The same seed draws the same failures. */
  readonly seed: string;
  readonly report: (line: string) => void;
}

export interface FailoverResult extends FailoverInspection {
  readonly seed: string;
  readonly failures: number;
  readonly kinds: number;
  readonly nodes: number;
  readonly clients: number;
  readonly outages: readonly Outage[];
  /** The number of answers, by call, status and error. */
  readonly answers: Readonly<Record<string, number>>;
  /** The names of failures after which some client had no success in time. */
  readonly notRecovered: readonly string[];
}

const NODES = 3;
const BUS_SERVERS = 3;
const READERS = 3;
/** A key may read 120 times a minute, and a reader reads up to 600 times a minute. */
const KEYS_PER_READER = 6;
const BUS_DISK_MEGABYTES = 16;
const QUIET_MS = 500;
const ENDING_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Starts servers, nodes and clients in a temporary folder, makes each kind of failure happen, and compares the answers
 * with the journal.
 */
export async function runFailover(plan: FailoverPlan): Promise<FailoverResult> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  const interrupted = (): void => void close().finally(() => process.exit(1));
  for (const signal of ENDING_SIGNALS) process.once(signal, interrupted);
  try {
    return await runWithClosers(plan, (closer) => closers.push(closer));
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, interrupted);
    await close();
  }
}

async function runWithClosers(
  plan: FailoverPlan,
  atEnd: (closer: () => Promise<unknown>) => void,
): Promise<FailoverResult> {
  const { programs, report } = plan;
  const folder = await mkdtemp(join(tmpdir(), "propgate-failover-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  chownSync(folder, programs.user.uid, programs.user.gid);
  const busDisk = canHaveSmallDisk() ? await openSmallDisk(BUS_DISK_MEGABYTES) : null;
  if (busDisk !== null) atEnd(() => busDisk.remove());
  const bus = await openBusCluster({
    program: programs.natsServer,
    folder,
    logFolder: busDisk?.path ?? folder,
    servers: BUS_SERVERS,
  });
  atEnd(() => bus.close());
  report("starting databases and nodes");
  const pair = await openDatabasePair(programs, folder);
  atEnd(() => pair.close());
  const nodes = await openServiceGroup({
    count: NODES,
    folder,
    databasePort: pair.primaryPort,
    busPorts: bus.ports,
  });
  atEnd(() => nodes.close());
  const traders: Trader[] = [];
  while (traders.length < plan.traders) traders.push(await nodes.newTrader());
  const readers: (readonly Trader[])[] = [];
  while (readers.length < READERS) {
    readers.push(await nodes.newKeys(await nodes.newTrader(), KEYS_PER_READER));
  }
  await nodes.allReady();
  const below = createDrawBelow(plan.seed);
  const load = startClientLoad({ ...plan, baseUrls: nodes.baseUrls, traders, readers, below });
  atEnd(() => load.stop());
  const around = { ...plan, pair, bus, nodes, nodeCount: NODES, busDisk, below };
  const failures = drawFailures(plan, around);
  const incidents: TimedFailure[] = [];
  const notRecovered: string[] = [];
  for (const failure of failures) {
    const { incident, hasRecovered } = await causeAndRepair(failure, around, load);
    incidents.push(incident);
    if (!hasRecovered) notRecovered.push(failure.name);
    report(outageText(outageOf(load.records, incident)));
  }
  await load.stop();
  report("comparing the answers with the journal");
  const database = await openPostgres(databaseUrlAtPort(pair.primaryPort));
  atEnd(() => database.close());
  return {
    seed: plan.seed,
    failures: incidents.length,
    kinds: new Set(failures).size,
    nodes: NODES,
    clients: load.records.length,
    outages: incidents.map((incident) => outageOf(load.records, incident)),
    answers: countAnswers(load.records),
    notRecovered,
    ...(await inspectFailover(database, load)),
  };
}

/** Creates a function that draws an integer of at least 0 and below its argument. */
function createDrawBelow(seed: string): (limit: number) => number {
  const chance = createSeededChance(seed);
  return (limit) => Buffer.from(chance.bytes(4)).readUInt32BE() % Math.max(1, limit);
}

/**
 * Draws the failures: each round has every included kind once, in a drawn order. A kind that fills a disk is left out
 * where the machine allows no small disk.
 */
function drawFailures(
  { times, includes }: FailoverPlan,
  { below, busDisk }: FailureContext,
): readonly Failure[] {
  const kinds = FAILURES.filter(
    ({ name, needsDisk }) => includes(name) && (!needsDisk || busDisk !== null),
  );
  return Array.from({ length: times }, () => {
    const left = [...kinds];
    return kinds.flatMap(() => left.splice(below(left.length), 1));
  }).flat();
}

async function causeAndRepair(
  failure: Failure,
  around: FailureContext,
  load: ClientLoad,
): Promise<{ readonly incident: TimedFailure; readonly hasRecovered: boolean }> {
  await around.nodes.allShared();
  await setTimeout(QUIET_MS);
  const fromMs = performance.now();
  const usedNodes = new Map(load.records.map((record) => [record, record.node]));
  const { promotionMs, repair, stopped } = await failure.cause(around);
  const hasRecovered = await load.allSucceeded(performance.now());
  await repair?.();
  // Quotes stay fresh for some seconds, so clients may notice the failure late. So the run waits for their successes a
  // second time.
  await around.nodes.allReady();
  const staysRecovered = await load.allSucceeded(performance.now());
  const toMs = performance.now();
  return {
    incident: {
      name: failure.name,
      fromMs,
      toMs,
      promotionMs,
      stopped: stopped === undefined ? null : { ...stopped, usedNodes },
    },
    hasRecovered: hasRecovered && staysRecovered,
  };
}

function outageText({
  name,
  promotionSeconds,
  readSeconds,
  orderSeconds,
  ...rest
}: Outage): string {
  const promotion = promotionSeconds === null ? "" : `promotion ${promotionSeconds} s, `;
  const stopped =
    rest.stopped === null
      ? ""
      : ` (its accounts ${rest.stopped.ownSeconds} s, others ${rest.stopped.othersSeconds} s)`;
  return `${name}: ${promotion}without reads ${readSeconds} s, without orders ${orderSeconds} s${stopped}`;
}
