import { type Quote, unixMs } from "@propgate/core";
import type { Stopwatch } from "../../packages/server/src/base/clock.ts";
import type { Catalogue } from "../../packages/server/src/catalogue/catalogue.ts";
import type { ProgramFile } from "../../packages/server/src/catalogue/programs.ts";
import type { NumberedQuote } from "../../packages/server/src/prices/quotes/numbered-quote.ts";
import type { Database } from "../../packages/server/src/storage/databases/database.ts";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import { createSimulatedFeed, type SimulatedFeed } from "./bus/simulated-feed.ts";
import { createMessages, type Messages } from "./bus/simulated-transport.ts";
import { type Chronicle, createChronicle } from "./chronicle.ts";
import { type Clients, createClients } from "./clients.ts";
import { drain } from "./drain.ts";
import { type Draw, seededDraw } from "./draw.ts";
import { createFaults, type FaultKind, type Faults } from "./faults.ts";
import type { Finding, Turn } from "./history.ts";
import { createMarket, type Market } from "./market.ts";
import { createNetwork, type Network } from "./network.ts";
import { createOperator, type Operator } from "./operator.ts";
import { InjectedFault, type SharedDatabase, type Step, shareDatabase } from "./shared-database.ts";
import { createSimulatedNode, errorLog, type SimulatedNode } from "./simulated-node.ts";

const NODES = 2;
/** The feed's place among the nodes. */
const FEED_STATION = -1;
const ORDINARY_MS = 3;
const HASTES = [2, 8, 30] as const;

/** The parts of a run. It advances one turn after the other. */
export interface World {
  readonly draw: Draw;
  readonly chronicle: Chronicle;
  readonly faults: Faults;
  readonly nodes: readonly SimulatedNode[];
  readonly network: Network;
  readonly clients: Clients;
  readonly operator: Operator;
  readonly market: Market;
  readonly messages: Messages;
  readonly feed: SimulatedFeed;
  /** Quotes of the market that have not reached the feed. */
  readonly source: (readonly Quote[])[];
  readonly findings: Finding[];
  /** Quotes that nodes received or restored since the last observation. */
  readonly quotes: Quote[];
  /** Quotes that the feed numbered since the last observation. */
  readonly published: NumberedQuote[];
  nowMs: number;
  /** The time of the steady clocks: it passes with `nowMs`, but does not jump over hours. */
  steadyMs: number;
  /** The weight of arriving requests against answers of the database. A higher weight makes larger batches. */
  readonly haste: number;
  /** The turn in which a fault or the loss of a node last started or ended. */
  lastFaultTurn: Turn;
  /** Makes one event happen and lets the service run until it waits again. False when no event is possible. */
  turn(): Promise<boolean>;
  /** Turns until nothing is in progress. A node that hangs is restarted. */
  untilQuiet(): Promise<void>;
  crash(node: SimulatedNode, why: string): Promise<void>;
}

export interface WorldNeeds {
  readonly seed: number;
  readonly faults: readonly FaultKind[];
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly programs: ProgramFile;
  /** Called for every line of the history. */
  readonly trace?: (line: string) => void;
}

export function createWorld(need: WorldNeeds): World {
  const draw = seededDraw(String(need.seed));
  const chronicle = createChronicle(need.trace);
  const faults = createFaults(draw, need.faults);
  const shared = shareDatabase(need.database);
  const market = createMarket(draw, need.catalogue.instruments);
  const clients = createClients(draw, market);
  const findings: Finding[] = [];
  /** By node: the turn in which a fault last hit one of its database steps. */
  const hitAt: Turn[] = Array.from({ length: NODES }, () => -1);
  const reportUnexpected = (message: string): void => {
    findings.push({ checker: "the run itself", accountId: null, message });
  };
  const messages = createMessages({
    draw,
    faults,
    turn: () => chronicle.turn,
    onFault() {
      world.lastFaultTurn = chronicle.turn;
    },
  });
  const steadyClock: Stopwatch = { nowMs: () => world.steadyMs };
  const onFault = (node: number, what: string, cause: unknown): void => {
    chronicle.note("fault", node, what, String(cause));
    if (!isInjected(cause)) reportUnexpected(`node ${node}, ${what}: ${textOf(cause)}`);
  };
  const nodes = Array.from({ length: NODES }, (_, index) =>
    createSimulatedNode({
      index,
      shared,
      catalogue: need.catalogue,
      programs: need.programs,
      seed: `node:${need.seed}`,
      worldMs: () => world.nowMs,
      steadyClock,
      connect: (life) => messages.connect(life),
      onFault: (what, cause) => onFault(index, what, cause),
      onQuote(quote) {
        chronicle.note("shown", index, textOfQuote(quote));
        world.quotes.push(quote);
      },
      onStarted() {
        chronicle.note("up", index);
        world.lastFaultTurn = chronicle.turn;
        // Its board has the quotes of the database until new prices arrive.
        world.quotes.push(...(nodes[index]?.quotes?.values() ?? []));
        world.feed.tick();
        world.source.push(market.all(world.nowMs));
      },
    }),
  );
  const network = createNetwork({
    draw,
    faults,
    chronicle,
    nodes,
    nowMs: () => world.nowMs,
    onEnd: (exchange) => clients.receive(exchange),
    onAnswer({ node, sentTurn }, { status, text }) {
      const isExplained = (hitAt[node] ?? -1) >= sentTurn;
      if ((status === 500 || status === 502) && !isExplained)
        reportUnexpected(`node ${node} answered ${status} although nothing had failed: ${text}`);
    },
  });

  const world: World = {
    draw,
    chronicle,
    faults,
    nodes,
    network,
    clients,
    market,
    messages,
    source: [],
    findings,
    operator: createOperator(draw, clients),
    quotes: [],
    published: [],
    nowMs: START_MS,
    steadyMs: 0,
    feed: createSimulatedFeed({
      transport: messages.connect({ node: FEED_STATION }),
      instruments: need.catalogue.instruments,
      clock: { now: () => unixMs(world.nowMs) },
      steadyClock,
      log: errorLog((what, cause) => onFault(FEED_STATION, what, cause)),
      onPublished: (quote) => void world.published.push(quote),
    }),
    haste: draw.pick(HASTES),
    lastFaultTurn: 0,
    turn: () => turn(world, { shared, hitAt }),
    untilQuiet: () => untilQuiet(world, reportUnexpected),
    async crash(node, why) {
      chronicle.next();
      chronicle.note("crash", node.index, why);
      world.lastFaultTurn = chronicle.turn;
      await node.die();
      network.cut(node.index);
      messages.forget(node.index);
      await drain();
    },
  };
  return world;
}

interface Storage {
  readonly shared: SharedDatabase;
  readonly hitAt: Turn[];
}

async function turn(world: World, storage: Storage): Promise<boolean> {
  const { draw, network, messages, source, chronicle } = world;
  const step = drawStep(world, storage.shared);
  const weights = {
    deliver: network.coming > 0 ? world.haste : 0,
    answer: network.going > 0 ? 1 : 0,
    feed: source.length > 0 ? 1 : 0,
    message: messages.ready > 0 ? 2 : 0,
    storage: step === null ? 0 : 4,
  };
  if (Object.values(weights).every((weight) => weight === 0)) return false;
  chronicle.next();
  if (!world.faults.lifted) pass(world, draw.below(ORDINARY_MS));
  switch (draw.weighted(weights)) {
    case "deliver":
      network.deliver();
      break;
    case "answer":
      network.answer();
      break;
    case "feed":
      feed(world);
      break;
    case "message":
      chronicle.note("messages", messages.deliver());
      break;
    case "storage":
      if (step !== null) await take(world, storage, step);
  }
  await drain();
  return true;
}

/** A random step that may run now; slow steps run last. */
function drawStep({ draw, chronicle }: World, shared: SharedDatabase): Step | null {
  const steps = shared.steps();
  if (steps.length === 0) return null;
  const prompt = steps.filter(({ notBefore }) => notBefore <= chronicle.turn);
  return draw.pick(prompt.length === 0 ? steps : prompt);
}

/** Lets time pass. */
export function pass(world: World, ms: number): void {
  world.nowMs += ms;
  world.steadyMs += ms;
}

function feed({ source, feed: to, chronicle }: World): void {
  const quotes = source.shift() ?? [];
  chronicle.note("quotes", ...quotes.map(textOfQuote));
  to.offer(quotes);
}

function textOfQuote({ pair, bid, ask, atMs }: Quote): string {
  return `${pair}:${bid}:${ask}:${atMs}`;
}

const SLOW_TURNS = 60;

async function take(world: World, { shared, hitAt }: Storage, step: Step): Promise<void> {
  const { chronicle, draw, faults, nodes } = world;
  const { node: index } = step.life;
  const fate = faults.stepFate(step);
  chronicle.note("storage", index, step.kind, fate);
  if (fate !== "done") {
    hitAt[index] = chronicle.turn;
    world.lastFaultTurn = chronicle.turn;
  }
  if (fate === "slow") {
    step.notBefore = chronicle.turn + draw.below(SLOW_TURNS);
    return;
  }
  if (fate !== "diesBefore") await step.run(fate);
  const node = nodes[index];
  if ((fate !== "diesBefore" && fate !== "diesAfter") || node === undefined) return;
  if (fate === "diesAfter" && step.kind !== "commit") await shared.abandon(step.life);
  await world.crash(node, fate);
}

async function untilQuiet(
  world: World,
  reportUnexpected: (message: string) => void,
): Promise<void> {
  await drain();
  for (;;) {
    if (await world.turn()) continue;
    const hanging = world.nodes.filter(({ life }) => life?.hangs === true);
    for (const node of hanging) await world.crash(node, "hangs");
    if (hanging.length > 0) continue;
    const { inFlight } = world.network;
    const busy = world.nodes.filter(({ isBusy }) => isBusy).map(({ index }) => index);
    if (inFlight > 0 || busy.length > 0 || !(await haveSettled(world))) {
      reportUnexpected(
        `the service hangs: ${inFlight} requests wait although nothing blocks them (busy nodes: ${busy.join(", ")})`,
      );
      for (const node of world.nodes) await world.crash(node, "it hangs without a fault");
    }
    return;
  }
}

/** False when a node still has unfinished work although nothing is in progress. */
async function haveSettled({ nodes }: World): Promise<boolean> {
  let settled = 0;
  for (const node of nodes) {
    void node.settled().then(() => {
      settled += 1;
    });
  }
  await drain();
  return settled === nodes.length;
}

/** Whether a fault of the simulation caused the error. */
function isInjected(cause: unknown): boolean {
  if (cause instanceof InjectedFault) return true;
  if (cause instanceof AggregateError && cause.errors.some(isInjected)) return true;
  return cause instanceof Error && cause.cause !== undefined && isInjected(cause.cause);
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
