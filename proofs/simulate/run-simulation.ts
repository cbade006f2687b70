import type { Instruments, Quote } from "@propgate/core";
import { type Catalogue, loadCatalogue } from "../../packages/server/src/catalogue/catalogue.ts";
import { loadPrograms, type ProgramFile } from "../../packages/server/src/catalogue/programs.ts";
import type { Database } from "../../packages/server/src/storage/databases/database.ts";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import { openTestDatabase } from "../../packages/server/src/testing/open-test-database.ts";
import { createCheckers } from "./checkers/registry.ts";
import { drain } from "./drain.ts";
import type { FaultKind } from "./faults.ts";
import type { Checker, Finding, Look, Turn } from "./history.ts";
import { createWorld, type World } from "./world.ts";

/** A finding and where in the run it was made. */
export interface PlacedFinding extends Finding {
  readonly step: number;
}

/** What became of a run. */
export interface SimulationRun {
  readonly seed: number;
  readonly steps: number;
  /** SHA-256 of the whole history; the same seed gives the same. */
  readonly digest: string;
  readonly simulatedMs: number;
  readonly realMs: number;
  /** Of the processor; on a machine that is busy otherwise less than the time it took. */
  readonly cpuMs: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly exchanges: number;
  /** Exchanges by the status of their answer, or `lost`. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How often the promises were looked at, and how often of that in calm. */
  readonly looks: number;
  readonly calmLooks: number;
  readonly findings: readonly PlacedFinding[];
}

export interface SimulationSettings {
  readonly seed: number;
  readonly steps: number;
  readonly faults: readonly FaultKind[];
  readonly trace?: (line: string) => void;
}

interface Progress {
  readonly world: World;
  readonly checkers: readonly Checker[];
  readonly database: Database;
  readonly instruments: Instruments;
  readonly interleaving: number;
  steps: number;
  looks: number;
  calmLooks: number;
  /** When everything was in order last. */
  mendedTurn: Turn;
  mendedMs: number;
}

/** Of one run; what follows from the first is no news. */
const FINDINGS_MOST = 5;
/** Few accounts are busy ones; of many some are left alone for long. */
const ACCOUNTS = [6, 12, 36] as const;
const BURST_MOST = 150;
const MEND_RATE = 0.3;
const START_RATE = 0.5;
const WAIT_RATE = 0.6;
/** How often something happens between two requests of a burst; runs differ. */
const INTERLEAVINGS = [0.01, 0.05, 0.4] as const;

/** Runs one seed to its end, or to its first finding. */
export async function runSimulation(settings: SimulationSettings): Promise<SimulationRun> {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const data = await loadData();
  const database = await openTestDatabase();
  const world = createWorld({ ...settings, ...data, database });
  const unhandled = (cause: unknown): void => {
    const says = `a rejection that nobody handled: ${String(cause)}`;
    world.findings.push({ checker: "the run itself", accountId: null, says });
  };
  process.on("unhandledRejection", unhandled);
  const progress: Progress = {
    ...{ world, database, checkers: createCheckers(), steps: 0, looks: 0, calmLooks: 0 },
    ...{ mendedTurn: 0, mendedMs: 0 },
    instruments: data.catalogue.instruments,
    interleaving: world.draw.pick(INTERLEAVINGS),
  };
  try {
    await begin(progress);
    while (progress.steps < settings.steps && world.findings.length === 0) {
      await round(progress, settings.steps);
    }
    if (world.findings.length === 0) await mend(progress);
    if (world.findings.length === 0) await finish(progress);
  } finally {
    process.off("unhandledRejection", unhandled);
    await database.close();
  }
  const { steps, looks, calmLooks } = progress;
  const { statuses } = world.network;
  return {
    ...{ seed: settings.seed, steps, looks, calmLooks, statuses },
    digest: world.chronicle.digest(),
    simulatedMs: world.nowMs - START_MS,
    realMs: Math.round(performance.now() - startedAt),
    cpuMs: cpuMsSince(cpuAtStart),
    faults: world.faults.counts,
    exchanges: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    findings: world.findings
      .slice(0, FINDINGS_MOST)
      .map((finding) => ({ ...finding, step: steps })),
  };
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return Math.round((user + system) / 1_000);
}

async function loadData(): Promise<{
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
}> {
  return { catalogue: await loadCatalogue(null), programs: await loadPrograms(null) };
}

/** Nodes, accounts and keys to begin with, before anything goes wrong. */
async function begin(progress: Progress): Promise<void> {
  const { world } = progress;
  const { operator, clients, network } = world;
  world.faults.lifted = true;
  for (const node of world.nodes) node.start();
  await world.untilQuiet();
  const accounts = world.draw.pick(ACCOUNTS);
  for (let count = 0; count < accounts; count += 1) network.ask(operator.open(), 0);
  await world.untilQuiet();
  for (const trader of clients.traders) {
    network.ask(operator.key(trader, "both"), 0);
    network.ask(operator.key(trader, "both"), 1);
    network.ask(operator.key(trader, world.draw.pick(["read", "place"])), 1);
  }
  await world.untilQuiet();
  world.faults.lifted = false;
  await look(progress, false);
}

/** A burst of steps, among which things go their way, and then rest. */
async function round(progress: Progress, mostSteps: number): Promise<void> {
  const { world } = progress;
  const { draw } = world;
  for (const node of world.nodes) {
    const isAlone = world.nodes.every(({ life }) => life === null);
    if (node.life === null && (isAlone || draw.chance(START_RATE))) node.start();
  }
  if (draw.chance(WAIT_RATE)) {
    progress.steps += 1;
    passTime(world);
  }
  let left = Math.min(Math.ceil(draw.magnitude(1, BURST_MOST)), mostSteps - progress.steps);
  for (; left > 0; left -= 1) {
    progress.steps += 1;
    await act(world);
    while (draw.chance(progress.interleaving)) await world.turn();
  }
  await world.untilQuiet();
  if (world.findings.length > 0) return;
  if (draw.chance(MEND_RATE)) await mend(progress);
  else await look(progress, isCalm(progress));
}

const ACTS = {
  request: 76,
  replay: 3,
  quotes: 12,
  house: 4,
  operator: 2.5,
  moment: 2,
  skew: 0.4,
  crash: 0.4,
} as const;

/** One step. */
async function act(world: World): Promise<void> {
  const { draw, network, nodes } = world;
  const node = draw.below(nodes.length);
  switch (draw.weighted(ACTS)) {
    case "request": {
      const request = world.clients.draw(world.nowMs);
      if (request !== null) network.send(request, aliveOr(world, node));
      break;
    }
    case "replay":
      network.replay(node);
      break;
    case "quotes":
      give(world, world.market.some(world.nowMs));
      break;
    case "house":
      nodes[node]?.keepHouse();
      await drain();
      break;
    case "operator": {
      const task = world.operator.draw();
      if (task !== null) network.ask(task, aliveOr(world, node));
      break;
    }
    case "moment":
      world.nowMs += Math.round(draw.magnitude(1, 5_000));
      break;
    case "skew":
      skew(world, node);
      break;
    case "crash": {
      const dying = nodes[node];
      if (dying?.life == null || !world.faults.strikes("crash", "crash.turn", 1)) break;
      await world.crash(dying, "for no reason");
    }
  }
}

/** Clients mostly know which node is there. */
function aliveOr({ nodes, draw }: World, node: number): number {
  if (nodes[node]?.isUp === true || draw.chance(0.1)) return node;
  return nodes.find(({ isUp }) => isUp)?.index ?? node;
}

const HOUR_MS = 3_600_000;
const DAY_RATE = 0.1;
const STALE_RATE = 0.1;

/** Seconds to hours, now and then a day or more; mostly fresh prices come with it. */
function passTime(world: World): void {
  const { draw, chronicle } = world;
  const hours = draw.chance(DAY_RATE) ? draw.between(12, 80) : draw.magnitude(1 / 3_600, 6);
  world.nowMs += Math.round(hours * HOUR_MS);
  chronicle.next();
  chronicle.note("time", world.nowMs);
  if (!world.faults.strikes("prices", "prices.stale", STALE_RATE))
    give(world, world.market.all(world.nowMs));
}

const SKEW_MOST_MS = 20_000;

/** A node's clock jumps, also back. */
function skew(world: World, index: number): void {
  const { nodes, draw, faults, chronicle } = world;
  const node = nodes[index];
  if (node === undefined || !faults.strikes("clock", "clock.skew", 1)) return;
  node.skewMs = Math.round(draw.between(-SKEW_MOST_MS, SKEW_MOST_MS));
  world.lastFaultTurn = chronicle.turn;
  chronicle.note("skew", index, node.skewMs);
}

const PRICE_FAULT_RATE = 0.04;

/** Quotes go to every node, but not to each in the same way. */
function give(world: World, quotes: readonly Quote[]): void {
  const { feeds, faults, draw } = world;
  const strikes = (name: string): boolean => {
    const strikesNow = faults.strikes("prices", name, PRICE_FAULT_RATE);
    if (strikesNow) world.lastFaultTurn = world.chronicle.turn;
    return strikesNow;
  };
  for (const feed of feeds) {
    if (strikes("prices.dropped")) continue;
    feed.push(quotes);
    if (strikes("prices.twice")) feed.push(quotes);
    if (strikes("prices.reordered")) feed.splice(draw.below(feed.length), 0, ...feed.splice(-1));
  }
}

/** Everything that is wrong is put right, everybody is up to date: now every promise has to hold. */
async function mend(progress: Progress): Promise<void> {
  const { world } = progress;
  world.faults.lifted = true;
  for (const node of world.nodes) {
    node.skewMs = 0;
    node.start();
  }
  await world.untilQuiet();
  const quotes = world.market.all(world.nowMs);
  for (const feed of world.feeds) feed.push(quotes);
  await world.untilQuiet();
  for (const node of world.nodes) node.keepHouse();
  await world.untilQuiet();
  await look(progress, true);
  world.faults.lifted = false;
  progress.mendedTurn = world.chronicle.turn;
  progress.mendedMs = world.nowMs;
}

/** Markets open and days end at multiples of it. */
const QUARTER_MS = 900_000;

/**
 * Whether nothing has gone wrong and no time to speak of has passed since everything was in order:
 * then the service has kept up without a sweep and without any further price.
 */
function isCalm({ world, mendedTurn, mendedMs }: Progress): boolean {
  const quarterOf = (ms: number): number => Math.floor(ms / QUARTER_MS);
  return (
    world.lastFaultTurn < mendedTurn &&
    world.feeds.every((feed) => feed.length === 0) &&
    quarterOf(mendedMs) === quarterOf(world.nowMs)
  );
}

async function look(progress: Progress, calm: boolean): Promise<void> {
  const { world } = progress;
  progress.looks += 1;
  if (calm) progress.calmLooks += 1;
  const at = lookNow(progress, calm);
  for (const checker of progress.checkers) world.findings.push(...(await checker.look(at)));
}

/** At the end of a run, when all is mended: what is too much for every look. */
async function finish(progress: Progress): Promise<void> {
  const { world, checkers } = progress;
  const at = lookNow(progress, true);
  for (const checker of checkers) world.findings.push(...((await checker.finish?.(at)) ?? []));
}

function lookNow({ world, database, instruments }: Progress, calm: boolean): Look {
  const { nowMs, lastFaultTurn, network, nodes, chronicle } = world;
  return {
    ...{ turn: chronicle.turn, database, instruments, nowMs, calm, lastFaultTurn },
    ended: network.takeEnded(),
    quotes: world.quotes.splice(0),
    boards: nodes.map(({ quotes }) => quotes).filter((quotes) => quotes !== null),
  };
}
