import { pairId, type QuoteMap } from "@propgate/core";
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { type Catalogue, loadCatalogue } from "../../packages/market/src/catalogue/catalogue.ts";
import { loadPrograms, type ProgramFile } from "../../packages/market/src/catalogue/programs.ts";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import { drawCatalogueChange } from "./catalogue-changes.ts";
import type { Checker, Finding, Observation, Turn } from "./checker.ts";
import { JournalReader } from "./checkers/journal-reader.ts";
import { LineTimes } from "./checkers/line-times.ts";
import { createCheckers } from "./checkers/registry.ts";
import { WholeJournals } from "./checkers/whole-journals.ts";
import type { FaultKind } from "./faults.ts";
import { createLostCommits, type LostCommits } from "./lost-commits.ts";
import { makeClockWrong, type WrongClock } from "./make-clock-wrong.ts";
import { FUNDED_PAIR, TRADED_PAIRS } from "./market.ts";
import { jumpTime, passSeconds, passUntil, takeRandomStep } from "./random-steps.ts";
import { countAccounts, openRunDatabases, unionOfDatabases } from "./run-databases.ts";
import { cpuMsSince } from "./time/processor-time.ts";
import { createWorld, type World } from "./world.ts";

/** A finding, with the step after which it was found. */
export interface FindingAtStep extends Finding {
  readonly step: number;
}

/** The result of a run: its findings, its digest and its counts. */
export interface SimulationResult {
  readonly seed: number;
  readonly steps: number;
  /** The SHA-256 of the whole history, in hex. The same seed gives the same digest. */
  readonly digest: string;
  readonly simulatedMs: number;
  readonly realMs: number;
  /** The processor time of the run. On a busy machine it is less than `realMs`. */
  readonly cpuMs: number;
  readonly faults: Readonly<Record<string, number>>;
  /** The number of acts of the operator and the firm on prices and the catalogue, by the name of the act. */
  readonly acts: Readonly<Record<string, number>>;
  readonly exchanges: number;
  /** The number of exchanges by the status of their answer, or `lost`. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The number of checks. `calmChecks` counts the checks for which `Observation.calm` was true. */
  readonly checks: number;
  readonly calmChecks: number;
  readonly findings: readonly FindingAtStep[];
  /** The number of accounts that each database has at the end. */
  readonly accountsOn: readonly number[];
}

export interface SimulationSettings {
  readonly seed: number;
  readonly steps: number;
  readonly faults: readonly FaultKind[];
  readonly trace?: (line: string) => void;
  /** The number of databases; 1 by default. */
  readonly databases?: number;
  /** True when databases lose commits under the nodes; false by default. */
  readonly losesCommits?: boolean;
  /** The number of nodes; 2 by default. */
  readonly nodes?: number;
  /**
   * Makes the clock of one node after the other wrong, each time for a burst of at most `steps` steps; never by
   * default.
   */
  readonly wrongClock?: WrongClock;
}

interface Progress {
  readonly world: World;
  readonly checkers: readonly Checker[];
  /** Null in a run whose databases lose no commits. */
  readonly lost: LostCommits | null;
  readonly databases: readonly Database[];
  /** The catalogue with all pairs as they were at the first start. */
  readonly base: Catalogue;
  readonly interleaving: number;
  steps: number;
  checks: number;
  calmChecks: number;
  /** The turn at the end of the last repair. */
  repairedTurn: Turn;
  repairedMs: number;
  /**
   * The quote boards at the last repair, shortly before the nodes did the work that was due. At that time an account
   * may have waited for a price that it had later.
   */
  repairedBoards: readonly QuoteMap[];
  accountsOn: readonly number[];
}

/** The maximum number of findings of a run, because later ones usually follow from the first. */
const FINDINGS_MAX = 5;
/**
 * The numbers of accounts, of which each run draws one. With few accounts each is busy; with many, some are idle for a
 * long time.
 */
const ACCOUNTS = [6, 12, 36] as const;
const BURST_MAX = 150;
const MEND_RATE = 0.3;
const START_RATE = 0.5;
const WAIT_RATE = 0.6;
/** The probability that a burst begins with a drawn change of the catalogue. */
const CHANGE_RATE = 0.06;
/** The probabilities of another event between two steps of a burst, of which each run draws one. */
const INTERLEAVINGS = [0.01, 0.05, 0.4] as const;

/** Runs one seed to its end, or to its first findings. */
export async function runSimulation(settings: SimulationSettings): Promise<SimulationResult> {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const data = await loadData();
  const databases = await openRunDatabases(settings.databases ?? 1, () => world.steadyMs);
  const { seed, losesCommits = false } = settings;
  const hasWrongClocks = settings.wrongClock !== undefined;
  const world = createWorld({ ...settings, ...data, databases, hasWrongClocks });
  const unhandled = (cause: unknown): void => {
    const message = `an unhandled rejection: ${String(cause)}`;
    world.findings.push({ checker: "the run itself", accountId: null, message });
  };
  process.on("unhandledRejection", unhandled);
  const progress: Progress = {
    world,
    databases,
    checkers: losesCommits
      ? [new WholeJournals({ ...world, databases }), new LineTimes(() => new JournalReader())]
      : createCheckers(),
    lost: losesCommits ? createLostCommits(world, { seed, databases }) : null,
    steps: 0,
    checks: 0,
    calmChecks: 0,
    repairedTurn: 0,
    repairedMs: 0,
    repairedBoards: [],
    accountsOn: [],
    base: data.catalogue,
    interleaving: world.draw.pick(INTERLEAVINGS),
  };
  try {
    await startRun(progress);
    if (settings.wrongClock !== undefined) await makeClocksWrongInTurn(progress, settings);
    while (progress.steps < settings.steps && world.findings.length === 0) {
      await runBurst(progress, settings.steps);
    }
    if (world.findings.length === 0) await repair(progress);
    if (world.findings.length === 0) await runFinalChecks(progress);
  } finally {
    process.off("unhandledRejection", unhandled);
    progress.accountsOn = await Promise.all(databases.map(countAccounts));
    for (const database of databases) await database.close();
  }
  const { steps, checks, calmChecks, accountsOn } = progress;
  const { statuses } = world.network;
  return {
    seed: settings.seed,
    steps,
    checks,
    calmChecks,
    accountsOn,
    statuses,
    digest: world.chronicle.digest(),
    simulatedMs: world.nowMs - START_MS,
    realMs: Math.round(performance.now() - startedAt),
    cpuMs: cpuMsSince(cpuAtStart),
    faults: world.faults.counts,
    acts: world.acts,
    exchanges: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    findings: world.findings.slice(0, FINDINGS_MAX).map((finding) => ({ ...finding, step: steps })),
  };
}

/**
 * Loads the catalogue with only the pairs that are traded in a run: each start reads and writes the whole catalogue,
 * and a run has many starts.
 */
async function loadData(): Promise<{
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
}> {
  const catalogue = await loadCatalogue(null);
  const traded = [...catalogue.instruments].filter(([pair]) => TRADED_PAIRS.includes(pair));
  const instruments = new Map(traded);
  const funded = instruments.get(pairId(FUNDED_PAIR));
  if (funded === undefined) throw new Error(`the catalogue has no ${FUNDED_PAIR}`);
  instruments.set(funded.id, { ...funded, carry: { kind: "everyHour", rate: null } });
  return { catalogue: { ...catalogue, instruments }, programs: await loadPrograms(null) };
}

/** Starts the nodes, and opens accounts and keys without faults. */
async function startRun(progress: Progress): Promise<void> {
  const { world } = progress;
  const { operator, clients, network } = world;
  world.faults.lifted = true;
  for (const node of world.nodes) node.start();
  await world.untilReady();
  const last = world.nodes.length - 1;
  const accounts = world.draw.pick(ACCOUNTS);
  for (let count = 0; count < accounts; count += 1) network.sendTask(operator.open(), 0);
  await world.untilQuiet();
  for (const trader of clients.traders) {
    network.sendTask(operator.key(trader, "both"), 0);
    network.sendTask(operator.key(trader, "both"), last);
    network.sendTask(operator.key(trader, world.draw.pick(["read", "place"])), last);
  }
  await world.untilQuiet();
  world.faults.lifted = false;
  await runChecks(progress, false);
}

/**
 * Makes the clock of one node after the other wrong: first at the node's start, later while the node works. After a
 * burst of steps the clock is right again.
 */
async function makeClocksWrongInTurn(
  progress: Progress,
  { wrongClock: clock = 0, steps }: SimulationSettings,
): Promise<void> {
  const { world } = progress;
  for (const isFromStart of [true, false]) {
    for (const node of world.nodes) {
      if (world.findings.length > 0) return;
      await makeClockWrong(world, node, { clock, isFromStart });
      await runBurst(progress, progress.steps + steps);
      if (world.findings.length === 0) await repair(progress);
    }
  }
}

/**
 * Runs a burst of steps, mixed with the world's events. Then waits until no work is in progress and runs the checks, or
 * repairs everything.
 */
async function runBurst(progress: Progress, maxSteps: number): Promise<void> {
  const { world } = progress;
  const { draw } = world;
  if (progress.lost === null && draw.chance(CHANGE_RATE)) await changeCatalogue(progress);
  for (const node of world.nodes) {
    const isAlone = world.nodes.every(({ life }) => life === null);
    if (node.life === null && (isAlone || draw.chance(START_RATE))) node.start();
  }
  if (draw.chance(WAIT_RATE)) {
    progress.steps += 1;
    await jumpTime(world);
    await passSeconds(world);
  }
  let left = Math.min(Math.ceil(draw.magnitude(1, BURST_MAX)), maxSteps - progress.steps);
  for (; left > 0; left -= 1) {
    progress.steps += 1;
    await takeRandomStep(world);
    await progress.lost?.maybeRestore();
    while (draw.chance(progress.interleaving)) await world.turn();
  }
  await world.untilQuiet();
  if (world.findings.length > 0) return;
  await progress.lost?.maybeCopy();
  if (draw.chance(MEND_RATE)) await repair(progress);
  else await runChecks(progress, isCalm(progress));
}

/** The share of starts with a changed catalogue during which faults may happen. */
const DISTURBED_RATE = 0.7;
/**
 * The number of attempts of a start during which faults may happen. Later attempts have no faults, so that the start
 * completes.
 */
const DISTURBED_ATTEMPTS = 4;
/** The approximate number of turns of a start. */
const START_TURNS = 120;

/**
 * Stops all nodes and starts them with a changed catalogue. When a start refuses the change, the firm cancels it and
 * starts again. Nodes may die while they start, and their statements or the answers to these may be lost.
 */
async function changeCatalogue({ world, base, databases }: Progress): Promise<void> {
  const { catalogue, draw, nodes } = world;
  const change = await drawCatalogueChange(draw, { base, former: catalogue.current, databases });
  if (change === null) return;
  liftFaults(world);
  for (const node of nodes) {
    if (node.life !== null) await world.crash(node, "a start with another catalogue");
  }
  makeClocksRight(world);
  catalogue.change(change);
  const disturbed = draw.chance(DISTURBED_RATE) ? DISTURBED_ATTEMPTS : 0;
  const faultsBefore = faultCount(world);
  for (let attempts = 0; nodes.some(({ isUp }) => !isUp); attempts += 1) {
    world.faults.lifted = attempts >= disturbed;
    for (const node of nodes) node.start();
    await killWhileItStarts(world);
    await world.untilQuiet();
    if (world.findings.length > 0) return;
  }
  liftFaults(world);
  await world.untilReady();
  if (faultCount(world) > faultsBefore) catalogue.countDisturbed();
  world.faults.lifted = false;
}

function faultCount({ faults }: World): number {
  return Object.values(faults.counts).reduce((sum, count) => sum + count, 0);
}

/** Lets a node die at some moment of its start, when a fault strikes. */
async function killWhileItStarts(world: World): Promise<void> {
  const { draw, faults, nodes } = world;
  if (!faults.strikes("crash", "crash.start", 0.5)) return;
  const dying = draw.pick(nodes);
  for (let left = draw.below(START_TURNS); left > 0 && dying.life !== null; left -= 1) {
    if (!(await world.turn()) && !world.passToNext()) break;
  }
  if (dying.life !== null) await world.crash(dying, "a crash while it starts");
}

function liftFaults({ faults, nodes, messages, silent }: World): void {
  faults.lifted = true;
  silent.clear();
  for (const node of nodes) messages.mend(node.index);
}

/**
 * Makes every clock right. Clocks that are right get this step too, because it replaces their wrong steps that are
 * still to come.
 */
function makeClocksRight(world: World): void {
  const right = [{ atMs: world.steadyMs, aheadMs: 0 }];
  for (const { wallClock } of world.nodes) wallClock.follow(right);
  world.stepClocks();
}

/**
 * Longer than the nodes take to renew their leases, which a jump of time may have ended, and then to retry work that
 * waited for newer prices.
 */
const RENEWED_MS = 6_000;

/**
 * Ends all faults, starts all nodes, brings them up to date and runs the checks. Every promise must hold then. Wrong
 * clocks are corrected last: until then the other nodes must do the work of the nodes with wrong clocks. Afterwards
 * faults may happen again. @rule D12.oneClock
 */
async function repair(progress: Progress): Promise<void> {
  const { world } = progress;
  liftFaults(world);
  for (const node of world.nodes) node.start();
  await world.untilQuiet();
  await passUntil(world, world.steadyMs + RENEWED_MS);
  await world.untilReady();
  for (const { index, isReady, wallClock } of world.nodes) {
    if (!isReady || !wallClock.isWrong) continue;
    world.report(`node ${index} is ready although it is ${wallClock.aheadMs} ms ahead`);
  }
  makeClocksRight(world);
  await world.untilReady();
  world.source.push(world.market.all(world.nowMs));
  await world.untilQuiet();
  await passUntil(world, world.steadyMs + RENEWED_MS);
  world.source.push(world.market.all(world.nowMs));
  await world.untilQuiet();
  progress.repairedBoards = boardsOf(world).map((quotes) => new Map(quotes));
  for (const node of world.nodes) node.runHousekeeping();
  await world.untilQuiet();
  progress.repairedMs = world.nowMs;
  await runChecks(progress, true);
  world.faults.lifted = false;
  progress.repairedTurn = world.chronicle.turn;
}

/** Markets open, days end and funding is charged at multiples of this time. */
const CLOCK_WORK_MS = 300_000;

/**
 * True when since the last repair no fault has happened, the operator has made no choice that changes prices, and no
 * `CLOCK_WORK_MS` mark has passed. The service must then be up to date without housekeeping and without new prices.
 */
function isCalm({ world, repairedTurn, repairedMs }: Progress): boolean {
  const periodOf = (ms: number): number => Math.floor(ms / CLOCK_WORK_MS);
  const lastTurn = Math.max(world.lastFaultTurn, world.lastChoiceTurn);
  return lastTurn < repairedTurn && periodOf(repairedMs) === periodOf(world.nowMs);
}

async function runChecks(progress: Progress, calm: boolean): Promise<void> {
  const { world } = progress;
  progress.checks += 1;
  if (calm) progress.calmChecks += 1;
  const at = observe(progress, calm);
  // No fault may happen while a checker reads through the nodes.
  const { lifted } = world.faults;
  world.faults.lifted = true;
  for (const checker of progress.checkers) world.findings.push(...(await findingsOf(checker, at)));
  world.faults.lifted = lifted;
}

/** The findings of a checker. An exception of its model, such as at an impossible position, is a finding too. */
async function findingsOf(checker: Checker, at: Observation): Promise<readonly Finding[]> {
  try {
    return await checker.check(at);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return [
      { checker: checker.name, accountId: null, message: `its model cannot follow: ${message}` },
    ];
  }
}

/** Runs the expensive checks after the last repair. */
async function runFinalChecks(progress: Progress): Promise<void> {
  const { world, checkers } = progress;
  const at = observe(progress, true);
  for (const checker of checkers) world.findings.push(...((await checker.finish?.(at)) ?? []));
}

function observe(progress: Progress, calm: boolean): Observation {
  const { world, databases, repairedMs, repairedBoards } = progress;
  const { instruments } = world.catalogue.current;
  const { nowMs, lastFaultTurn, lastChoiceTurn, network, chronicle } = world;
  return {
    turn: chronicle.turn,
    database: unionOfDatabases(databases),
    databases,
    instruments,
    nowMs,
    calm,
    repairedMs,
    repairedBoards,
    lastFaultTurn,
    lastChoiceTurn,
    ended: network.takeEnded(),
    quotes: world.quotes.splice(0),
    published: world.published.splice(0),
    fed: world.fed.splice(0),
    forged: world.forged.splice(0),
    sourceAnswers: world.sourceAnswers.splice(0),
    boards: boardsOf(world),
  };
}

/** The quote boards of the living nodes. */
function boardsOf({ nodes }: Pick<World, "nodes">): readonly QuoteMap[] {
  return nodes.map(({ quotes }) => quotes).filter((quotes) => quotes !== null);
}
