import { type Quote, type UnixMs, unixMs } from "@propgate/core";
import type { Stopwatch } from "../../packages/base/src/clock.ts";
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import {
  BEFORE_FIRST_QUOTE,
  isLater,
} from "../../packages/ledger/src/storage/rows/quote-position.ts";
import type { PerShard } from "../../packages/ledger/src/storage/shards/per-shard.ts";
import { perShard } from "../../packages/ledger/src/storage/shards/per-shard.ts";
import type { Catalogue } from "../../packages/market/src/catalogue/catalogue.ts";
import type { ProgramFile } from "../../packages/market/src/catalogue/programs.ts";
import type { NumberedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import { CatalogueInForce } from "./catalogue-changes.ts";
import type { Finding, Turn } from "./checker.ts";
import { type Chronicle, createChronicle, quoteText } from "./chronicle.ts";
import { type ClientNetwork, createClientNetwork } from "./client-network.ts";
import { type Clients, createClients } from "./clients.ts";
import { drainEventLoop } from "./drain-event-loop.ts";
import { errorText, isCausedByFault, isCausedByLostCommit } from "./fault-cause.ts";
import { createFaults, type FaultKind, type Faults } from "./faults.ts";
import type { ForgedQuote } from "./forged-messages.ts";
import { createMarket, type Market } from "./market.ts";
import { areAllReady, createSimulatedNode, type SimulatedNode } from "./node/simulated-node.ts";
import { type BusMessages, createBusMessages } from "./node/simulated-transport.ts";
import { createOperator, type Operator } from "./operator.ts";
import type { QuoteOffer, SourcedQuote } from "./price-sources.ts";
import { createPriceTasks, type SourceAnswer } from "./price-tasks.ts";
import { createSeededDraw, type RandomDraw } from "./random-draw.ts";
import {
  createSharedDatabase,
  type DatabaseStep,
  readyStepsOf,
  type SharedDatabase,
} from "./shared-database.ts";
import { createSimulatedTimers, type SimulatedTimers } from "./time/simulated-timers.ts";
import { createWallClock } from "./time/wall-clock.ts";

const NODES_DEFAULT = 2;
const ORDINARY_MS = 3;
const HASTES = [2, 8, 30] as const;

/** The parts of a run, which advances one turn after the other. */
export interface World {
  readonly draw: RandomDraw;
  readonly chronicle: Chronicle;
  readonly faults: Faults;
  readonly nodes: readonly SimulatedNode[];
  readonly network: ClientNetwork;
  readonly clients: Clients;
  readonly operator: Operator;
  readonly market: Market;
  readonly messages: BusMessages;
  readonly timers: SimulatedTimers;
  readonly catalogue: CatalogueInForce;
  /** The quotes of the market that have not reached the sources yet. */
  readonly source: (readonly SourcedQuote[])[];
  readonly findings: Finding[];
  /** The prices that a stranger has forged since the last observation. */
  readonly forged: ForgedQuote[];
  /** The pairs of which the sources send no quotes at present. */
  readonly silent: Set<string>;
  /** The number of acts of the operator and the firm, by the name of the act. */
  readonly acts: Record<string, number>;
  /** The indexes of the nodes that end themselves because their database was restored. */
  readonly ending: Set<number>;
  /** The quotes that nodes received or restored since the last observation. */
  readonly quotes: Quote[];
  /** The quotes that nodes received since the last observation, with the feed's numbers. */
  readonly published: NumberedQuote[];
  /** The quotes that sources offered since the last observation. */
  readonly fed: QuoteOffer[];
  /** The answers that the operator got about the sources of pairs since the last observation. */
  readonly sourceAnswers: SourceAnswer[];
  nowMs: number;
  /** The time of the steady clocks. It passes with `nowMs`, but does not jump over hours. */
  steadyMs: number;
  /**
   * The weight of delivering requests, against other events such as answers of the database. A higher weight makes
   * larger batches.
   */
  readonly deliveryWeight: number;
  /** The turn of the latest fault, or of the latest loss or start of a node. */
  lastFaultTurn: Turn;
  /** The turn in which an operator's choice last made the prices of the nodes differ. */
  lastChoiceTurn: Turn;
  /** True when the operator has made a change that nodes may not know yet. */
  hasNews: boolean;
  /** Makes one event happen and lets the service run until it waits again. False when no event is possible. */
  turn(): Promise<boolean>;
  /** Takes turns until no work is in progress. Time passes while work waits for it. A node that hangs is ended. */
  untilQuiet(): Promise<void>;
  /** Takes turns until all nodes with right clocks are ready and own all partitions. */
  untilReady(): Promise<void>;
  /** Lets the time pass until the next timer, database step or end of a pause. False when there is none. */
  passToNext(): boolean;
  crash(node: SimulatedNode, why: string): Promise<void>;
  /** Carries out the steps of the nodes' clocks that are due. */
  stepClocks(): void;
  /** True while a node has an open transaction. */
  hasOpenTransaction(): boolean;
  clockMs(): UnixMs;
  /** Counts a fault under the name. */
  count(name: string): void;
  /** Adds a finding of the run itself. */
  report(message: string): void;
  /**
   * Pauses the node's process for a while. Statements that it has sent may reach the database late. Has no effect while
   * the node has an open transaction, which the database would end.
   */
  pause(node: SimulatedNode, ms: number): void;
}

export interface WorldNeeds {
  readonly seed: number;
  readonly faults: readonly FaultKind[];
  readonly databases: PerShard<Database>;
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
  /** True when databases lose commits under the nodes; false by default. */
  readonly losesCommits?: boolean;
  /** The number of nodes; 2 by default. */
  readonly nodes?: number;
  /** True when the run makes clocks wrong on purpose; false by default. */
  readonly hasWrongClocks?: boolean;
  /** Called for every line of the history. */
  readonly trace?: (line: string) => void;
}

export function createWorld(need: WorldNeeds): World {
  const draw = createSeededDraw(String(need.seed));
  const count = need.nodes ?? NODES_DEFAULT;
  const chronicle = createChronicle(need.trace);
  const faults = createFaults(draw, need.faults);
  const shared = perShard(need.databases, createSharedDatabase);
  const market = createMarket(draw, need.catalogue.instruments);
  const clients = createClients(draw, market);
  const findings: Finding[] = [];
  const acts: Record<string, number> = {};
  const countAct = (name: string): void => {
    acts[name] = (acts[name] ?? 0) + 1;
  };
  const newest = new Map<string, NumberedQuote>();
  /** For each node, the turn in which a fault last struck one of its database steps. */
  const hitAt: Turn[] = Array.from({ length: count }, () => -1);
  const reportUnexpected = (message: string): void => {
    findings.push({ checker: "the run itself", accountId: null, message });
  };
  const catalogue = new CatalogueInForce(need.catalogue, {
    count: countAct,
    report: reportUnexpected,
  });
  const messages = createBusMessages({
    draw,
    faults,
    turn: () => chronicle.turn,
    onFault() {
      world.lastFaultTurn = chronicle.turn;
    },
  });
  const steadyClock: Stopwatch = { nowMs: () => world.steadyMs };
  const timers = createSimulatedTimers({ draw, nowMs: () => world.steadyMs });
  const onFault = (node: number, what: string, cause: unknown): void => {
    chronicle.note("fault", node, what, String(cause));
    if (catalogue.refused(cause)) return;
    const isLost = need.losesCommits === true && isCausedByLostCommit(cause);
    if (!isLost && !isCausedByFault(cause))
      reportUnexpected(`node ${node}, ${what}: ${errorText(cause)}`);
  };
  const nodes = Array.from({ length: count }, (_, index) => {
    const wallClock = createWallClock();
    return createSimulatedNode({
      index,
      shared,
      catalogue: () => catalogue.current,
      programs: need.programs,
      seed: `node:${need.seed}`,
      worldMs: () => world.nowMs,
      wallClock,
      steadyClock,
      hasWrongClocks: need.hasWrongClocks === true || need.faults.includes("clock"),
      onClockWrong() {
        chronicle.note("clock is wrong", index, wallClock.aheadMs);
        if (!wallClock.isWrong) reportUnexpected(`node ${index} says that its clock is wrong`);
      },
      timers,
      connect: (life) => messages.connect(life),
      onFault: (what, cause) => onFault(index, what, cause),
      onQuote(quote) {
        chronicle.note("got", index, quote.epoch, quote.number, quoteText(quote));
        world.quotes.push(quote);
        world.published.push(quote);
        // A node may get the quote later than another node.
        if (isLater(quote, newest.get(quote.pair) ?? BEFORE_FIRST_QUOTE))
          newest.set(quote.pair, quote);
      },
      onEnded: need.losesCommits === true ? () => void world.ending.add(index) : undefined,
      onStarted() {
        chronicle.note("up", index);
        catalogue.started();
        world.lastFaultTurn = chronicle.turn;
        // The board has the quotes of the database until new prices come.
        world.quotes.push(...(nodes[index]?.quotes?.values() ?? []));
        world.source.push(market.all(world.nowMs));
      },
    });
  });
  const network = createClientNetwork({
    draw,
    faults,
    chronicle,
    nodes,
    nowMs: () => world.nowMs,
    onEnd: (exchange) => clients.receive(exchange),
    onAnswer({ node, sentTurn }, { status, text }) {
      // Any node may own the account, so a fault of any node explains the answer.
      const isExplained =
        Math.max(world.lastFaultTurn, world.lastChoiceTurn, ...hitAt) >= sentTurn ||
        !areAllReady(world.nodes);
      if ((status === 500 || status === 502) && !isExplained)
        reportUnexpected(`node ${node} answered ${status} although nothing had failed: ${text}`);
    },
  });

  const priceActs: Parameters<typeof createPriceTasks>[2] = {
    count: countAct,
    steadyMs: () => world.steadyMs,
    newest: (pair) => newest.get(pair) ?? null,
    record(answer) {
      world.sourceAnswers.push({ ...answer, turn: chronicle.turn, atMs: world.nowMs });
    },
  };
  const world: World = {
    draw,
    chronicle,
    faults,
    nodes,
    network,
    catalogue,
    clients,
    market,
    messages,
    timers,
    source: [],
    forged: [],
    silent: new Set(),
    findings,
    acts,
    ending: new Set(),
    operator: createOperator(draw, clients, createPriceTasks(draw, market, priceActs)),
    quotes: [],
    published: [],
    fed: [],
    sourceAnswers: [],
    nowMs: START_MS,
    steadyMs: 0,
    deliveryWeight: draw.pick(HASTES),
    lastFaultTurn: 0,
    lastChoiceTurn: 0,
    hasNews: false,
    stepClocks: () => stepClocks(world),
    turn: () => turn(world, { shared, hitAt }),
    untilQuiet: () => untilQuiet(world, reportUnexpected),
    untilReady: () => untilReady(world, reportUnexpected),
    passToNext: () => passToNext(world, shared),
    pause: (node, ms) => pause(world, shared, { node, ms }),
    hasOpenTransaction: () =>
      nodes.some(({ life }) => life !== null && shared.some((one) => one.isOpen(life))),
    clockMs: () => unixMs(Math.round(world.nowMs)),
    count: (name) => faults.count(name),
    report: reportUnexpected,
    async crash(node, why) {
      chronicle.next();
      chronicle.note("crash", node.index, why);
      world.lastFaultTurn = chronicle.turn;
      await node.die();
      network.cut(node.index);
      messages.forget(node.index);
      await drainEventLoop();
    },
  };
  return world;
}

interface Storage {
  readonly shared: PerShard<SharedDatabase>;
  readonly hitAt: Turn[];
}

async function turn(world: World, storage: Storage): Promise<boolean> {
  const { draw, network, messages, timers, source, chronicle } = world;
  followFaults(world);
  const step = drawStep(world, storage.shared);
  const weights = {
    deliver: network.requestsInTransit > 0 ? world.deliveryWeight : 0,
    answer: network.lateAnswers > 0 ? 1 : 0,
    feed: source.length > 0 ? 1 : 0,
    message: messages.ready > 0 ? 2 : 0,
    timer: timers.due > 0 ? 2 : 0,
    storage: step === null ? 0 : 4,
  };
  if (Object.values(weights).every((weight) => weight === 0)) return false;
  chronicle.next();
  if (isDisturbed(world)) world.lastFaultTurn = chronicle.turn;
  if (!world.faults.lifted) advanceTime(world, draw.below(ORDINARY_MS));
  switch (draw.weighted(weights)) {
    case "deliver":
      network.deliver();
      break;
    case "answer":
      network.answer();
      break;
    case "feed":
      offerQuotes(world);
      break;
    case "message":
      chronicle.note("messages", messages.deliver());
      break;
    case "timer":
      chronicle.note("timer", timers.fire());
      break;
    case "storage":
      if (step !== null) await takeStep(world, storage, step);
  }
  await drainEventLoop();
  for (const index of world.ending) {
    world.ending.delete(index);
    const node = world.nodes[index];
    if (node?.life == null) continue;
    await world.crash(node, "its database was restored");
    // A supervisor starts an ended node again.
    node.start();
  }
  return true;
}

/** Draws a step that may run. A slow step runs from its turn `notBefore` on, or earlier when only slow steps wait. */
function drawStep(
  { draw, chronicle, steadyMs }: World,
  shared: PerShard<SharedDatabase>,
): DatabaseStep | null {
  const steps = readyStepsOf(shared).filter(({ notBeforeMs }) => notBeforeMs <= steadyMs);
  if (steps.length === 0) return null;
  const prompt = steps.filter(({ notBefore }) => notBefore <= chronicle.turn);
  return draw.pick(prompt.length === 0 ? steps : prompt);
}

/** Lets this much time pass for all clocks. */
export function advanceTime(world: World, ms: number): void {
  world.nowMs += ms;
  world.steadyMs += ms;
}

/**
 * A delayed statement of a paused process reaches the database at most this many pause lengths after the pause began,
 * so it may arrive after the pause.
 */
const LATER_THAN_PAUSE = 1.2;

function pause(
  world: World,
  shared: PerShard<SharedDatabase>,
  { node, ms }: { readonly node: SimulatedNode; readonly ms: number },
): void {
  const { life } = node;
  if (life === null || life.isPaused || shared.some((one) => one.isOpen(life))) return;
  const { draw, chronicle, steadyMs } = world;
  world.lastFaultTurn = chronicle.turn;
  chronicle.note("paused", node.index, ms);
  for (const step of readyStepsOf(shared)) {
    const isLate = step.life === life && draw.chance(0.5);
    if (isLate) step.notBeforeMs = steadyMs + draw.between(0, LATER_THAN_PAUSE * ms);
  }
  node.pause(steadyMs + ms);
}

/** Continues the processes whose pause is over. When faults are lifted, every pause is over. */
function endPauses(world: World): void {
  const { nodes, steadyMs, faults, chronicle } = world;
  for (const node of nodes) {
    if (node.life?.isPaused !== true) continue;
    if (steadyMs < node.life.pausedUntilMs && !faults.lifted) continue;
    world.lastFaultTurn = chronicle.turn;
    chronicle.note("continued", node.index);
    node.resume();
  }
}

/** Ends the pauses that are over, and carries out clock steps unless faults are lifted. */
function followFaults(world: World): void {
  endPauses(world);
  // A repair waits for the nodes whose clocks are right. So a clock that is wrong then stays wrong until the repair
  // corrects it.
  if (!world.faults.lifted) stepClocks(world);
}

/** True while a node is cut off or a clock is wrong. */
function isDisturbed({ messages, nodes }: World): boolean {
  return messages.isCut || nodes.some(({ wallClock }) => wallClock.isWrong);
}

function stepClocks(world: World): void {
  const { nodes, steadyMs, chronicle } = world;
  for (const { index, wallClock } of nodes) {
    if (!wallClock.passTo(steadyMs)) continue;
    world.lastFaultTurn = chronicle.turn;
    chronicle.note("clock", index, wallClock.aheadMs);
    // After the step of the clock the market sends prices. The feed dates some of them by its new time.
    world.source.push(world.market.all(world.nowMs));
  }
}

/** The steady time of the next event that only the passing of time causes; null when there is none. */
function nextMs({ nodes, timers }: World, shared: PerShard<SharedDatabase>): number | null {
  const pauses = nodes.flatMap(({ life }) => (life?.isPaused === true ? [life.pausedUntilMs] : []));
  const steps = readyStepsOf(shared).map(({ notBeforeMs }) => notBeforeMs);
  const times = [...pauses, ...steps, timers.nextMs()].filter((ms) => ms !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Lets the time pass until the next event that only the passing of time causes. False when there is none. */
function passToNext(world: World, shared: PerShard<SharedDatabase>): boolean {
  const next = nextMs(world, shared);
  if (next === null) return false;
  advanceTime(world, Math.max(0, Math.ceil(next - world.steadyMs)));
  return true;
}

function offerQuotes(world: World): void {
  const { source, silent, fed, nodes, chronicle, steadyMs } = world;
  const sent = source.shift() ?? [];
  const quotes = sent.filter(({ quote }) => !silent.has(quote.pair));
  if (quotes.length < sent.length) world.lastFaultTurn = chronicle.turn;
  fed.push(...quotes.map((one) => ({ ...one, turn: chronicle.turn, steadyMs })));
  chronicle.note("quotes", ...quotes.map(({ source, quote }) => `${source}:${quoteText(quote)}`));
  for (const node of nodes) node.offer(quotes);
}

const SLOW_TURNS = 60;

async function takeStep(
  world: World,
  { shared, hitAt }: Storage,
  step: DatabaseStep,
): Promise<void> {
  const { chronicle, draw, faults, nodes } = world;
  const { node: index } = step.life;
  const outcome = faults.stepOutcome(step);
  chronicle.note("storage", index, step.kind, outcome);
  if (outcome !== "done") {
    hitAt[index] = chronicle.turn;
    world.lastFaultTurn = chronicle.turn;
  }
  if (outcome === "slow") {
    step.notBefore = chronicle.turn + draw.below(SLOW_TURNS);
    return;
  }
  if (outcome !== "diesBefore") await step.run(outcome);
  const node = nodes[index];
  if ((outcome !== "diesBefore" && outcome !== "diesAfter") || node === undefined) return;
  if (outcome === "diesAfter" && step.kind !== "commit") {
    for (const one of shared) await one.abandon(step.life);
  }
  await world.crash(node, outcome);
}

/** The longest time for which work may wait, and for which nodes may not be ready after all faults have ended. */
const PATIENCE_MS = 60_000;

async function untilQuiet(
  world: World,
  reportUnexpected: (message: string) => void,
): Promise<void> {
  await drainEventLoop();
  for (let endMs = world.steadyMs + PATIENCE_MS; ; ) {
    if (await world.turn()) continue;
    const hanging = world.nodes.filter(({ life }) => life?.hangs === true);
    for (const node of hanging) await world.crash(node, "hangs");
    if (hanging.length > 0) continue;
    if (await isIdle(world)) return;
    if (world.steadyMs < endMs && world.passToNext()) continue;
    const { inFlight } = world.network;
    const busy = world.nodes.filter(({ isBusy }) => isBusy).map(({ index }) => index);
    reportUnexpected(
      `the service hangs: ${inFlight} requests wait although nothing blocks them (busy nodes: ${busy.join(", ")})`,
    );
    for (const node of world.nodes) await world.crash(node, "it hangs without a fault");
    return;
  }
}

/** True when no request is in progress, no node is busy or paused, and no ready node has unfinished work. */
async function isIdle(world: World): Promise<boolean> {
  const { network, nodes } = world;
  const waits = nodes.some(({ isBusy, isPaused }) => isBusy || isPaused);
  return network.inFlight === 0 && !waits && (await haveSettled(world));
}

async function untilReady(
  world: World,
  reportUnexpected: (message: string) => void,
): Promise<void> {
  await world.untilQuiet();
  const endMs = world.steadyMs + PATIENCE_MS;
  const rightNodes = () => world.nodes.filter(({ wallClock }) => !wallClock.isWrong);
  while (world.findings.length === 0 && !areAllReady(rightNodes())) {
    if (world.steadyMs >= endMs || !world.passToNext()) {
      const late = rightNodes()
        .filter(({ isReady }) => !isReady)
        .map(({ index }) => index);
      reportUnexpected(
        `the nodes ${late.join(", ")} are not ready ${PATIENCE_MS} ms after all faults: ${world.nodes.map(({ owned }) => owned.join("/")).join(" + ")} partitions have owners`,
      );
    }
    await world.untilQuiet();
  }
}

/**
 * False when a ready node has unfinished work although no event is possible. A node that is not ready waits for quotes,
 * so it does not count.
 */
async function haveSettled({ nodes }: Pick<World, "nodes">): Promise<boolean> {
  let settled = 0;
  const ready = nodes.filter(({ isReady }) => isReady);
  for (const node of ready) {
    void node.settled().then(() => {
      settled += 1;
    });
  }
  await drainEventLoop();
  return settled === ready.length;
}
