import { type QuoteMap, unixMs } from "@propgate/core";
import inject from "light-my-request";
import type { Clock, Stopwatch } from "../../../packages/base/src/clock.ts";
import { createSeededChance } from "../../../packages/base/src/random.ts";
import type { Transport } from "../../../packages/base/src/transport/transport.ts";
import { PARTITIONS } from "../../../packages/ledger/src/storage/rows/partition.ts";
import {
  BEFORE_FIRST_QUOTE,
  compareQuotePositions,
  type QuotePosition,
} from "../../../packages/ledger/src/storage/rows/quote-position.ts";
import { type PerShard, perShard } from "../../../packages/ledger/src/storage/shards/per-shard.ts";
import { createShards } from "../../../packages/ledger/src/storage/shards/shards.ts";
import type { VersionedState } from "../../../packages/ledger/src/trading/executor-port.ts";
import type { ReadAt } from "../../../packages/ledger/src/trading/network/port.ts";
import type { Catalogue } from "../../../packages/market/src/catalogue/catalogue.ts";
import type { ProgramFile } from "../../../packages/market/src/catalogue/programs.ts";
import type { NumberedQuote } from "../../../packages/market/src/prices/quotes/numbered-quote.ts";
import { createQuoteStore } from "../../../packages/market/src/storage/quote-store.ts";
import type { SourcedQuote } from "../price-sources.ts";
import { createNodeLife, type NodeLife, type SharedDatabase } from "../shared-database.ts";
import type { SimulatedTimers } from "../time/simulated-timers.ts";
import type { WallClock } from "../time/wall-clock.ts";
import { composeNode, type RunningService } from "./compose-node.ts";

/** An HTTP request to a node. */
export interface NodeRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface NodeAnswer {
  readonly status: number;
  readonly text: string;
}

/** One process of the service on the shared databases. It starts, dies and starts again. */
export interface SimulatedNode {
  readonly index: number;
  readonly wallClock: WallClock;
  /** The present life of the process; null while it is down. */
  readonly life: NodeLife | null;
  /** True while the node has started and serves requests. */
  readonly isUp: boolean;
  /** True while the node starts or runs housekeeping. */
  readonly isBusy: boolean;
  /** True while the node's process is paused. */
  readonly isPaused: boolean;
  /**
   * True when the node has started, is not paused and reports no problem: its quotes, partitions and clock are in
   * order.
   */
  readonly isReady: boolean;
  /** The position in the sequence of quotes up to which the node has all quotes; the beginning while it is down. */
  readonly reached: QuotePosition;
  /** The number of partitions of each database that the node owns; empty while it is down. */
  readonly owned: readonly number[];
  /** The quotes on the node's board; null while the node is not up. */
  readonly quotes: QuoteMap | null;
  start(): void;
  /** Ends the process immediately. Its unfinished work never completes. */
  die(): Promise<void>;
  /** The answer to a request; null when the connection broke. */
  serve(request: NodeRequest): Promise<NodeAnswer | null>;
  /** Offers quotes to the node's sources, which use them while the node is the feed. A paused node gets them later. */
  offer(quotes: readonly SourcedQuote[]): void;
  /** Stops the process for a while: its timers, its messages and the answers of the database wait. */
  pause(untilMs: number): void;
  /** Continues the process and gives it the answers and quotes that waited. */
  resume(): void;
  /** The account as the node's answers show it; null while the node is down. */
  read(at: ReadAt): Promise<VersionedState | null>;
  /** Starts the work that the service does once a second. */
  runHousekeeping(): void;
  /** Resolves when the effects of all prices and commands are complete. */
  settled(): Promise<void>;
}

export interface NodeNeeds {
  readonly index: number;
  readonly seed: string;
  /** The shared databases, one for each shard. */
  readonly shared: PerShard<SharedDatabase>;
  /** The time of the run, without the errors of clocks. */
  readonly worldMs: () => number;
  readonly wallClock: WallClock;
  readonly steadyClock: Stopwatch;
  /** True when the run may make clocks wrong. */
  readonly hasWrongClocks: boolean;
  /** Called when the node finds that its clock is wrong. */
  readonly onClockWrong: () => void;
  readonly timers: SimulatedTimers;
  readonly connect: (life: NodeLife) => Transport;
  /** Returns the catalogue for a start. */
  readonly catalogue: () => Catalogue;
  readonly programs: ProgramFile;
  /** Called for every error of the service. The world decides whether it was expected. */
  readonly onFault: (what: string, cause: unknown) => void;
  readonly onStarted: (node: number) => void;
  /** Called when the process must end because its database was restored; undefined in a run without restores. */
  readonly onEnded: (() => void) | undefined;
  /** Called for each quote that the node gets, in order. */
  readonly onQuote: (quote: NumberedQuote) => void;
}

export function createSimulatedNode(need: NodeNeeds): SimulatedNode {
  let life: NodeLife | null = null;
  let running: RunningService | null = null;
  let starts = 0;
  let jobs = 0;
  let backlog: SourcedQuote[] = [];
  const { wallClock } = need;
  const clock: Clock = { now: () => unixMs(need.worldMs() + wallClock.aheadMs) };

  /** Runs background work. The end and errors of work of an earlier life are ignored. */
  const job = (what: string, work: () => Promise<void>): void => {
    const thisLife = life;
    jobs += 1;
    work()
      .catch((cause: unknown) => {
        if (life === thisLife) need.onFault(what, cause);
      })
      .finally(() => {
        if (life === thisLife) jobs -= 1;
      });
  };
  const end = (): void => {
    if (life !== null) need.timers.forget(life);
    life = null;
    backlog = [];
    running = null;
    jobs = 0;
  };
  const boot = async (thisLife: NodeLife): Promise<void> => {
    try {
      const made = await composeNode({
        ...need,
        catalogue: need.catalogue(),
        databases: createShards(perShard(need.shared, (one) => one.connect(thisLife))),
        transport: need.connect(thisLife),
        timer: need.timers.of(thisLife),
        onEnded:
          need.onEnded === undefined
            ? undefined
            : () => {
                if (life === thisLife) need.onEnded?.();
              },
        clock,
        id: thisLife.id,
        seed: `${need.seed}:${need.index}:${starts}`,
      });
      if (life !== thisLife) return;
      running = made;
      need.onStarted(need.index);
    } catch (cause) {
      if (life === thisLife) await node.die();
      need.onFault("start", cause);
    }
  };

  const node: SimulatedNode = {
    index: need.index,
    wallClock,
    get life() {
      return life;
    },
    get isUp() {
      return running !== null;
    },
    get isBusy() {
      return jobs > 0;
    },
    get isPaused() {
      return life?.isPaused === true;
    },
    get isReady() {
      return running !== null && !node.isPaused && running.problem() === null;
    },
    get reached() {
      return running?.position ?? BEFORE_FIRST_QUOTE;
    },
    get owned() {
      return running?.owned() ?? [];
    },
    get quotes() {
      return running?.board.quotes ?? null;
    },
    start() {
      if (life !== null) return;
      const chance = createSeededChance(`${need.seed}:${need.index}:${starts + 1}:id`);
      const thisLife = createNodeLife(need.index, chance.uuid());
      life = thisLife;
      starts += 1;
      job("start", () => boot(thisLife));
    },
    async die() {
      const thisLife = life;
      end();
      if (thisLife === null) return;
      for (const one of need.shared) await one.abandon(thisLife);
    },
    async serve({ method, target, headers, body }) {
      if (running === null) return null;
      const payload = body === "" ? {} : { payload: body };
      try {
        // Emits the request on the server as a socket does, so that the edge handles it first.
        const { server } = running.service.app;
        const { statusCode, payload: text } = await inject(
          (message, response) => server.emit("request", message, response),
          { method, url: target, headers, ...payload },
        );
        return { status: statusCode, text };
      } catch (cause) {
        need.onFault("connection", cause);
        return null;
      }
    },
    offer(quotes) {
      if (running === null) return;
      if (node.isPaused) backlog.push(...quotes);
      else for (const quote of quotes) running.offer(quote);
    },
    pause(untilMs) {
      if (life === null) return;
      life.isPaused = true;
      life.pausedUntilMs = untilMs;
    },
    resume() {
      if (life === null) return;
      life.isPaused = false;
      for (const answer of life.held.splice(0)) answer();
      node.offer(backlog.splice(0));
    },
    read: async (at) => (await running?.service.engine.cache.read(at)) ?? null,
    runHousekeeping() {
      if (running !== null) job("housekeeping", housekeeping(running));
    },
    async settled() {
      await running?.service.engine.market.whenSettled();
      await running?.service.engine.executor.idle();
    },
  };
  return node;
}

/** True when all nodes are ready and at the same quote, and every partition has an owner among them. */
export function areAllReady(nodes: readonly SimulatedNode[]): boolean {
  return (
    nodes.every(({ isReady }) => isReady) &&
    haveSameQuotes(nodes) &&
    ownedByAll(nodes).every((owned) => owned === PARTITIONS)
  );
}

/** True when all nodes have all quotes up to the same position. The quotes on their boards may differ for a moment. */
function haveSameQuotes([first, ...others]: readonly SimulatedNode[]): boolean {
  return (
    first === undefined ||
    others.every(({ reached }) => compareQuotePositions(reached, first.reached) === 0)
  );
}

/** For each database, the number of partitions that these nodes own. */
function ownedByAll(nodes: readonly SimulatedNode[]): readonly number[] {
  const databases = Math.max(...nodes.map(({ owned }) => owned.length));
  return Array.from({ length: databases }, (_, database) =>
    nodes.reduce((sum, { owned }) => sum + (owned[database] ?? 0), 0),
  );
}

/** The work that `start-service.ts` runs on a timer, for one node. */
function housekeeping(running: RunningService): () => Promise<void> {
  const { service, board, choices, database, nodeClock } = running;
  const { engine } = service;
  return async () => {
    for (const watch of service.storage) await watch.probe();
    if (nodeClock.problem() !== null) return;
    await choices.refresh();
    await engine.carryOutActions();
    await engine.due.runDue();
    await engine.market.sweep();
    await board.save(createQuoteStore(database));
  };
}
