import type { Quote } from "@propgate/core";
import type { Catalogue } from "../../packages/server/src/catalogue/catalogue.ts";
import type { ProgramFile } from "../../packages/server/src/catalogue/programs.ts";
import type { Database } from "../../packages/server/src/storage/databases/database.ts";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
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
import { createSimulatedNode, type SimulatedNode } from "./simulated-node.ts";

const NODES = 2;
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
  /** Quotes that have not arrived, by node. */
  readonly feeds: readonly (readonly Quote[])[][];
  readonly findings: Finding[];
  /** Quotes that nodes received or restored since the last observation. */
  readonly quotes: Quote[];
  nowMs: number;
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
  const feeds: (readonly Quote[])[][] = Array.from({ length: NODES }, () => []);
  const nodes = feeds.map((feed, index) =>
    createSimulatedNode({
      index,
      shared,
      catalogue: need.catalogue,
      programs: need.programs,
      seed: `node:${need.seed}`,
      worldMs: () => world.nowMs,
      onFault(what, cause) {
        chronicle.note("fault", index, what, String(cause));
        if (!isInjected(cause)) reportUnexpected(`node ${index}, ${what}: ${textOf(cause)}`);
      },
      onStarted() {
        chronicle.note("up", index);
        world.lastFaultTurn = chronicle.turn;
        // Its board has the quotes of the database until new prices arrive.
        world.quotes.push(...(nodes[index]?.quotes?.values() ?? []));
        feed.push(market.all(world.nowMs));
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
    feeds,
    findings,
    operator: createOperator(draw, clients),
    quotes: [],
    nowMs: START_MS,
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
      feeds[node.index]?.splice(0);
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
  const { draw, network, feeds, chronicle } = world;
  const step = drawStep(world, storage.shared);
  const fed = world.nodes.filter((_, index) => (feeds[index]?.length ?? 0) > 0);
  const weights = {
    deliver: network.coming > 0 ? world.haste : 0,
    answer: network.going > 0 ? 1 : 0,
    feed: fed.length > 0 ? 1 : 0,
    storage: step === null ? 0 : 4,
  };
  if (Object.values(weights).every((weight) => weight === 0)) return false;
  chronicle.next();
  if (!world.faults.lifted) world.nowMs += draw.below(ORDINARY_MS);
  switch (draw.weighted(weights)) {
    case "deliver":
      network.deliver();
      break;
    case "answer":
      network.answer();
      break;
    case "feed":
      feed(world, draw.pick(fed));
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

function feed({ feeds, chronicle, ...world }: World, node: SimulatedNode): void {
  const quotes = feeds[node.index]?.shift();
  if (quotes === undefined || !node.isUp) return;
  const texts = quotes.map(({ pair, bid, ask, atMs }) => `${pair}:${bid}:${ask}:${atMs}`);
  chronicle.note("quotes", node.index, ...texts);
  world.quotes.push(...quotes);
  node.publish(quotes);
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
